import type { Actor } from '../access/actor.js';
import { slugOf } from '../name/slug.js';
import type { Team } from '../team/team.js';
import { type ChangePorts, change } from './change.js';

export interface CreateTeam {
  readonly by: Actor;
  readonly name: string;
}

/** Creates a team; whoever creates it owns it. */
export const createTeam =
  (ports: ChangePorts) =>
  ({ by, name }: CreateTeam): Promise<Team> =>
    change(ports, by, async ({ stores, now, newId, note }) => {
      const team = { id: newId(), name, slug: slugOf(name, 'team'), version: 1, createdAt: now, demo: false };
      const owner = { teamId: team.id, userId: by.principal.userId, role: 'owner', createdAt: now } as const;
      const stored = await stores.teams.create(team, owner);
      await note({
        teamId: stored.id,
        action: 'team.create',
        resource: { type: 'team', id: stored.id },
        detail: { name },
      });
      return stored;
    });
