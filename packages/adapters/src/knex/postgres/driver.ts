import pg from 'pg';
import { type RunTime, runTime } from '../../clock/run-time.js';
import { ConnectionLost } from '../errors.js';

/** How to reach a server; limits are in milliseconds of run time, instead of the driver's own. */
interface DriverOptions extends Omit<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> {
  /** Longest time for making a connection. */
  readonly connectMs: number;
  /** Longest time for an answer; without it answers are waited for. */
  readonly answerMs?: number;
}

/** The server said nothing in the time it had, in which this process ran and read. */
export class SilentServer extends ConnectionLost {
  override readonly name: string = 'SilentServer';
}

/** The driver's connection, as far as it is broken here. */
interface Broken {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

/**
 * The driver's client with limits in run time. The driver's own limits count the time of the clock: they would take a
 * server for silent whose answer this process was too busy to read.
 */
export class PatientClient extends pg.Client {
  readonly #options: DriverOptions;
  readonly #runTime: RunTime;

  constructor(options: DriverOptions, time = runTime) {
    super(options);
    this.#options = options;
    this.#runTime = time;
  }

  /** Makes the connection. Throws SilentServer when that takes too long. */
  async reach(): Promise<void> {
    await this.#unlessSilent(this.#options.connectMs, this.connect());
  }

  /** Carries out one statement. Throws SilentServer, and breaks the connection, when the answer does not come in time. */
  async ask<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const answer = this.query<Row>(statement, [...values]);
    const { answerMs } = this.#options;
    return (await (answerMs === undefined ? answer : this.#unlessSilent(answerMs, answer))).rows;
  }

  #unlessSilent<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
    return this.#runTime.within(ms, answer, () => {
      const silence = new SilentServer(`the server said nothing for ${ms} ms`);
      (this as unknown as Broken).connection.stream.destroy(silence);
      throw silence;
    });
  }
}
