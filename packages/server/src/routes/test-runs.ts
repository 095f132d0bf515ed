import { operations, type PathOf, type TestRunRequest, type TestRun as WireTestRun } from '@shipworthy/client/contract';
import {
  notFound,
  searchTextOf,
  suiteOf,
  type TestRun,
  type TestRunReport,
  type TestRunView,
} from '@shipworthy/domain';
import type { Ports, RememberedReply, TestRunFilter } from '@shipworthy/domain/ports';
import {
  addTestRunContribution,
  importTestRuns,
  readTestRun,
  recordTestRun,
  restoreTestRun,
  setTestRunAside,
} from '@shipworthy/domain/use-cases';
import { locationOf } from '../http/answer.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { externalIdOf, intervalOf, orderOf, sentMomentOrNull, wireMoment } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { actorOf, recordPageReply } from './replies.js';
import {
  ATTRIBUTION_COLUMNS,
  answerReport,
  importBatch,
  includesContribution,
  testRunViews,
  wireAttribution,
} from './reports.js';

/** A reported test run as the domain takes it; what was not sent is null. */
export const testRunReport = (sent: TestRunRequest): TestRunReport => ({
  releaseId: sent.release_id?.toLowerCase() ?? null,
  suite: suiteOf(sent.suite ?? null),
  total: sent.total,
  passed: sent.passed,
  failed: sent.failed,
  skipped: sent.skipped ?? null,
  commitSha: sent.commit_sha ?? null,
  url: sent.url ?? null,
  durationSeconds: sent.duration_seconds ?? null,
  ranAt: sentMomentOrNull(sent.ran_at),
  external: externalIdOf(sent),
});

/** A test run with its receipt. */
export const wireTestRun = ({ testRun, attribution }: TestRunView): WireTestRun => ({
  id: testRun.id,
  project_id: testRun.projectId,
  release_id: testRun.releaseId,
  suite: testRun.suite,
  total: testRun.total,
  passed: testRun.passed,
  failed: testRun.failed,
  skipped: testRun.skipped,
  commit_sha: testRun.commitSha,
  url: testRun.url,
  duration_seconds: testRun.durationSeconds,
  ran_at: wireMoment(testRun.ranAt),
  recorded_at: wireMoment(testRun.recordedAt),
  recorded_by: testRun.recordedBy,
  set_aside: testRun.setAside && { ...testRun.setAside, at: wireMoment(testRun.setAside.at) },
  attribution: wireAttribution('verification', attribution),
});

type Record = OperationOf<'recordTestRun'>;
type Import = OperationOf<'importTestRuns'>;

const created =
  (path: PathOf<Record>) =>
  (view: TestRunView): RememberedReply => ({
    status: 201,
    location: locationOf(operations.recordTestRun, path, view.testRun.id),
    body: JSON.stringify({ data: wireTestRun(view) }),
  });

const record: RouteHandler<Record> = ({ path, query, body }, { principal, needs, ports, place, idempotency }) => {
  const whose = { principal, teamId: place.teamId, projectId: place.projectId };
  const contribution = {
    add: (view: TestRunView) => addTestRunContribution(ports, view),
    again: (testRunId: string) => readTestRun(ports, { ...whose, testRunId }),
  };
  return answerReport(
    idempotency,
    created(path),
    (remember) => recordTestRun(ports, { ...whose, needs, report: testRunReport(body), remember }),
    includesContribution(query.contribution, principal) ? contribution : null,
  );
};

const pathOf = ({ team_id, project_id }: PathOf<Import>): string =>
  operations.importTestRuns.path.replace('{team_id}', team_id).replace('{project_id}', project_id);

const importAll: RouteHandler<Import> = ({ path, body }, context) => {
  const { principal, needs, ports, place, basePath, requestId, now } = context;
  const { teamId, projectId } = place;
  return importBatch(
    body,
    testRunReport,
    (records) => importTestRuns(ports, { principal, needs, teamId, projectId, records }),
    {
      basePath,
      path: pathOf(path),
      requestId,
      now,
    },
  );
};

const read: RouteHandler<OperationOf<'readTestRun'>> = async ({ path }, { principal, ports, place }) => {
  const { teamId, projectId } = place;
  const view = await readTestRun(ports, { principal, teamId, projectId, testRunId: path.test_run_id });
  return { status: 200, body: { data: wireTestRun(view) } };
};

type ListQuery = RouteInput<OperationOf<'exportTestRuns'>>['query'];

const filterOf = (projectId: string, { q, suite, release_id, ran_from, ran_to }: ListQuery): TestRunFilter => {
  const ran = intervalOf(ran_from, ran_to);
  return {
    projectId,
    ...(q === undefined ? {} : { text: searchTextOf(q) }),
    ...(suite === undefined ? {} : { suite: suiteOf(suite) }),
    ...(release_id === undefined ? {} : { releaseId: release_id.toLowerCase() }),
    ...(ran === undefined ? {} : { ran }),
  };
};

const list: RouteHandler<OperationOf<'listTestRuns'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const filter = filterOf(place.projectId, query);
  const [{ rows, next }, kept] = await Promise.all([
    ports.stores.testRuns.page(filter, page, orderOf(query.order)),
    ports.stores.keptRecords.since(place.projectId),
  ]);
  const views = await testRunViews(ports.stores, rows);
  return recordPageReply(views.map(wireTestRun), sealCursor(next), kept.testRuns);
};

/** A test run as a line of a table. */
export const TEST_RUN_TABLE: TableColumns<WireTestRun> = {
  ran_at: ({ ran_at }) => ran_at,
  suite: ({ suite }) => suite,
  total: ({ total }) => total,
  passed: ({ passed }) => passed,
  failed: ({ failed }) => failed,
  skipped: ({ skipped }) => skipped,
  duration_seconds: ({ duration_seconds }) => duration_seconds,
  commit_sha: ({ commit_sha }) => commit_sha,
  url: ({ url }) => url,
  ...ATTRIBUTION_COLUMNS,
  set_aside: ({ set_aside }) => set_aside?.reason ?? null,
  recorded_by: ({ recorded_by }) => recorded_by,
  recorded_at: ({ recorded_at }) => recorded_at,
  id: ({ id }) => id,
  release_id: ({ release_id }) => release_id,
};

const exportTable: RouteHandler<OperationOf<'exportTestRuns'>> = async ({ query }, { ports, place }) => {
  const { slices, stores } = ports;
  const [filter, order] = [filterOf(place.projectId, query), orderOf(query.order)];
  return exportList({
    name: 'test-runs',
    columns: TEST_RUN_TABLE,
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.testRuns.page(filter, page, order);
      return { rows: await slices.map(await testRunViews(stores, rows), wireTestRun), next };
    },
  });
};

const changed = async (ports: Ports, testRun: TestRun): Promise<{ status: 200; body: { data: WireTestRun } }> => {
  const [view] = await testRunViews(ports.stores, [testRun]);
  if (view === undefined) throw notFound('test run');
  return { status: 200, body: { data: wireTestRun(view) } };
};

const setAside: RouteHandler<OperationOf<'setTestRunAside'>> = async ({ body }, context) => {
  const { ports, place } = context;
  const { teamId, projectId, testRun } = place;
  const command = { by: actorOf(context), teamId, projectId, testRunId: testRun.id, reason: body.reason };
  return changed(ports, await setTestRunAside(ports, command));
};

const restore: RouteHandler<OperationOf<'restoreTestRun'>> = async (_, context) => {
  const { ports, place } = context;
  const { teamId, projectId, testRun } = place;
  return changed(
    ports,
    await restoreTestRun(ports, { by: actorOf(context), teamId, projectId, testRunId: testRun.id }),
  );
};

export const testRunRoutes = {
  recordTestRun: record,
  importTestRuns: importAll,
  readTestRun: read,
  setTestRunAside: setAside,
  restoreTestRun: restore,
  listTestRuns: list,
  exportTestRuns: exportTable,
} as const satisfies Partial<Routes>;
