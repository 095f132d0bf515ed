import { type RunTime, runTime } from '../../clock/run-time.js';
import { type DatabaseAddress, PatientClient, reachServer } from './reach.js';

/** How long an answer may take, in milliseconds, before the server is asked on a new connection whether it is still there. */
export const PATIENCE_MS = 750;
/** How long a lost server is left alone between two tries, in milliseconds. */
const PAUSE_MS = 250;

/** The present work of server processes. */
interface Processes {
  /** At work, or waiting for locks. */
  readonly working: ReadonlySet<number>;
  /** Of those, the ones that wait for a process of another program, directly or through others. */
  readonly stuck: ReadonlySet<number>;
}

/** Asks the server on a new connection; every method rejects when that cannot be done soon. */
export interface Probe {
  /** Reads the work of these processes; null through a pooler, which hides the server's processes. */
  look(processes: readonly number[]): Promise<Processes | null>;
  /** Ends the statements of processes. */
  cancel(processes: readonly number[]): Promise<void>;
  /** Ends processes, so that they do not hold what others wait for. */
  end(processes: readonly number[]): Promise<void>;
}

/** A statement that was sent and not answered yet. */
interface Waiting {
  isLate: boolean;
  /** The process of the server that works on it. */
  readonly process: number;
  /** Breaks the connection; every statement that waits on it fails. */
  giveUp(): void;
}

/**
 * Watches the connections of a pool for a server that falls silent because the network path was cut without notice. All its
 * times are run time: a process that was paused has unread answers, and must not take the server for silent because of the
 * pause.
 *
 * When an answer is late and a new connection fails too, the server is lost: all waiting statements fail, and new ones fail at
 * once until it is reached again. When a new connection succeeds and the server does not work on the statement, the network has
 * dropped that connection, and perhaps all older ones. A statement that waits for a lock of another program, which may hold it
 * for ever, is ended. A statement that is only slow, or waits for one of ours, is left to its own limit.
 */
export class SilenceWatch {
  readonly #probe: Probe;
  readonly #runTime: RunTime;
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;
  #heardAt = 0;
  #isLost = false;
  #isEnded = false;
  #distrustedUntil = Number.NEGATIVE_INFINITY;

  constructor(probe: Probe, time = runTime) {
    this.#probe = probe;
    this.#runTime = time;
  }

  /** Whether the server is known to be out of reach. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether a connection made at that moment (of `performance.now()`) may still lead to the server. */
  trusts(madeAt: number): boolean {
    return !this.#isLost && madeAt > this.#distrustedUntil;
  }

  /** Waits for the answer of a server process; calls `giveUp` when no answer can come any more. */
  async watched<Answer>(answer: Promise<Answer>, process: number, giveUp: () => void): Promise<Answer> {
    const waiting: Waiting = { isLate: false, process, giveUp };
    this.#waiting.add(waiting);
    const stop = this.#runTime.after(PATIENCE_MS, () => {
      waiting.isLate = true;
      void this.#look();
    });
    if (this.#isLost) giveUp();
    try {
      const answered = await answer;
      this.#heardAt = performance.now();
      return answered;
    } finally {
      stop();
      this.#waiting.delete(waiting);
    }
  }

  /** Notes that a connection begun at that moment could not be made in time; the server is lost unless it answered since then. */
  suspect(begunAt: number): void {
    if (this.#heardAt < begunAt) this.#lose();
  }

  /** Trusts no connection that was made until now. */
  distrust(): void {
    this.#distrustedUntil = performance.now();
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Asks what the server does about late answers, and asks again after a while as long as any answer is late. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isLost || this.#isEnded) return;
    this.#isLooking = true;
    // Waits one microtask, so that statements that become late at the same moment share one look.
    await Promise.resolve();
    const late = [...this.#waiting].filter(({ isLate }) => isLate);
    if (late.length === 0) {
      this.#isLooking = false;
      return;
    }
    const begunAt = performance.now();
    try {
      const found = await this.#probe.look(late.map(({ process }) => process));
      // Waits a little, so that answers that have arrived already are read first.
      await this.#pause(PAUSE_MS);
      const waiting = late.filter((one) => this.#waiting.has(one));
      const stuck = waiting.filter(({ process }) => found?.stuck.has(process));
      if (waiting.some(({ process }) => found?.working.has(process) === false)) await this.#leave(waiting);
      else if (stuck.length > 0) await this.#probe.cancel(stuck.map(({ process }) => process));
    } catch {
      this.suspect(begunAt);
    }
    this.#runTime.after(PATIENCE_MS, () => {
      this.#isLooking = false;
      void this.#look();
    });
  }

  /**
   * Gives up all late connections when the server has forgotten one of them: the others are forgotten, too, or wait for each
   * other's locks.
   */
  async #leave(late: readonly Waiting[]): Promise<void> {
    this.distrust();
    for (const { giveUp } of late) giveUp();
    // The server does not notice that these connections were given up, so their processes are ended.
    await this.#probe.end(late.map(({ process }) => process));
  }

  #lose(): void {
    if (this.#isLost || this.#isEnded) return;
    this.#isLost = true;
    this.distrust();
    for (const { giveUp } of this.#waiting) giveUp();
    void this.#find();
  }

  async #find(): Promise<void> {
    while (this.#isLost && !this.#isEnded) {
      await this.#pause(PAUSE_MS);
      this.#isLost = await this.#probe.look([]).then(
        () => false,
        () => true,
      );
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#runTime.after(ms, resolve));
  }
}

/** The name of this program's connections at the server. */
export const CONNECTION_NAME = 'shipworthy';

/** How to reach a server, and how long making a connection may take, in milliseconds of run time. */
interface ProbeAddress {
  readonly address: DatabaseAddress;
  readonly connectMs: number;
}

const WORKING = `
  select pid from pg_stat_activity where pid = any($1) and state = 'active'`;
const STUCK = `
  with recursive waits as (
    select process, blocker from unnest($1::integer[]) as process, unnest(pg_blocking_pids(process)) as blocker
    union
    select process, next from waits, unnest(pg_blocking_pids(blocker)) as next)
  select distinct process as pid from waits
  where not exists (
    select from pg_stat_activity where pid = blocker and application_name = '${CONNECTION_NAME}')`;
const CANCEL = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any($1) and application_name = '${CONNECTION_NAME}' and wait_event_type = 'Lock'`;
const END = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and application_name = '${CONNECTION_NAME}'`;

type Ask = <Row extends object>(statement: string, processes: readonly number[]) => Promise<readonly Row[]>;

/** Runs the work on a connection of its own; each answer may take as long as making the connection. */
const asking = async <Result>(
  { address, connectMs }: ProbeAddress,
  work: (ask: Ask, isPooled: boolean) => Promise<Result>,
): Promise<Result> => {
  const options = { connectMs, answerMs: connectMs, application_name: `${CONNECTION_NAME}-probe` };
  const { client, isPooled } = await reachServer(
    address,
    (connectionString) => new PatientClient({ ...options, connectionString }),
  );
  try {
    const ask: Ask = <Row extends object>(statement: string, processes: readonly number[]) =>
      client.ask<Row>(statement, [processes]);
    return await work(ask, isPooled);
  } finally {
    void client.end().catch(() => {});
  }
};

const pidsIn = (rows: readonly { readonly pid: number }[]): ReadonlySet<number> => new Set(rows.map(({ pid }) => pid));

/** Probes of a server, each on a connection of its own. */
export const probeOf = (server: ProbeAddress): Probe => ({
  look: (processes) =>
    asking(server, async (ask, isPooled) => {
      // A pooler between this process and the server invents process numbers.
      if (isPooled) return null;
      const working = pidsIn(await ask<{ pid: number }>(WORKING, processes));
      return { working, stuck: pidsIn(await ask<{ pid: number }>(STUCK, processes)) };
    }),
  cancel: (processes) => asking(server, async (ask) => void (await ask(CANCEL, processes))),
  end: (processes) => asking(server, async (ask) => void (await ask(END, processes))),
});
