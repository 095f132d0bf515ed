import { type Cursors, cursors } from '@shipworthy/adapters/crypto';
import type { Operation, OperationGroup } from '@shipworthy/client/contract';
import type { Clock, Ports } from '@shipworthy/domain/ports';
import { createCommonHeaders, type SetCommonHeaders } from './answer.js';
import {
  type Authenticate,
  createPrincipalCache,
  type DeviceCookie,
  deviceCookie,
  type FindPrincipal,
  ownOrigins,
  type PrincipalCache,
  type SessionCookie,
  sessionCookie,
} from './authentication.js';
import { basePathOf } from './base-path.js';
import { createEventStreams, type EventStreams } from './event-stream.js';
import { createRunningKeys, type RunningKeys } from './idempotency.js';
import {
  BATCHES_OF_ONE,
  createSharedTurns,
  createTurns,
  createTurnsOfPersons,
  createWorkInHand,
  READS_OF_ONE,
  type Shared,
} from './limits.js';
import { createRateLimit, type RateLimit } from './rate-limit.js';
import { type AnswerRoom, type BodyRoom, createAnswerRoom, createBodyRoom } from './room.js';
import { createVisibility } from './visibility.js';

/** What every operation's handler uses; made once per service. */
export interface RequestServices extends Shared {
  readonly ports: Ports;
  /** The ports that an operation's route uses. */
  readonly portsOf: (operation: Operation) => Ports;
  readonly clock: Clock;
  readonly principals: PrincipalCache;
  /** An embedding organisation's own authentication, instead of keys and sessions. */
  readonly authenticate: Authenticate | null;
  readonly rateLimit: RateLimit;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  /** The prefix of the service's own paths at its public address; empty at the root. */
  readonly basePath: string;
  readonly origins: ReadonlySet<string>;
  readonly visibility: ReturnType<typeof createVisibility>;
  readonly cursors: Cursors;
  readonly runningKeys: RunningKeys;
  readonly bodies: BodyRoom;
  readonly answers: AnswerRoom;
  /** The monotonic clock of the process, in milliseconds. */
  readonly monotonic: () => number;
  readonly setHeaders: SetCommonHeaders;
  readonly streams: EventStreams;
  /** The groups of operations that the service has no stores for. */
  readonly notOffered: ReadonlySet<OperationGroup>;
}

export interface RequestServicesOptions {
  readonly ports: Ports;
  /** Other ports for the routes of some operations; the same for all unless given. */
  readonly portsOf?: (operation: Operation) => Ports;
  /** Finds out whose a key or session is. */
  readonly findPrincipal: FindPrincipal;
  readonly authenticate: Authenticate | null;
  /** Public address of the service. */
  readonly baseUrl: URL;
  /** Requests per minute and key or session; null: not limited. */
  readonly requestsPerMinute: number | null;
  /** Bytes of bodies that are kept at once; 32 MiB unless given. */
  readonly mostBodyBytes?: number;
  /** Bytes of answers that wait to be read at once; 64 MiB unless given. */
  readonly mostAnswerBytes?: number;
  /** 32 bytes or more. */
  readonly secretKey: Uint8Array;
  /** Whether the service is shutting down: answers then close their connections. */
  readonly draining: () => boolean;
  /** The monotonic clock of the process, in milliseconds. */
  readonly monotonic: () => number;
  /** The groups of operations that the service has no stores for; none unless given. */
  readonly notOffered?: readonly OperationGroup[];
}

/** Creates the services. Their timers end with `work.stop()` and `streams.end()`. */
export const createRequestServices = (options: RequestServicesOptions): RequestServices => {
  const { ports, findPrincipal, authenticate, baseUrl, requestsPerMinute, secretKey, draining, monotonic } = options;
  const { clock } = ports;
  const rateLimit = createRateLimit(requestsPerMinute, clock);
  const setHeaders = createCommonHeaders({ rateLimit, clock, draining, secure: baseUrl.protocol === 'https:' });
  return {
    notOffered: new Set(options.notOffered),
    ports,
    portsOf: options.portsOf ?? (() => ports),
    clock,
    principals: createPrincipalCache(findPrincipal, clock),
    authenticate,
    rateLimit,
    sessionCookie: sessionCookie(baseUrl),
    deviceCookie: deviceCookie({ baseUrl, secretKey, clock, newId: ports.newId }),
    basePath: basePathOf(baseUrl),
    origins: ownOrigins(baseUrl),
    visibility: createVisibility(ports),
    cursors: cursors(secretKey),
    runningKeys: createRunningKeys(),
    work: createWorkInHand(monotonic),
    bodies: createBodyRoom(options.mostBodyBytes),
    answers: createAnswerRoom(options.mostAnswerBytes),
    batchTurns: createTurnsOfPersons(BATCHES_OF_ONE, createTurns()),
    readTurns: createTurnsOfPersons(READS_OF_ONE),
    changeTurns: createSharedTurns(),
    questionTurns: createSharedTurns(),
    monotonic,
    setHeaders,
    streams: createEventStreams(setHeaders, monotonic),
  };
};
