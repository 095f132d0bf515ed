import type { KeptSince, Project } from '@shipworthy/domain';
import type { KeptRecordsStore, RemovedRecords } from '@shipworthy/domain/ports';
import { ascending } from './table.js';
import { dayOf, keyOf, type TableAccess, type Tables } from './tables.js';

const NONE: KeptSince = { deployments: null, testRuns: null };

const later = (a: number | null, b: number): number => Math.max(a ?? b, b);

const removeOf = (tables: Tables, { id, teamId }: Project, before: number): RemovedRecords | null => {
  const open = tables.releases.where('project', id).filter(({ state }) => state === 'planned' || state === 'active');
  const edge = open.reduce((least, { startsAt }) => Math.min(least, dayOf(startsAt ?? before)), before);
  const openIds = new Set(open.map((release) => release.id));
  const deployments = tables.deployments.where('project', id).filter(({ startedAt }) => startedAt < edge);
  const testRuns = tables.testRuns
    .where('project', id)
    .filter(({ ranAt, releaseId }) => ranAt < before && !openIds.has(releaseId));
  if (deployments.length + testRuns.length === 0) return null;
  for (const { id: recordId, external } of deployments) {
    tables.deployments.remove(recordId);
    if (external !== null) tables.externals.remove(keyOf('deployment', id, external.id));
  }
  for (const { id: recordId, external } of testRuns) {
    tables.testRuns.remove(recordId);
    if (external !== null) tables.externals.remove(keyOf('test_run', id, external.id));
  }
  const since = tables.keptSince.get(id) ?? NONE;
  tables.keptSince.put(id, {
    deployments: later(since.deployments, edge),
    testRuns: later(since.testRuns, before),
  });
  return { projectId: id, teamId, deployments: deployments.length, testRuns: testRuns.length };
};

export const keptRecordsStore = ({ read, change }: TableAccess): KeptRecordsStore => ({
  since: (projectId) => read(({ keptSince }) => keptSince.get(projectId) ?? NONE),
  removeBefore: (before, from) =>
    change((tables) => {
      for (const project of ascending(tables.projects.all(), ({ id }) => [id])) {
        if (from !== null && project.id < from) continue;
        const removed = removeOf(tables, project, before);
        if (removed !== null) return { removed: [removed], next: project.id };
      }
      return { removed: [], next: null };
    }),
});
