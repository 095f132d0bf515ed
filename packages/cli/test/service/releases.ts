import { setTimeout } from 'node:timers/promises';
import type { Service } from './service.js';

/** What the operations of a release take. */
export interface ReleasePath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

let made = 0;

/** Another project of the team with an active release `1.0` of its own; answers its name, too. */
export const newProject = async ({ person, teamId }: Service, prefix = 'project') => {
  made += 1;
  const name = `${prefix}-${made}`;
  const { body: project } = await person.createProject({ path: { team_id: teamId }, body: { name } });
  const path = { team_id: teamId, project_id: project.data.id };
  const { body: release } = await person.createRelease({ path, body: { name: '1.0' } });
  const place: ReleasePath = { ...path, release_id: release.data.id };
  await person.activateRelease({ path: place });
  return { name, path: place };
};

/** Ticks every item of the launch checklist: from then on nothing fails, and most is unmeasured. */
export const tickChecklist = async ({ person }: Service, path: ReleasePath): Promise<void> => {
  const { body: list } = await person.listChecklist({ path });
  for (const { id } of list.data)
    await person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state: 'done' } });
};

/** Records what makes every axis 100. */
export const makeReady = async (service: Service, name: string, path: ReleasePath): Promise<void> => {
  const commit_sha = '9fceb02d0ae598e95dc970b74767f19372d61af8';
  const { person } = service;
  const { release_id } = path;
  await tickChecklist(service, path);
  await person.createIssue({ path, body: { title: 'Pay', type: 'feature', state: 'done', release_id } });
  await person.recordTestRun({ path, body: { suite: 'unit', total: 10, passed: 10, failed: 0, commit_sha } });
  await person.recordDeployment({
    body: {
      app_name: name,
      environment: 'production',
      commit_sha,
      status: 'success',
    },
  });
};

/** Opens a critical bug, so that the gate of a ready release holds. */
export const openCriticalBug = async ({ person }: Service, path: ReleasePath): Promise<string> => {
  const { body } = await person.createIssue({
    path,
    body: { title: 'Lost money', type: 'bug', state: 'todo', severity: 'critical', release_id: path.release_id },
  });
  return body.data.id;
};

const SECOND = 1000;

/** Waits until the trend of the active release ends in what is true now, by a point that later ones of its second do not replace. */
export const trendWritten = async ({ person, teamId, projectId, releaseId }: Service): Promise<void> => {
  const path = { team_id: teamId, project_id: projectId, release_id: releaseId };
  const { as_of } = (await person.readReadiness({ path })).body.data;
  for (let tries = 0; tries < 1_000; tries += 1) {
    if ((await person.listHistory({ path })).body.data.at(-1)?.at === as_of)
      return setTimeout(SECOND - (Date.parse(as_of) % SECOND));
    await setTimeout(100);
  }
  throw new Error('The trend does not follow.');
};
