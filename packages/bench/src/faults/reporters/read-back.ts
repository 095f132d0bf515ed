import { Agent } from 'node:http';
import type { Query } from '../../read-back/query.js';
import { countedDeployments } from '../../read-back/stored-deployments.js';
import { type FaultLine, holds } from '../fault-programme.js';
import { ask } from './ask.js';
import type { Ledger } from './ledger.js';
import { differencesFromRows, type ReportWords } from './recomputed.js';
import { readReadiness } from './requests.js';
import type { Scene } from './scene.js';

const PATIENCE_MS = 20_000;
const number = (count: number): string => count.toLocaleString('en-US');

interface Stored {
  readonly id: string;
  readonly commit: string;
  readonly status: string;
}

const storedIn = async (query: Query, table: string, projectId: string, status: string): Promise<readonly Stored[]> => {
  const rows = await query(
    `select id, commit_sha, ${status} as status from ${table} where project_id = '${projectId}'`,
  );
  return rows.map((row) => ({ id: String(row.id), commit: String(row.commit_sha), status: String(row.status) }));
};

const readReport = async (port: number, scene: Scene): Promise<ReportWords> => {
  const agent = new Agent();
  const { status, body } = await ask(agent, port, readReadiness(scene), PATIENCE_MS).finally(() => agent.destroy());
  if (status !== 200) throw new Error(`The report was answered ${status}: ${body}`);
  return (JSON.parse(body) as { data: ReportWords }).data;
};

/** Everything acknowledged and everything stored, held against each other past the server; then its counts and its report. */
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

  const rowsById = new Map([...deployments, ...testRuns].map((row) => [row.id, row]));
  const states = new Map(items.map(({ id, state }) => [String(id), String(state)]));
  let [acknowledged, found, states_, statesFound] = [0, 0, 0, 0];
  for (const [commit, { id, state }] of ledger.deployments) {
    if (id === null) continue;
    acknowledged += 1;
    const row = rowsById.get(id);
    if (row?.commit === commit) found += 1;
    states_ += 1;
    // What was sent last may have been carried out without an answer, never the other way round.
    if (row !== undefined && (row.status === state || state === 'started')) statesFound += 1;
  }
  for (const [commit, id] of ledger.testRuns) {
    if (id === null) continue;
    acknowledged += 1;
    if (rowsById.get(id)?.commit === commit) found += 1;
  }
  for (const [id, state] of ledger.items) {
    states_ += 1;
    if (states.get(id) === state) statesFound += 1;
  }
  const twice = [deployments, testRuns]
    .map((rows) => rows.length - new Set(rows.map(({ commit }) => commit)).size)
    .reduce((sum, count) => sum + count, 0);
  const unknown =
    deployments.filter(({ commit }) => !ledger.deployments.has(commit)).length +
    testRuns.filter(({ commit }) => !ledger.testRuns.has(commit)).length;
  const keyed = deployments.length + testRuns.length;
  const counted = await countedDeployments(query, scene.project.id).catch((error: Error) => error.message);
  const differences = await differencesFromRows(query, scene, await readReport(port, scene));
  return [
    holds(
      'acknowledged records found again',
      `${number(found)} of ${number(acknowledged)}`,
      'all',
      found === acknowledged && found > 0,
    ),
    holds('records stored twice', number(twice), '0', twice === 0),
    holds('records stored that nobody reported', number(unknown), '0', unknown === 0),
    holds(
      'acknowledged ends and ticks as they were acknowledged',
      `${number(statesFound)} of ${number(states_)}`,
      'all',
      statesFound === states_,
    ),
    holds(
      'answers remembered under their keys',
      `${number(Number(remembered?.rows))} of ${number(keyed)}`,
      'one per record',
      Number(remembered?.rows) === keyed,
    ),
    holds(
      'kept counts against rows',
      typeof counted === 'number' ? `${number(counted)} both` : counted,
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
