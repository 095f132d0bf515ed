import { Agent } from 'node:http';
import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '@shipworthy/domain/readiness';
import { countWords } from '../../page/table.js';
import { countedDeployments, type Query } from '../../read-back.js';
import { type FaultLine, holds } from '../fault-programme.js';
import { askForReadiness, askServer, type Ledger, type Scene } from './requests.js';

/** A deployment or test run as the database holds it. */
interface StoredReport {
  readonly id: string;
  readonly commit: string;
  readonly status: string;
}

/** The records in the database. */
export interface Stored {
  readonly deployments: readonly StoredReport[];
  readonly testRuns: readonly StoredReport[];
  /** State of each checklist item, by its id. */
  readonly items: ReadonlyMap<string, string>;
  /** How many answers are remembered under idempotency keys. */
  readonly remembered: number;
}

interface Agreed {
  acknowledged: number;
  found: number;
}

const doubled = (rows: readonly StoredReport[]): number => rows.length - new Set(rows.map(({ commit }) => commit)).size;

const recordsFound = (ledger: Ledger, rows: ReadonlyMap<string, StoredReport>): Agreed => {
  const agreed: Agreed = { acknowledged: 0, found: 0 };
  const look = (commit: string, id: string | null): void => {
    if (id === null) return;
    agreed.acknowledged += 1;
    if (rows.get(id)?.commit === commit) agreed.found += 1;
  };
  for (const [commit, { id }] of ledger.deployments) look(commit, id);
  for (const [commit, id] of ledger.testRuns) look(commit, id);
  return agreed;
};

const statesFound = (
  ledger: Ledger,
  rows: ReadonlyMap<string, StoredReport>,
  items: ReadonlyMap<string, string>,
): Agreed => {
  const agreed: Agreed = { acknowledged: 0, found: 0 };
  const look = (isSo: boolean): void => {
    agreed.acknowledged += 1;
    if (isSo) agreed.found += 1;
  };
  // An end may have been carried out without an answer; one that was acknowledged must be there.
  for (const { id, state } of ledger.deployments.values())
    if (id !== null && state !== 'started') look(rows.get(id)?.status === state);
  for (const [id, state] of ledger.items) look(items.get(id) === state);
  return agreed;
};

const all = (what: string, { acknowledged, found }: Agreed): FaultLine =>
  holds(what, `${countWords(found)} of ${countWords(acknowledged)}`, 'all', found === acknowledged && acknowledged > 0);

const none = (what: string, count: number): FaultLine => holds(what, countWords(count), '0', count === 0);

/** Compares what callers were told with what is stored. */
export const compare = (ledger: Ledger, stored: Stored): readonly FaultLine[] => {
  const { deployments, testRuns, items, remembered } = stored;
  const rows = new Map([...deployments, ...testRuns].map((row) => [row.id, row]));
  const unknown = [
    ...deployments.filter(({ commit }) => !ledger.deployments.has(commit)),
    ...testRuns.filter(({ commit }) => !ledger.testRuns.has(commit)),
  ];
  const keyed = deployments.length + testRuns.length;
  return [
    all('acknowledged records found again', recordsFound(ledger, rows)),
    none('records stored twice', doubled(deployments) + doubled(testRuns)),
    none('stored records that no reporter sent', unknown.length),
    all('acknowledged ends and ticks as they were acknowledged', statesFound(ledger, rows, items)),
    holds(
      'answers remembered under their keys',
      `${countWords(remembered)} of ${countWords(keyed)}`,
      'one per record',
      remembered === keyed,
    ),
  ];
};

/** The members of a report that follow from counts. */
interface ReportWords {
  readonly as_of: string;
  readonly score: number | null;
  readonly axes: readonly { readonly axis: string; readonly facts: Readonly<Record<string, unknown>> }[];
  readonly gate: { readonly decision: string };
}

const countBy = (rows: readonly Readonly<Record<string, unknown>>[], column: string, value: string): number =>
  rows.filter((row) => row[column] === value).reduce((sum, { rows: count }) => sum + Number(count), 0);

/** The facts of a release, counted anew in the rows themselves. */
const factsInRows = async (query: Query, { project }: Scene, asOf: number): Promise<ReleaseFacts> => {
  const deployments = await query(`
    select status, count(*) as rows from deployments where project_id = '${project.id}' group by status`);
  const issues = await query(`
    select type, state, count(*) as rows from issues
    where release_id = '${project.releaseId}' and state <> 'canceled' group by type, state`);
  const items = await query(`
    select state, count(*) as rows from checklist_items
    where release_id = '${project.releaseId}' and removed_at is null
      and (state <> 'not_applicable' or confirmed_at is null) group by state`);
  const [latest] = await query(`
    select passed, total from test_runs where release_id = '${project.releaseId}'
    order by ran_at desc, recorded_at desc, id desc limit 1`);
  const all = (rows: readonly Readonly<Record<string, unknown>>[]): number =>
    rows.reduce((sum, { rows: count }) => sum + Number(count), 0);
  const bugs = issues.filter(({ type }) => type === 'bug');
  const resolved = countBy(bugs, 'state', 'done');
  const open = all(bugs) - resolved;
  return {
    scope: { done: countBy(issues, 'state', 'done'), total: all(issues) },
    quality: { resolved, total: all(bugs), open: { critical: 0, major: 0, minor: 0, unspecified: open } },
    ops: { done: countBy(items, 'state', 'done'), total: all(items), openItems: [] },
    verification: latest
      ? {
          passed: Number(latest.passed),
          total: Number(latest.total),
          ranAt: asOf,
          suite: null,
          commitSha: null,
          runs: 1,
        }
      : null,
    stability: {
      succeeded: countBy(deployments, 'status', 'success'),
      failed: countBy(deployments, 'status', 'failure'),
      inProgress: countBy(deployments, 'status', 'started'),
    },
  };
};

/** Where the report differs from one computed from the rows; empty when it does not. */
const differencesFromRows = async (query: Query, scene: Scene, report: ReportWords): Promise<readonly string[]> => {
  const asOf = Date.parse(report.as_of);
  const facts = await factsInRows(query, scene, asOf);
  const { score, gate } = assessRelease(facts, DEFAULT_POLICY, asOf);
  const of = (axis: string): Readonly<Record<string, unknown>> =>
    report.axes.find((reading) => reading.axis === axis)?.facts ?? {};
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['score', report.score, score],
    ['decision', report.gate.decision, gate.decision],
    ['issues done', of('scope').done, facts.scope.done],
    ['issues', of('scope').total, facts.scope.total],
    ['bugs resolved', of('quality').resolved, facts.quality.resolved],
    ['items done', of('ops').done, facts.ops.done],
    ['tests passed', of('verification').passed, facts.verification?.passed],
    ['deployments succeeded', of('stability').succeeded, facts.stability.succeeded],
    ['deployments failed', of('stability').failed, facts.stability.failed],
    ['deployments in progress', of('stability').in_progress, facts.stability.inProgress],
  ];
  return pairs
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what} ${String(found)} instead of ${String(wanted)}`);
};

const PATIENCE_MS = 20_000;

const storedIn = async (
  query: Query,
  table: string,
  projectId: string,
  status: string,
): Promise<readonly StoredReport[]> => {
  const rows = await query(
    `select id, commit_sha, ${status} as status from ${table} where project_id = '${projectId}'`,
  );
  return rows.map((row) => ({ id: String(row.id), commit: String(row.commit_sha), status: String(row.status) }));
};

const readReport = async (port: number, scene: Scene): Promise<ReportWords> => {
  const agent = new Agent();
  const { status, body } = await askServer(agent, port, askForReadiness(scene), PATIENCE_MS).finally(() =>
    agent.destroy(),
  );
  if (status !== 200) throw new Error(`The report was answered ${status}: ${body}`);
  return (JSON.parse(body) as { data: ReportWords }).data;
};

/** Compares everything acknowledged with the rows in the database, then checks the server's counts and its report. */
export const readBack = async (
  query: Query,
  port: number,
  scene: Scene,
  ledger: Ledger,
): Promise<readonly FaultLine[]> => {
  const deployments = await storedIn(query, 'deployments', scene.project.id, 'status');
  const testRuns = await storedIn(query, 'test_runs', scene.project.id, `'recorded'`);
  const items = await query(`select id, state from checklist_items where release_id = '${scene.project.releaseId}'`);
  const [remembered] = await query('select count(*) as rows from idempotency where status is not null');
  const ofOthers = async (table: string): Promise<number> => {
    const [found] = await query(`select count(*) as rows from ${table} where project_id <> '${scene.project.id}'`);
    return Number(found?.rows);
  };

  const lines = compare(ledger, {
    deployments,
    testRuns,
    items: new Map(items.map(({ id, state }) => [String(id), String(state)])),
    remembered: Number(remembered?.rows) - (await ofOthers('deployments')) - (await ofOthers('test_runs')),
  });
  const counted = await countedDeployments(query, scene.project.id).catch((error: Error) => error.message);
  const differences = await differencesFromRows(query, scene, await readReport(port, scene));
  return [
    ...lines,
    holds(
      'kept counts against rows',
      typeof counted === 'number' ? `${countWords(counted)} both` : counted,
      'equal',
      counted === deployments.length,
    ),
    holds(
      'report against one computed from the rows',
      differences.length === 0 ? 'equal' : differences.join(', '),
      'equal',
      differences.length === 0,
    ),
  ];
};
