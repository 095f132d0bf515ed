// SQL by hand: one statement over a table of values, whose plan the database keeps, finds what many test runs are for.
import { type ListOrder, type RunOrder, type TestRun, type TestRunTarget, testRunMove } from '@shipworthy/domain';
import type { PreviousRunLookup, TargetLookup, TestRunFilter, TestRunStore } from '@shipworthy/domain/ports';
import { markRelease } from './change-log-sql.js';
import { externalOf } from './deployment-rows-sql.js';
import type { ColumnKind, Value } from './dialect.js';
import { countingRuns, latestInTime, otherSuiteSetAside, SUPERSEDED, setAsideAmongRuns } from './not-counted-sql.js';
import { among, query, type TableOf } from './query.js';
import { RELEASE_COLUMNS, type ReleaseRow, releaseOf } from './releases.js';
import { whereHoldsWords } from './search-sql.js';
import {
  type Access,
  boundMoment,
  groupedBy,
  inRequestedOrder,
  keysetPage,
  type Listing,
  lastMomentOfEach,
  rowsOfEach,
  rowsOfIds,
} from './sql.js';

interface TestRunRow {
  readonly id: string;
  readonly project_id: string;
  readonly release_id: string;
  readonly suite: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number | null;
  readonly commit_sha: string | null;
  readonly url: string | null;
  readonly duration_seconds: number | null;
  readonly ran_at: number;
  readonly recorded_at: number;
  readonly recorded_by: string;
  readonly external_id: string | null;
  readonly external_fingerprint: string | null;
  readonly set_aside_at: number | null;
  readonly set_aside_by: string | null;
  readonly set_aside_reason: string | null;
}

interface LatestColumns {
  readonly release_id: string;
  readonly test_run_id: string;
  readonly set_aside: number;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    test_runs: TableOf<TestRunRow, 'ran_at' | 'recorded_at' | 'set_aside_at'>;
    latest_test_runs: LatestColumns;
  }
}

/** Every column, in the order of `testRunCells`. */
export const TEST_RUN_KINDS: Readonly<Record<keyof TestRunRow, ColumnKind>> = {
  id: 'id',
  project_id: 'id',
  release_id: 'id',
  suite: 'text',
  total: 'integer',
  passed: 'integer',
  failed: 'integer',
  skipped: 'integer',
  commit_sha: 'text',
  url: 'text',
  duration_seconds: 'number',
  ran_at: 'moment',
  recorded_at: 'moment',
  recorded_by: 'text',
  external_id: 'text',
  external_fingerprint: 'text',
  set_aside_at: 'moment',
  set_aside_by: 'text',
  set_aside_reason: 'text',
};

const NAMES = Object.keys(TEST_RUN_KINDS);

/** The columns as SQL, each prefixed with the name of the table. */
const testRunColumns = (table: string): string => NAMES.map((name) => `${table}.${name}`).join(', ');

/** The values of a test run in the order of its columns. */
export const testRunCells = (access: Access, run: TestRun) => [
  run.id,
  run.projectId,
  run.releaseId,
  run.suite,
  run.total,
  run.passed,
  run.failed,
  run.skipped,
  run.commitSha,
  run.url,
  run.durationSeconds,
  access.dialect.moment(run.ranAt),
  access.dialect.moment(run.recordedAt),
  run.recordedBy,
  run.external?.id ?? null,
  run.external?.fingerprint ?? null,
  run.setAside === null ? null : access.dialect.moment(run.setAside.at),
  run.setAside?.by ?? null,
  run.setAside?.reason ?? null,
];

const testRunOf = (row: TestRunRow): TestRun => ({
  id: row.id,
  projectId: row.project_id,
  releaseId: row.release_id,
  suite: row.suite,
  total: row.total,
  passed: row.passed,
  failed: row.failed,
  skipped: row.skipped,
  commitSha: row.commit_sha,
  url: row.url,
  durationSeconds: row.duration_seconds,
  ranAt: row.ran_at,
  recordedAt: row.recorded_at,
  recordedBy: row.recorded_by,
  external: externalOf(row.external_id, row.external_fingerprint),
  setAside:
    row.set_aside_at === null
      ? null
      : { reason: row.set_aside_reason ?? '', by: row.set_aside_by ?? '', at: row.set_aside_at },
});

/** Selects test runs as `t`; callers may add conditions. */
const testRuns = (access: Access) =>
  query(access)
    .from('test_runs as t')
    .select<TestRunRow[]>(NAMES.map((name) => `t.${name}`));

/** The text that a search looks in, as `namesOfTestRun` makes it. */
const SEARCHED_TEXT =
  "(coalesce(t.suite, '') || ' ' || coalesce(t.commit_sha, '') || ' ' || coalesce(t.external_id, ''))";

const listing = (
  access: Access,
  { projectId, releaseId, suite, externalId, ran, text }: TestRunFilter,
  order: ListOrder,
): Listing => {
  const rows = testRuns(access).where('t.project_id', projectId);
  if (releaseId !== undefined) rows.where('t.release_id', releaseId);
  if (suite !== undefined) rows.where({ 't.suite': suite });
  if (externalId !== undefined) rows.where('t.external_id', externalId);
  if (ran !== undefined) rows.where('t.ran_at', '>=', access.dialect.moment(ran.from));
  whereHoldsWords(access, rows, SEARCHED_TEXT, text);
  const sort = [
    { name: 't.ran_at', kind: 'moment' },
    { name: 't.recorded_at', kind: 'moment' },
    { name: 't.id', kind: 'text' },
  ] as const;
  return { rows, before: ran?.to ?? null, sort, descending: order === 'newest-first' };
};

const keyOf = ({ ranAt, recordedAt, id }: RunOrder) => [ranAt, recordedAt, id];

interface TargetRow extends Omit<ReleaseRow, 'id'> {
  readonly place: number;
  readonly target_id: string;
  readonly team_id: string;
  readonly project_name: string;
  readonly verification: TestRunTarget['verification'];
  readonly id: string | null;
  readonly latest: string | null;
  readonly latest_of_suite: string | null;
  /** 1: the latest run of another suite is set aside; null, only on a cluster: all runs have to be searched for one. */
  readonly other_set_aside: number | null;
}

const orderOf = (text: string | null): RunOrder | null => {
  if (text === null) return null;
  const [ranAt, recordedAt, id] = JSON.parse(text) as [number, number, string];
  return { ranAt, recordedAt, id };
};

const targetOf = (row: TargetRow): TestRunTarget => ({
  project: { id: row.target_id, teamId: row.team_id, name: row.project_name },
  release: row.id === null ? null : releaseOf({ ...row, id: row.id }),
  verification: row.verification,
  latest: orderOf(row.latest),
  latestOfSuite: orderOf(row.latest_of_suite),
  otherSuiteSetAside: row.other_set_aside === 1,
});

/** On a cluster: placeholder for a run to search for, since the stored latest one came after its release shipped. */
const AMONG_RUNS = `'[]'::json`;

/** On a cluster: replaces the placeholders in the row; each search is one statement to the worker that has the runs. */
const withLateRuns = async (access: Access, row: TargetRow, suite: string | null): Promise<TargetRow> => {
  const look = async (kept: string | null, ofSuite: string | null): Promise<string | null> => {
    if (kept !== '[]' || row.id === null || row.shipped_at === null) return kept;
    const { jsonArray, milliseconds, moment } = access.dialect;
    const [run] = await access.read<{ readonly at: string }>(
      `select ${jsonArray}(${milliseconds('n.ran_at')}, ${milliseconds('n.recorded_at')}, n.id) as at from test_runs n
        where n.project_id = ? and n.release_id = ? and n.recorded_at < ? ${ofSuite === null ? '' : `and coalesce(n.suite, '') = ?`}
        order by n.ran_at desc, n.recorded_at desc, n.id desc limit 1`,
      [row.target_id, row.id, moment(row.shipped_at), ...(ofSuite === null ? [] : [ofSuite])],
    );
    return run?.at ?? null;
  };
  const lookForSetAside = async (): Promise<number | null> => {
    if (row.other_set_aside !== null || row.id === null) return row.other_set_aside;
    const found = await setAsideAmongRuns(access, row.target_id, [row.id]);
    return found.some((one) => one.suite !== (suite ?? '')) ? 1 : 0;
  };
  const [latest, latest_of_suite, other_set_aside] = await Promise.all([
    look(row.latest, null),
    look(row.latest_of_suite, suite ?? ''),
    lookForSetAside(),
  ]);
  return { ...row, latest, latest_of_suite, other_set_aside };
};

const targets = async (access: Access, lookups: readonly TargetLookup[]) => {
  const { cluster, jsonArray, milliseconds, moment, rowset } = access.dialect;
  const asked = rowset('v', { place: 'integer', project_id: 'id', release_id: 'id', suite: 'text', at: 'moment' });
  const order = (run: string, id: string): string =>
    `${jsonArray}(${milliseconds(`${run}.ran_at`)}, ${milliseconds(`${run}.recorded_at`)}, ${id})`;
  const latest = (suite: string | null): string =>
    latestInTime('r', order, suite, cluster === null ? undefined : AMONG_RUNS);
  const isSetAside = (otherwise?: string): string => otherSuiteSetAside('r', 'v.suite', otherwise);
  const setAside =
    cluster === null
      ? `when ${isSetAside()} then 1`
      : `when ${isSetAside('false')} then 1 when ${isSetAside('true')} then null`;
  const found = await access.read<TargetRow>(
    `select v.place, p.id as target_id, p.team_id, p.name as project_name, o.verification, ${RELEASE_COLUMNS},
        ${latest(null)} as latest, ${latest('v.suite')} as latest_of_suite, case ${setAside} else 0 end as other_set_aside
      from ${asked.table} join projects p on p.id = v.project_id
        join policies o on o.project_id = p.id and o.version = p.policy_version
        left join releases r on r.project_id = p.id and r.id = coalesce(v.release_id,
          (select a.release_id from release_activations a where a.project_id = p.id and a.began_at <= v.at
            and (a.ended_at is null or a.ended_at > v.at) order by a.began_at desc limit 1),
          (select x.id from releases x where x.project_id = p.id and x.state = 'active'))`,
    asked.bindings(
      lookups.map(({ projectId, releaseId, suite, at = null }, place) => {
        return [place, projectId, releaseId, suite, at === null ? null : moment(at)];
      }),
    ),
    'test-run-targets',
  );
  const rows =
    cluster === null
      ? found
      : await Promise.all(found.map((row) => withLateRuns(access, row, lookups[row.place]?.suite ?? null)));
  const byPlace = new Map(rows.map((row) => [row.place, targetOf(row)]));
  return lookups.map((_, place) => byPlace.get(place));
};

/** On a cluster: groups the lookups, each with its index, by the project of its release; '' for an unknown release. */
const placesByProject = async (access: Access, lookups: readonly PreviousRunLookup[]) => {
  const rows = await query(access)
    .from('releases')
    .where(among(access, 'id', 'id', [...new Set(lookups.map(({ releaseId }) => releaseId))]))
    .select('id', 'project_id');
  const projects = new Map(rows.map(({ id, project_id }) => [id, project_id]));
  return groupedBy([...lookups.entries()], ([, { releaseId }]) => projects.get(releaseId) ?? '');
};

const before = async (access: Access, lookups: readonly PreviousRunLookup[]) => {
  const { cluster, moment, rowset } = access.dialect;
  const asked = rowset('v', {
    place: 'integer',
    release_id: 'id',
    ran_at: 'moment',
    recorded_at: 'moment',
    id: 'id',
    of_suite: 'integer',
    suite: 'text',
  });
  const ofProject = (run: string): string => (cluster === null ? '' : `${run}.project_id = ? and`);
  const sql = `select v.place, ${testRunColumns('t')} from ${asked.table} join releases r on r.id = v.release_id
      join test_runs t on ${ofProject('t')} t.id = (select n.id from test_runs n where ${ofProject('n')} n.release_id = v.release_id
        and (r.shipped_at is null or n.recorded_at < r.shipped_at)
        and (n.ran_at, n.recorded_at, n.id) < (v.ran_at, v.recorded_at, v.id)
        and (v.of_suite = 0 or coalesce(n.suite, '') = coalesce(v.suite, ''))
      order by n.ran_at desc, n.recorded_at desc, n.id desc limit 1)`;
  const bound = (places: Iterable<readonly [number, PreviousRunLookup]>): readonly Value[] =>
    asked.bindings(
      [...places].map(([place, { releaseId, ranAt, recordedAt, id, ofSuite, suite }]) => {
        return [place, releaseId, moment(ranAt), moment(recordedAt), id, ofSuite ? 1 : 0, suite];
      }),
    );
  type Found = TestRunRow & { readonly place: number };
  const all = async (): Promise<readonly Found[]> =>
    access.read<Found>(sql, bound(lookups.entries()), 'test-runs-before');
  const ofEach = async (): Promise<readonly Found[]> => {
    const byProject = await placesByProject(access, lookups);
    return rowsOfEach([...byProject.keys()].filter(Boolean), (id) =>
      access.read<Found>(sql, [...bound(byProject.get(id) ?? []), id, id], 'test-runs-before'),
    );
  };
  const rows = await (cluster === null ? all() : ofEach());
  const byPlace = new Map(rows.map((row) => [row.place, testRunOf(row)]));
  return lookups.map((_, place) => byPlace.get(place));
};

export const testRunStore = (access: Access): TestRunStore => ({
  byId: async (testRunId) => {
    const [row] = await rowsOfIds(access, [testRunId], () => testRuns(access).where('t.id', testRunId));
    return row && testRunOf(row);
  },
  byIds: async (testRunIds) => {
    const rows = await rowsOfIds(access, testRunIds, () =>
      testRuns(access).where(among(access, 't.id', 'id', testRunIds)),
    );
    return inRequestedOrder(testRunIds, rows.map(testRunOf), ({ id }) => id);
  },
  page: (filter, page, order = 'newest-first') =>
    keysetPage(access, listing(access, filter, order), page, testRunOf, keyOf),
  notCounted: async (projectId, verification, page) => {
    const all = listing(access, { projectId }, 'newest-first');
    if (access.dialect.cluster === null) all.rows.whereRaw(SUPERSEDED[verification]);
    else {
      const counting = await countingRuns(access, projectId, verification);
      all.rows.whereRaw(`(t.set_aside_at is not null or not (${access.dialect.among('t.id', 'id')}))`, [
        access.dialect.list(counting),
      ]);
    }
    return keysetPage(access, all, page, testRunOf, keyOf);
  },
  lastRecorded: (projectIds) =>
    lastMomentOfEach(
      access,
      (project) => `select t.recorded_at as at from test_runs t where t.project_id = ${project}
        order by t.ran_at desc, t.recorded_at desc, t.id desc limit 1`,
      projectIds,
    ),
  setAside: ({ id, releaseId }, setAside, changedAt) =>
    access.atomically(async (inside) => {
      const at = boundMoment(inside, setAside?.at ?? null);
      await query(inside)
        .from('test_runs')
        .where({ id })
        .update({ set_aside_at: at, set_aside_by: setAside?.by ?? null, set_aside_reason: setAside?.reason ?? null });
      await query(inside)
        .from('latest_test_runs')
        .where({ release_id: releaseId, test_run_id: id })
        .update({ set_aside: setAside === null ? 0 : 1 });
      await markRelease(inside, releaseId, testRunMove(id, changedAt, setAside === null ? 'restored' : 'set_aside'));
    }),
  targets: (lookups) => targets(access, lookups),
  before: (lookups) => before(access, lookups),
});
