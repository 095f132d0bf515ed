import { createClient } from '@shipworthy/client';
import { makeRelease } from './places.js';
import { clientWith, cookiesOf, type Service, startService } from './service.js';

/** Starts a service with team `Core`, owned by Ada, and its project `checkout`. */
export const startWithTeam = async (): Promise<{ readonly service: Service; readonly teamId: string }> => {
  const service = await startService();
  const { team_id } = await makeRelease(service.person);
  return { service, teamId: team_id };
};

/** Lets another person join a team in a role; answers the service as that person sees it. */
export const joinedBy = async (
  service: Service,
  team_id: string,
  role: 'viewer' | 'member' | 'owner',
  name = 'Grace',
): Promise<Service> => {
  const { body } = await service.person.createInvitation({ body: { team_id, role } });
  const { headers } = await createClient({ baseUrl: service.url, timeoutMs: 120_000 }).acceptInvitation({
    body: {
      token: body.data.token,
      email: `${name.toLowerCase()}-${role}@example.org`,
      name,
      password: 'another long enough phrase',
    },
  });
  const cookies = cookiesOf(service.url, headers);
  return { ...service, cookies, person: clientWith(service.url, cookies) };
};
