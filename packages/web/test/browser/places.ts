import { setTimeout } from 'node:timers/promises';
import type { Client } from '@shipworthy/client';

/** Where a release is, for paths of the interface. */
export interface ReleasePath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

/** Where it is in the browser. */
export const addressOf = ({ team_id, project_id, release_id }: ReleasePath): string =>
  `/teams/${team_id}/projects/${project_id}/releases/${release_id}`;

/** Makes team `Core`, project `checkout`, active release `2.4`. */
export const makeRelease = async (person: Client, app = 'checkout', name = '2.4'): Promise<ReleasePath> => {
  const { body: team } = await person.createTeam({ body: { name: 'Core' } });
  const team_id = team.data.id;
  const { body: project } = await person.createProject({ path: { team_id }, body: { name: app } });
  const inProject = { team_id, project_id: project.data.id };
  const { body: release } = await person.createRelease({ path: inProject, body: { name } });
  const path = { ...inProject, release_id: release.data.id };
  await person.activateRelease({ path });
  return path;
};

/** Issues, test run, deployments and checklist, so that the gate holds by few and clear reasons: scope 83.33, ops 33.33. */
export const fill = async (person: Client, path: ReleasePath): Promise<void> => {
  const { release_id, ...inProject } = path;
  const issues = [
    ['Refund by the customer', 'feature', 'done'],
    ['Pay by invoice', 'feature', 'done'],
    ['Receipts in Dutch', 'task', 'done'],
    ['Rounding of split payments', 'bug', 'done'],
    ['Cart forgets coupons', 'bug', 'done'],
    ['Faster address search', 'feature', 'in_progress'],
  ] as const;
  for (const [title, type, state] of issues)
    await person.createIssue({ path: inProject, body: { title, type, state, release_id } });
  await person.recordTestRun({
    path: inProject,
    body: { total: 412, passed: 410, failed: 2, suite: 'unit', commit_sha: '0123abc' },
  });
  const { body } = await person.readProject({ path: inProject });
  for (const [environment, status] of [
    ['staging', 'success'],
    ['staging', 'failure'],
    ['staging', 'success'],
    ['production', 'success'],
  ] as const)
    await person.recordDeployment({
      body: { app_name: body.data.name, environment, commit_sha: '0123abc', status, duration_seconds: 42 },
    });
  const { body: checklist } = await person.listChecklist({ path });
  const [docs] = checklist.data;
  if (docs !== undefined)
    await person.changeChecklistItem({ path: { ...path, item_id: docs.id }, body: { state: 'done' } });
};

const SECOND = 1000;

/** Waits until the trend ends in what is true now, by a point that later ones of its second do not replace. */
export const trendWritten = async (person: Client, path: ReleasePath): Promise<void> => {
  const { as_of } = (await person.readReadiness({ path })).body.data;
  for (let tries = 0; tries < 1_000; tries += 1) {
    if ((await person.listHistory({ path })).body.data.at(-1)?.at === as_of)
      return setTimeout(SECOND - (Date.parse(as_of) % SECOND));
    await setTimeout(100);
  }
  throw new Error('The trend does not follow.');
};
