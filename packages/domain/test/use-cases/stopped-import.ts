import { expect } from 'chai';
import fc from 'fast-check';
import { unavailable } from './host-model.js';
import { type ImportScene, LEASE } from './import-scene.js';

/** What may stop a worker at a page: an error that undoes it, another worker that takes over, the host, the end of its time. */
export const stop = fc.constantFrom('bug', 'taken over', 'host', 'time', 'none');

/** A turn that is stopped so in its `n`th request. */
export const stopped = async (here: ImportScene, how: string, n: number): Promise<void> => {
  const { model, time } = here;
  let left = n;
  model.beforeAnswer = async () => {
    left -= 1;
    if (left !== 0) return;
    model.beforeAnswer = async () => undefined;
    if (how === 'host') model.failure = unavailable();
    if (how === 'time') time.now += LEASE;
    if (how === 'bug')
      here.atCommit.now = () => {
        throw new RangeError('stopped');
      };
    if (how === 'taken over') {
      time.now += LEASE + 1;
      expect(await here.turn(), 'the other worker').to.equal(true);
    }
  };
  await here.turn().catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
  });
  here.atCommit.now = () => undefined;
  model.beforeAnswer = async () => undefined;
};

/** Everything an import stored, by names instead of ids, without the moments of our own clock. */
export const kept = async (here: ImportScene) => {
  const { stores, project } = here;
  const all = { limit: 200, after: null };
  const releases = (await stores.releases.page({ projectId: project.id }, all)).rows;
  const nameOf = (id: string | null) => releases.find((release) => release.id === id)?.name ?? null;
  const { rows: issues } = await stores.issues.page({ projectId: project.id }, all);
  const { rows: deployments } = await stores.deployments.page({ projectId: project.id }, all);
  const { rows: testRuns } = await stores.testRuns.page({ projectId: project.id }, all);
  const { state } = await here.linked();
  return {
    releases: releases
      .map(({ name, externalId, targetAt, version }) => ({ name, externalId, targetAt, version }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    issues: issues
      .map(({ id, projectId: _, updatedAt: __, releaseId, ...issue }) => ({
        ...issue,
        release: nameOf(releaseId),
        events: here.events.get(id)?.map((event) => ({ ...event, issueId: null, releaseId: nameOf(event.releaseId) })),
      }))
      .sort((a, b) => ((a.externalId ?? '') < (b.externalId ?? '') ? -1 : 1)),
    deployments: deployments
      .map(({ external, status, startedAt, finishedAt }) => ({ external, status, startedAt, finishedAt }))
      .sort((a, b) => ((a.external?.id ?? '') < (b.external?.id ?? '') ? -1 : 1)),
    testRuns: testRuns.map(({ external, total }) => ({ external, total })),
    marks: state.checkpoint.marks,
  };
};
