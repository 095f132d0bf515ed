import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Asking,
  askForReadiness,
  askServer,
  askToBegin,
  askToFinish,
  askToRecordTests,
  askToTick,
  BrokenOff,
  emptyLedger,
  type Ledger,
  meaningOf,
  type ReportedDeployment,
  type Scene,
  type ServerReply,
} from './requests.js';

/** The result of one try: an answer, or none because the connection broke. */
export interface Try {
  readonly asking: Asking;
  readonly reply: ServerReply | null;
  /** Why there is no reply; null where there is one. */
  readonly failure: BrokenOff | null;
}

interface ReportersOptions {
  readonly scene: Scene;
  /** The ports they report to, in turns; may change while they run. */
  readonly ports: readonly number[];
  readonly reporters: number;
  /** How long a reporter waits for an answer, in milliseconds. */
  readonly patienceMs: number;
  /** Pause before the same is tried again, in milliseconds. */
  readonly pauseMs: number;
  /** Whether each request has a connection of its own. */
  readonly freshConnections?: boolean;
  /** Is called with every try. */
  heard?(tried: Try): void;
}

/** Reporters at work: each repeats what was not acknowledged, under the same key, until it is. */
export interface RunningReporters {
  readonly ledger: Ledger;
  /** Answers that no caller should get: neither done nor to be tried again. */
  readonly strays: readonly string[];
  /** Lets every reporter bring what it has in hand to its acknowledgement. @throws Error when one cannot within the time */
  stop(withinMs: number): Promise<void>;
}

const idIn = (body: string): string => (JSON.parse(body) as { data: { id: string } }).data.id;

/** Sets reporters to work. */
export const startReporters = (options: ReportersOptions): RunningReporters => {
  const { scene, ports, reporters, patienceMs, pauseMs, heard } = options;
  const ledger = emptyLedger();
  const strays: string[] = [];
  const agent = new Agent({ keepAlive: options.freshConnections !== true });
  let isStopping = false;
  let isGivenUp = false;
  let turn = 0;

  const tried = async (asking: Asking): Promise<ServerReply | null> => {
    turn += 1;
    const port = ports[turn % ports.length] ?? 0;
    let failure: BrokenOff | null = null;
    const reply = await askServer(agent, port, asking, patienceMs).catch((error: unknown) => {
      if (!(error instanceof BrokenOff)) throw error;
      failure = error;
      return null;
    });
    heard?.({ asking, reply, failure });
    return reply;
  };
  /** The body of the acknowledgement; null when none can be got. */
  const persist = async (asking: Asking): Promise<string | null> => {
    while (!isGivenUp) {
      const reply = await tried(asking);
      const meaning = reply === null ? 'again' : meaningOf(reply);
      if (reply !== null && meaning === 'done') {
        ledger.acknowledged += asking.method === 'GET' ? 0 : 1;
        return reply.body;
      }
      if (reply !== null && meaning === 'stray') {
        strays.push(`${asking.method} ${asking.path}: ${reply.status} ${reply.body.slice(0, 300)}`);
        await pause(pauseMs);
        return null;
      }
      await pause(pauseMs);
    }
    return null;
  };

  const deploy = async (commit: string): Promise<void> => {
    const deployment: ReportedDeployment = { id: null, state: 'started' };
    ledger.deployments.set(commit, deployment);
    const begun = await persist(askToBegin(scene, commit));
    if (begun === null) return;
    deployment.id = idIn(begun);
    const end = commit.endsWith('0') ? 'failure' : 'success';
    if ((await persist(askToFinish(scene, deployment.id, end))) !== null) deployment.state = end;
  };
  const test = async (commit: string): Promise<void> => {
    ledger.testRuns.set(commit, null);
    const recorded = await persist(askToRecordTests(scene, commit, 90 + (commit.charCodeAt(0) % 10)));
    if (recorded !== null) ledger.testRuns.set(commit, idIn(recorded));
  };
  const report = async (itemId: string): Promise<void> => {
    for (let round = 0; !isStopping; round += 1) {
      const commit = randomBytes(20).toString('hex');
      await deploy(commit);
      await test(commit);
      const state = round % 2 === 0 ? 'done' : 'open';
      if ((await persist(askToTick(scene, itemId, state))) !== null) ledger.items.set(itemId, state);
      await persist(askForReadiness(scene));
    }
  };
  const working = Promise.all(scene.itemIds.slice(0, reporters).map(report));
  return {
    ledger,
    strays,
    stop: async (withinMs) => {
      isStopping = true;
      const timer = setTimeout(() => {
        isGivenUp = true;
      }, withinMs);
      await working;
      clearTimeout(timer);
      agent.destroy();
      if (isGivenUp) throw new Error(`Not everything was acknowledged within ${withinMs / 1_000} s.`);
    },
  };
};
