import type { Person } from './person.js';

/** A project with an active release. */
export interface Project {
  readonly teamId: string;
  readonly id: string;
  readonly name: string;
  readonly releaseId: string;
}

const idOf = (data: Readonly<Record<string, unknown>>): string => String(data.id);

/** Creates a team; returns its id. */
export const createTeam = async (person: Person): Promise<string> =>
  idOf(await person.post('/api/teams', { name: 'Payments' }));

/** Creates a project whose active release started at `startsAt` (milliseconds since 1970), with a few issues in it. */
export const createProject = async (
  person: Person,
  teamId: string,
  name: string,
  startsAt: number,
): Promise<Project> => {
  const id = idOf(await person.post(`/api/teams/${teamId}/projects`, { name }));
  const path = `/api/teams/${teamId}/projects/${id}`;
  const startsAtText = new Date(startsAt).toISOString();
  const releaseId = idOf(await person.post(`${path}/releases`, { name: 'Spring', starts_at: startsAtText }));
  await person.post(`${path}/releases/${releaseId}/activate`, {});
  for (const [title, type, state] of [
    ['Pay by invoice', 'feature', 'done'],
    ['Totals are rounded twice', 'bug', 'done'],
    ['Refunds take a day', 'bug', 'todo'],
  ])
    await person.post(`${path}/issues`, { title, type, state, release_id: releaseId });
  return { teamId, id, name, releaseId };
};

/** Creates an API key with every scope, for one team where it is named; returns the key itself. */
export const createKey = async (person: Person, teamId?: string): Promise<string> => {
  const team = teamId === undefined ? {} : { team_id: teamId };
  const scopes = ['read', 'deployments:write', 'test-runs:write'];
  return String((await person.post('/api/settings/api-keys', { name: 'bench', scopes, ...team })).key);
};
