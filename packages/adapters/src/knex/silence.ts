/** Times in milliseconds. */
export interface WatchTimes {
  /** How long an answer may take before the server is asked on a new connection whether it is still there. */
  readonly patience: number;
  /** How often is looked for late answers, and how often a lost server is tried. */
  readonly tick: number;
}

const TIMES: WatchTimes = { patience: 750, tick: 250 };

/** What processes of the server are at. */
export interface Processes {
  /** At work, or waiting for locks. */
  readonly working: ReadonlySet<number>;
  /** Of those, the ones that wait in the end for somebody who is none of ours. */
  readonly stuck: ReadonlySet<number>;
}

/** Looks at the server on a new connection; all reject when that cannot be done soon. */
export interface Probe {
  /** What these processes are at; null where processes cannot be told apart. */
  look(processes: readonly number[]): Promise<Processes | null>;
  /** Ends the statements of processes. */
  cancel(processes: readonly number[]): Promise<void>;
  /** Ends processes, so that they do not hold what others wait for. */
  end(processes: readonly number[]): Promise<void>;
}

/** A statement that was sent and not answered yet. */
interface Waiting {
  readonly since: number;
  /** The process of the server that works on it. */
  readonly process: number;
  /** Breaks the connection, which fails whatever waits on it. */
  giveUp(): void;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

/**
 * Watches over the connections of a pool for a server that falls silent, whose way has been cut without a word.
 *
 * When an answer is late and the server cannot be reached anew either, it is lost: all that waits fails, and everything
 * else at once until it is reached again. When it can be reached and does not work on the statement, that connection
 * has been forgotten on the way, and so may have been all that were made before. A statement that waits for a lock
 * of somebody else's, who may hold it for ever, is ended. One that is merely slow, or waits for its turn among ours, is
 * left to its own limit.
 */
export class SilenceWatch {
  readonly #probe: Probe;
  readonly #times: WatchTimes;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookedAt = 0;
  #heardAt = 0;
  #isLost = false;
  #isEnded = false;
  #distrustedUntil = Number.NEGATIVE_INFINITY;

  constructor(probe: Probe, times = TIMES) {
    this.#probe = probe;
    this.#times = times;
  }

  /** Whether the server is known to be out of reach. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether a connection made at that moment (of `performance.now()`) may still lead to the server. */
  trusts(madeAt: number): boolean {
    return !this.#isLost && madeAt > this.#distrustedUntil;
  }

  /** Waits for an answer. */
  async watched<Answer>(answer: Promise<Answer>, process: number, giveUp: () => void): Promise<Answer> {
    const waiting: Waiting = { since: performance.now(), process, giveUp };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#tick(), this.#times.tick).unref();
    if (this.#isLost) giveUp();
    try {
      const answered = await answer;
      this.#heardAt = performance.now();
      return answered;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** A connection that was begun at that moment could not be made in time. */
  suspect(begunAt: number): void {
    if (this.#heardAt < begunAt) this.#lose();
  }

  end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (!this.#isLooking && !this.#isLost && this.#late().length > 0) {
      void this.#look();
    }
  }

  #late(): readonly Waiting[] {
    const now = performance.now();
    if (now - this.#lookedAt < this.#times.patience) return [];
    return [...this.#waiting].filter(({ since }) => now - since >= this.#times.patience);
  }

  async #look(): Promise<void> {
    const begunAt = performance.now();
    const late = this.#late();
    this.#isLooking = true;
    try {
      const found = await this.#probe.look(late.map(({ process }) => process));
      // An answer that is here already is read first.
      await pause(this.#times.tick);
      const waiting = late.filter((one) => this.#waiting.has(one));
      const stuck = waiting.filter(({ process }) => found?.stuck.has(process));
      if (waiting.some(({ process }) => found?.working.has(process) === false)) await this.#leave(waiting);
      else if (stuck.length > 0) await this.#probe.cancel(stuck.map(({ process }) => process));
    } catch {
      this.suspect(begunAt);
    }
    this.#isLooking = false;
    this.#lookedAt = performance.now();
  }

  /** Leaves connections of which one is known to be forgotten: the others that are late wait for each other's locks, if not for it. */
  async #leave(late: readonly Waiting[]): Promise<void> {
    this.#distrustedUntil = performance.now();
    for (const { giveUp } of late) giveUp();
    // Their processes do not hear that they were left.
    await this.#probe.end(late.map(({ process }) => process));
  }

  #lose(): void {
    if (this.#isLost || this.#isEnded) return;
    this.#isLost = true;
    this.#distrustedUntil = performance.now();
    for (const { giveUp } of this.#waiting) giveUp();
    void this.#find();
  }

  async #find(): Promise<void> {
    while (this.#isLost && !this.#isEnded) {
      await pause(this.#times.tick);
      this.#isLost = await this.#probe.look([]).then(
        () => false,
        () => true,
      );
    }
  }
}
