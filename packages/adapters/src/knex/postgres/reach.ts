import { DomainError } from '@shipworthy/domain';
import { ConnectionLost, codeOf } from '../errors.js';
import { type PatientClient, type ServerState, SilentServer } from './driver.js';

/** A connection that was made, and what it leads to. */
export interface Reached extends ServerState {
  readonly client: PatientClient;
  /** Host and port. */
  readonly place: string;
  /** The servers of the address that cannot be used; resolves when all were tried. */
  readonly unfit: Promise<readonly UnfitServer[]>;
}

/** For each value of `target_session_attrs` what a server that does not fit is called; null: it fits. */
const UNFIT = {
  any: () => null,
  'read-write': ({ isReadOnly }: ServerState) => (isReadOnly ? 'only reads' : null),
  'read-only': ({ isReadOnly }: ServerState) => (isReadOnly ? null : 'takes changes'),
  primary: ({ isStandby }: ServerState) => (isStandby ? 'is a standby' : null),
  standby: ({ isStandby }: ServerState) => (isStandby ? null : 'is no standby'),
} as const satisfies Readonly<Record<string, (server: ServerState) => string | null>>;

type Wanted = keyof typeof UNFIT;

/** Where a database is: on any of several servers, of which one fits. */
export interface DatabaseAddress {
  /** One for each server, as the driver takes it. */
  readonly urls: readonly string[];
  readonly wanted: Wanted;
}

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>.*)$/s;
const ATTRIBUTE = /([?&])target_session_attrs=([^&#]*)(&?)/;

/**
 * The servers of a connection string, `postgres://user:password@host1:5432,host2/name?target_session_attrs=read-write`, as
 * libpq reads it. Without the parameter one server is taken for what is `usual`, and of several one that takes changes.
 * DomainError `invalid` where it is no such string; its message holds no part of it but the parameter.
 */
export const addressOf = (url: string, usual: Wanted = 'any'): DatabaseAddress => {
  const { scheme = '', user = '', hosts = '', rest = '' } = PARTS.exec(url)?.groups ?? {};
  const places = hosts.split(',');
  const named = ATTRIBUTE.exec(rest)?.[2];
  const wanted = named ?? (places.length > 1 ? 'read-write' : usual);
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

/** Without a host, as where the parameter `host` names a socket, the driver reads what the URL standard refuses. */
const isReadable = (url: string): boolean =>
  URL.canParse(url.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?(?=[/?#]|$)/, '$1localhost'));

/** No server of an address could be used; the message says of each why. */
export class Unreached extends ConnectionLost {
  override readonly name: string = 'Unreached';
  /** The code of the first failure that has one. */
  readonly code: string | undefined;
  /** Whether all of them said nothing in the time they had. */
  readonly isSilence: boolean;
  constructor(readonly failures: readonly UnfitServer[]) {
    super(failures.map(({ place, words }) => `${place}: ${words}`).join('; '));
    this.code = failures.map(({ cause }) => codeOf(cause)).find((code) => code !== undefined);
    this.isSilence = failures.every(({ cause }) => cause instanceof SilentServer);
  }
}

/** A server that cannot be used, and why. */
export interface UnfitServer {
  /** Host and port. */
  readonly place: string;
  readonly words: string;
  readonly cause: unknown;
}

/** The words of a failure to connect; a name that leads to two addresses fails twice. */
const wordsOf = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(wordsOf))].join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
};

/**
 * Connects to a server of the address that fits. All are tried at the same time and the first that fits is taken, so that a
 * dead one costs no wait. @throws Unreached when there is none
 * @param connect makes the client for the url of one server
 */
export const reachServer = async (
  { urls, wanted }: DatabaseAddress,
  connect: (url: string) => PatientClient,
): Promise<Reached> => {
  const tries = urls.map(async (url): Promise<Omit<Reached, 'unfit'>> => {
    const client = connect(url);
    // Later errors are seen by the state of the connection.
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
