import { Agent } from 'node:http';
import { countWords } from '../../page/wording.js';
import type { Query } from '../../read-back/query.js';
import { countedDeployments } from '../../read-back/stored-deployments.js';
import { type FaultLine, holds } from '../fault-programme.js';
import { ask } from './ask.js';
import { compare, type StoredReport } from './compare.js';
import type { Ledger } from './ledger.js';
import { differencesFromRows, type ReportWords } from './recomputed.js';
import { readReadiness } from './requests.js';
import type { Scene } from './scene.js';

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

  const lines = compare(ledger, {
    deployments,
    testRuns,
    items: new Map(items.map(({ id, state }) => [String(id), String(state)])),
    remembered: Number(remembered?.rows),
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
