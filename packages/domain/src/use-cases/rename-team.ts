import type { Team } from '../team/team.js';
import { type ChangePorts, requireVersion, versionMismatch } from './change.js';
import { changeTeam, type InTeam } from './in-team.js';

export interface RenameTeam extends InTeam {
  readonly name: string;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/** Renames a team; its slug stays. Role owner. @throws DomainError `not-found`, `forbidden`, `version-mismatch` */
export const renameTeam =
  (ports: ChangePorts) =>
  (command: RenameTeam): Promise<Team> =>
    changeTeam(ports, command, 'owner', async ({ stores, team, note }) => {
      requireVersion(team, command.version);
      const next = { ...team, name: command.name, version: team.version + 1 };
      if (!(await stores.teams.replace(next))) throw versionMismatch(await stores.teams.byId(team.id));
      const detail = { from: team.name, to: next.name };
      await note({ teamId: team.id, action: 'team.rename', resource: { type: 'team', id: team.id }, detail });
      return next;
    });
