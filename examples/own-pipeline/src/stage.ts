import type { Client } from '@shipworthy/client';

/** The path parameters of a release in the API. */
export interface ReleasePath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

/** The values a pipeline needs, and the path of its release. */
export interface Stage {
  readonly apiKey: string;
  readonly path: ReleasePath;
}

/** Issues, which git does not hold: a person enters them by hand, or imports them. */
const ISSUES = [
  { title: 'Score a release on five axes', type: 'feature', state: 'done' },
  { title: 'Take reports from any pipeline', type: 'feature', state: 'done' },
  { title: 'Prove every store by the same suites', type: 'task', state: 'done' },
  { title: 'A score of 79.96 is shown as 80.0', type: 'bug', state: 'done', severity: 'major' },
  { title: 'Connect a repository host', type: 'feature', state: 'todo' },
] as const;

/** Makes what a person makes once: team, project, a release that starts at `startsAt`, issues, a key for pipelines. */
export const setStage = async (person: Client, app: string, startsAt: Date): Promise<Stage> => {
  const { body: team } = await person.createTeam({ body: { name: 'Makers' } });
  const team_id = team.data.id;
  const { body: project } = await person.createProject({ path: { team_id }, body: { name: app } });
  const inProject = { team_id, project_id: project.data.id };
  const { body: release } = await person.createRelease({
    path: inProject,
    body: { name: 'next', starts_at: startsAt.toISOString() },
  });
  const release_id = release.data.id;
  const path = { ...inProject, release_id };
  await person.activateRelease({ path });
  for (const issue of ISSUES) await person.createIssue({ path: inProject, body: { ...issue, release_id } });
  const { body: key } = await person.createApiKey({
    body: { name: 'own pipeline', scopes: ['read', 'deployments:write', 'test-runs:write', 'axes:write'], team_id },
  });
  return { apiKey: key.data.key, path };
};

/** Ticks the item of the launch checklist and links what shows that it is really done. */
export const tick = async (person: Client, path: ReleasePath, title: string, url: string): Promise<void> => {
  const { body } = await person.listChecklist({ path });
  const item = body.data.find((each) => each.title === title);
  if (item === undefined) throw new Error(`The checklist has no item ${title}.`);
  const inItem = { ...path, item_id: item.id };
  await person.addEvidence({ path: inItem, body: { url, label: 'Seen by Ada' } });
  await person.changeChecklistItem({ path: inItem, body: { state: 'done' } });
};
