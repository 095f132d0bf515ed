// SQL by hand: every report runs these statements. The test runs of a batch are stored by one statement each for the runs and
// the latest ones.
import type { TestRun } from '@shipworthy/domain';
import type { ReportOutcome } from '@shipworthy/domain/ports';
import type { Access } from '../sql.js';
import { TEST_RUN_KINDS, testRunCells } from '../test-runs-sql.js';
import { knownExternals, type PlacedOf } from './keys-sql.js';

const NAMES = Object.keys(TEST_RUN_KINDS);

/**
 * Stores test runs of releases that are planned or active, and late runs (`allowClosedRelease`) of closed ones. Returns
 * the new runs and notes the outcome of each. The caller must hold the projects, so that no release is closed while its state is read.
 */
export const insertTestRuns = async (
  access: Access,
  entries: readonly PlacedOf<'test_run'>[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly TestRun[]> => {
  if (entries.length === 0) return [];
  const rowset = access.dialect.rowset('v', { ...TEST_RUN_KINDS, afterwards: 'integer' });
  // Sorted here, as a join may change the order: all transactions insert external ids in one order, so none deadlocks.
  const stored = await access.write<{ id: string }>(
    `insert into test_runs (${NAMES.join(', ')}) select ${NAMES.map((name) => `v.${name}`).join(', ')}
      from ${rowset.table} join releases r on r.id = v.release_id and r.project_id = v.project_id
        and (r.state in ('planned', 'active') or v.afterwards = 1)
      where true order by v.project_id, v.external_id on conflict do nothing returning id`,
    rowset.bindings(
      entries.map(({ entry }) => [...testRunCells(access, entry.testRun), entry.allowClosedRelease === true ? 1 : 0]),
    ),
    'insert-test-runs',
  );
  const created = new Set(stored.map(({ id }) => id));
  const fresh = entries.filter(({ entry }) => created.has(entry.testRun.id));
  for (const { place } of fresh) outcomes.set(place, { result: 'created' });
  await explain(
    access,
    entries.filter(({ entry }) => !created.has(entry.testRun.id)),
    outcomes,
  );
  const runs = fresh.map(({ entry }) => entry.testRun);
  await storeLatestRuns(access, runs);
  return runs;
};

const explain = async (
  access: Access,
  refused: readonly PlacedOf<'test_run'>[],
  outcomes: Map<number, ReportOutcome>,
): Promise<void> => {
  if (refused.length === 0) return;
  const known = await knownExternals(
    access,
    'test_runs',
    refused.map(({ entry }) => entry.testRun),
  );
  const asked = access.dialect.rowset('v', { id: 'id', project_id: 'id' });
  const there = await access.write<{ id: string }>(
    `select r.id from ${asked.table} join releases r on r.id = v.id and r.project_id = v.project_id`,
    asked.bindings(refused.map(({ entry }) => [entry.testRun.releaseId, entry.testRun.projectId])),
  );
  const closed = new Set(there.map(({ id }) => id));
  refused.forEach(({ place, entry: { testRun } }, index) => {
    const { releaseId } = testRun;
    const otherwise: ReportOutcome = closed.has(releaseId)
      ? { result: 'release_closed', releaseId }
      : { result: 'not_found' };
    outcomes.set(place, known[index] ?? otherwise);
  });
};

const laterRun = (a: TestRun, b: TestRun): TestRun => {
  if (a.ranAt !== b.ranAt) return a.ranAt > b.ranAt ? a : b;
  if (a.recordedAt !== b.recordedAt) return a.recordedAt > b.recordedAt ? a : b;
  return a.id > b.id ? a : b;
};

const storeLatestRuns = async (access: Access, runs: readonly TestRun[]): Promise<void> => {
  if (runs.length === 0) return;
  const latest = new Map<string, TestRun>();
  for (const run of runs) {
    const key = `${run.releaseId} ${run.suite ?? ''}`;
    const other = latest.get(key);
    latest.set(key, other === undefined ? run : laterRun(other, run));
  }
  const { moment, rowset } = access.dialect;
  const kinds = {
    release_id: 'id',
    suite: 'text',
    test_run_id: 'id',
    ran_at: 'moment',
    recorded_at: 'moment',
    total: 'integer',
    passed: 'integer',
    commit_sha: 'text',
    set_aside: 'integer',
  } as const;
  const columns = Object.keys(kinds);
  const rows = rowset('v', kinds);
  await access.write(
    `insert into latest_test_runs as l (${columns.join(', ')}) select ${columns.join(', ')} from ${rows.table} where true
      on conflict (release_id, suite) do update set ${columns
        .slice(2)
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}
        where (excluded.ran_at, excluded.recorded_at, excluded.test_run_id) > (l.ran_at, l.recorded_at, l.test_run_id)`,
    rows.bindings(
      [...latest.entries()]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, run]) => [
          run.releaseId,
          run.suite ?? '',
          run.id,
          moment(run.ranAt),
          moment(run.recordedAt),
          run.total,
          run.passed,
          run.commitSha,
          run.setAside === null ? 0 : 1,
        ]),
    ),
    'keep-latest-test-runs',
  );
};
