import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Query } from '../../read-back/query.js';
import { type FaultLine, holds } from '../fault-programme.js';
import { type Asking, ask, meaningOf } from '../reporters/ask.js';
import type { Ledger } from '../reporters/ledger.js';
import { begin } from '../reporters/requests.js';
import type { Scene } from '../reporters/scene.js';

const AT_ONCE = 100;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** The id that was answered, after as many tries as the answers ask for. @throws Error on any other answer */
const idOf = async (agent: Agent, port: number, asking: Asking): Promise<string> => {
  for (;;) {
    const reply = await ask(agent, port, asking, PATIENCE_MS);
    const meaning = meaningOf(reply);
    if (meaning === 'stray') throw new Error(`A repeated request was answered ${reply.status}: ${reply.body}`);
    if (meaning === 'done') return (JSON.parse(reply.body) as { data: { id: string } }).data.id;
    await pause(PAUSE_MS);
  }
};

/** Sends the same request under the same key a hundred times at once, spread over the servers, again and again. */
export const repeatAtOnce = async (
  scene: Scene,
  ports: readonly number[],
  query: Query,
  ledger: Ledger,
  rounds: number,
): Promise<FaultLine> => {
  const agent = new Agent({ keepAlive: true });
  let [ids, rows] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const commit = randomBytes(20).toString('hex');
    const asking = begin(scene, commit);
    const answered = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => idOf(agent, ports[index % ports.length] ?? 0, asking)),
    );
    ledger.deployments.set(commit, { id: answered[0] ?? null, state: 'started' });
    ids += new Set(answered).size;
    const [found] = await query(`select count(*) as rows from deployments where commit_sha = '${commit}'`);
    rows += Number(found?.rows);
  }
  agent.destroy();
  return holds(
    `the same Idempotency-Key ${AT_ONCE} times at once on ${ports.length} processes, ${rounds} times over`,
    `${rows} records, ${ids} different ids answered`,
    `${rounds} records, ${rounds} ids`,
    rows === rounds && ids === rounds,
  );
};
