import type { Caller } from '@shipworthy/client/contract';
import type { Principal, TeamOverview } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** Who makes a request, with the teams in sight and the role in each. */
export const wireCaller = (principal: Principal, teams: readonly TeamOverview[]): Caller => ({
  kind: principal.kind,
  id: principal.id,
  name: principal.name,
  user_id: principal.userId,
  administrator: principal.administrator,
  scopes: [...principal.scopes],
  teams: teams.flatMap(({ team: { id, name, slug } }) => {
    const role = principal.roles.get(id);
    return role === undefined ? [] : [{ id, name, slug, role }];
  }),
  project_id: principal.home?.projectId ?? null,
  expires_at: wireMoment(principal.expiresAt),
});
