import { createRequire } from 'node:module';
import type pg from 'pg';
import { type RunTime, runTime } from '../../clock/run-time.js';
import { ConnectionLost, codeOf } from '../errors.js';

const findDriver = (): typeof pg | null => {
  try {
    return createRequire(import.meta.url)('pg') as typeof pg;
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
};

/** The driver where it is installed: a service on a SQLite file needs none. */
const installed = findDriver();

/** Returns the driver. Throws when it is not installed. */
export const postgresDriver = (): typeof pg => {
  if (installed === null) throw new Error('PostgreSQL needs the package pg, which is not installed.');
  return installed;
};

class MissingClient {
  constructor() {
    postgresDriver();
  }
}

const Client = installed?.Client ?? (MissingClient as unknown as typeof pg.Client);

/** How to reach a server; limits are in milliseconds of run time, instead of the driver's own. */
interface DriverOptions extends Omit<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> {
  /** Longest time for making a connection. */
  readonly connectMs: number;
  /** Longest time for an answer; without it answers are waited for. */
  readonly answerMs?: number;
  /** Settings of the server, which are kept on a connection that leads through no pooler. */
  readonly session?: Readonly<Record<string, string | number>>;
}

/** The server said nothing in the time it had, in which this process ran and read. */
export class SilentServer extends ConnectionLost {
  override readonly name: string = 'SilentServer';
}

/** What a connection tells of the server it leads to. */
export interface ServerState {
  /** Whether a pooler is between: it makes up process numbers, and may give each transaction another process of the server. */
  readonly isPooled: boolean;
  /** Whether the database belongs to a cluster of Citus. */
  readonly isCluster: boolean;
  /** Whether the server follows another one. */
  readonly isStandby: boolean;
  /** Whether transactions may only read there, as on every standby. */
  readonly isReadOnly: boolean;
}

/** The members of the driver's connection that its types leave out. */
interface Inside {
  /** The process of the server, as the server or a pooler named it. */
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

const STATE = `select pg_backend_pid() as process, pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only') = 'on' as is_read_only, to_regclass('pg_catalog.pg_dist_partition') is not null as is_cluster`;

interface StateRow {
  readonly process: number;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly is_cluster: boolean;
}

/**
 * The driver's client with limits in run time. The driver's own limits count the time of the clock: they would take a
 * server for silent whose answer this process was too busy to read.
 */
export class PatientClient extends Client {
  readonly #options: DriverOptions;
  readonly #runTime: RunTime;

  constructor(options: DriverOptions, time = runTime) {
    super(options);
    this.#options = options;
    this.#runTime = time;
  }

  /** Makes the connection, looks where it leads and makes its settings. Throws SilentServer when that takes too long. */
  reach(): Promise<ServerState> {
    return this.#unlessSilent(this.#options.connectMs, this.#reach());
  }

  async #reach(): Promise<ServerState> {
    await this.connect();
    const [state] = (await this.query<StateRow>(STATE)).rows;
    if (state === undefined) throw new ConnectionLost('the server did not say what it is');
    const isPooled = state.process !== (this as unknown as Inside).processID;
    const settings = Object.entries(this.#options.session ?? {});
    if (!isPooled && settings.length > 0)
      await this.query(
        `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`,
      );
    const { is_cluster: isCluster, is_standby: isStandby, is_read_only: isReadOnly } = state;
    return { isPooled, isCluster, isStandby, isReadOnly };
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
      (this as unknown as Inside).connection.stream.destroy(silence);
      throw silence;
    });
  }
}
