import { createClient } from '@shipworthy/client';
import { clientWith, cookiesOf, type Service } from './service.js';

type Role = 'viewer' | 'member' | 'owner';

/** Another person in the team, with a session: the service as it is for them. */
export const joinedBy = async (service: Service, teamId: string, name: string, role: Role): Promise<Service> => {
  const { body } = await service.person.createInvitation({ body: { team_id: teamId, role } });
  const { headers } = await createClient({ baseUrl: service.url }).acceptInvitation({
    body: {
      token: body.data.token,
      name,
      email: `${name.toLowerCase()}@example.org`,
      password: 'a long enough phrase',
    },
  });
  const cookies = cookiesOf(service.url, headers);
  return { ...service, cookies, person: clientWith(service.url, cookies) };
};
