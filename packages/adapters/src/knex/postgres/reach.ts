import { createRequire } from 'node:module';
import { DomainError } from '@shipworthy/domain';
import type pg from 'pg';
import { type RunTime, runTime } from '../../clock/run-time.js';
import { ConnectionLost, codeOf } from '../errors.js';

/** A connection that was made, and what it leads to. */
export interface Reached extends ServerState {
  readonly client: PatientClient;
  /** Host and port. */
  readonly place: string;
  /** The servers of the address that cannot be used; resolves when all were tried. */
  readonly unfit: Promise<readonly UnfitServer[]>;
}

/** For each value of `target_session_attrs`: why a server does not fit, in words; null: it fits. */
const UNFIT = {
  any: () => null,
  'read-write': ({ isReadOnly }: ServerState) => (isReadOnly ? 'only reads' : null),
  'read-only': ({ isReadOnly }: ServerState) => (isReadOnly ? null : 'takes changes'),
  primary: ({ isStandby }: ServerState) => (isStandby ? 'is a standby' : null),
  standby: ({ isStandby }: ServerState) => (isStandby ? null : 'is no standby'),
} as const satisfies Readonly<Record<string, (server: ServerState) => string | null>>;

type Wanted = keyof typeof UNFIT;

/** The address of a database: one server or several, and which kind of server may be used. */
export interface DatabaseAddress {
  /** One for each server, as the driver takes it. */
  readonly urls: readonly string[];
  readonly wanted: Wanted;
}

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>.*)$/s;
const ATTRIBUTE = /([?&])target_session_attrs=([^&#]*)(&?)/;

/**
 * Reads a connection string, `postgres://user:password@host1:5432,host2/name?target_session_attrs=read-write`, as libpq
 * does. DomainError `invalid` for any other text; its message quotes nothing of it but the parameter.
 * @param usual the kind of server for a url of one server, unless `target_session_attrs` names another
 * @param ofSeveral the kind of server for a url of several servers, unless it names another
 */
export const addressOf = (url: string, usual: Wanted = 'any', ofSeveral: Wanted = 'read-write'): DatabaseAddress => {
  const { scheme = '', user = '', hosts = '', rest = '' } = PARTS.exec(url)?.groups ?? {};
  const places = hosts.split(',');
  const named = ATTRIBUTE.exec(rest)?.[2];
  const wanted = named ?? (places.length > 1 ? ofSeveral : usual);
  if (!Object.hasOwn(UNFIT, wanted))
    throw new DomainError(
      'invalid',
      `target_session_attrs must be one of ${Object.keys(UNFIT).join(', ')}, not ${wanted}.`,
    );
  const behind = rest.replace(ATTRIBUTE, (_, before: string, __, after: string) => (after === '' ? '' : before));
  const urls = places.map((place) => `${scheme}${user}${place}${behind}`);
  if (scheme === '' || (places.length > 1 && places.includes('')) || !urls.every((each) => isReadable(each)))
    throw new DomainError(
      'invalid',
      'The address of a PostgreSQL database is postgres://user:password@host:port/name.',
    );
  return { urls, wanted: wanted as Wanted };
};

/**
 * Whether the driver can read the url. Without a host, as where the parameter `host` names a socket, it reads what the
 * URL standard refuses.
 */
const isReadable = (url: string): boolean =>
  URL.canParse(url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?(?=[/?#]|$)/, '$1localhost'));

/** No server of an address could be used; the message names the failure of each. */
export class Unreached extends ConnectionLost {
  override readonly name: string = 'Unreached';
  /** The code of the first failure that has one. */
  readonly code: string | undefined;
  /** Whether every server was silent until its time was over. */
  readonly isSilence: boolean;
  constructor(readonly failures: readonly UnfitServer[]) {
    super(failures.map(({ place, words }) => `${place}: ${words}`).join('; '));
    this.code = failures.map(({ cause }) => codeOf(cause)).find((code) => code !== undefined);
    this.isSilence = failures.every(({ cause }) => cause instanceof SilentServer);
  }
}

/** A server that cannot be used, and why. */
interface UnfitServer {
  /** Host and port. */
  readonly place: string;
  readonly words: string;
  readonly cause: unknown;
}

/** The words of a failure to connect; a host name with two addresses fails twice. */
const wordsOf = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(wordsOf))].join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
};

/**
 * Connects to a server of the address that fits. All are tried at the same time and the first that fits is taken, so
 * that a dead one costs no wait.
 * @param connect makes the client for the url of one server
 * @throws Unreached when no server fits
 */
export const reachServer = async (
  { urls, wanted }: DatabaseAddress,
  connect: (url: string) => PatientClient,
): Promise<Reached> => {
  const tries = urls.map(async (url): Promise<Omit<Reached, 'unfit'>> => {
    const client = connect(url);
    // Without a listener, an error would end the process. Later errors show in the state of the connection.
    client.on('error', () => {});
    const place = `${client.host}:${client.port}`;
    try {
      const server = await client.reach();
      const unfit = UNFIT[wanted](server);
      if (unfit !== null) throw new ConnectionLost(unfit);
      return { ...server, client, place };
    } catch (cause) {
      leave(client);
      throw new Unreached([{ place, words: wordsOf(cause), cause }]);
    }
  });
  try {
    const reached = await Promise.any(tries);
    for (const each of tries)
      each.then(
        ({ client }) => client !== reached.client && leave(client),
        () => {},
      );
    return { ...reached, unfit: failuresOf(tries) };
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    throw new Unreached((error.errors as readonly Unreached[]).flatMap(({ failures }) => failures));
  }
};

const failuresOf = async (tries: readonly Promise<unknown>[]): Promise<readonly UnfitServer[]> => {
  const ends = await Promise.allSettled(tries);
  return ends.flatMap((end) => (end.status === 'rejected' ? (end.reason as Unreached).failures : []));
};

/** Ends a connection that is not wanted; where it is broken, it may fail to end. */
const leave = (client: PatientClient): void => void client.end().catch(() => {});

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
  /** Longest time for an answer; missing: no limit. */
  readonly answerMs?: number;
  /** Settings of the server; applied only to a connection without a pooler. */
  readonly session?: Readonly<Record<string, string | number>>;
}

/** The server did not answer within its limit of run time. */
class SilentServer extends ConnectionLost {
  override readonly name: string = 'SilentServer';
}

/** What a connection says about its server. */
interface ServerState {
  /** Whether a pooler is between: it invents process numbers, and may give each transaction another server process. */
  readonly isPooled: boolean;
  /** Whether the database belongs to a cluster of Citus. */
  readonly isCluster: boolean;
  /** Whether the server follows another one. */
  readonly isStandby: boolean;
  /** Whether transactions may only read there, as on every standby. */
  readonly isReadOnly: boolean;
}

/** The members of the driver's connection that its types leave out. */
interface DriverInternals {
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
    const isPooled = state.process !== (this as unknown as DriverInternals).processID;
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
      (this as unknown as DriverInternals).connection.stream.destroy(silence);
      throw silence;
    });
  }
}
