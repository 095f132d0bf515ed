import { createClient } from '@shipworthy/client';
import { clientWith, cookiesOf, type Service } from './service.js';

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
