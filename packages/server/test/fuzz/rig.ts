import { createLog } from '../../src/observability/log.js';
import type { StoresToServe } from '../harness/openings.js';
import { SETUP, secretIn } from '../harness/people.js';
import { type Service, startService } from '../harness/service.js';
import { createTestClock } from '../harness/test-clock.js';
import { createTestHost, type TestHost } from '../harness/test-host.js';
import { createWorld } from '../harness/world.js';
import type { Scene } from './cast.js';
import { type Answer, type Connection, HOST, type Message, openConnection } from './connection.js';
import { type OpenApi, type Operation, operationsIn } from './description.js';
import { createOracle, type Oracle } from './oracle.js';
import { createTally, type Tally } from './tally.js';

/** A running service that was set up over HTTP, and all that is known of it. */
export interface Rig extends Scene {
  readonly service: Service;
  readonly forge: TestHost;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly oracle: Oracle;
  readonly tally: Tally;
  /** What the service logged as faults of its own. */
  readonly faults: string[];
  /** What was changed in the stores since it was asked last; null: changes are not watched. */
  readonly changes: (() => Promise<readonly string[]>) | null;
  connect(): Connection;
  close(): Promise<void>;
}

export interface Opened extends StoresToServe {
  readonly changes?: () => Promise<readonly string[]>;
}

const setUp = (connection: Connection): Promise<Answer> => {
  const body = Buffer.from(JSON.stringify(SETUP));
  const headers = [HOST, ['Content-Type', 'application/json'], ['Content-Length', String(body.length)]] as const;
  return connection.exchange({ method: 'POST', target: '/api/setup', headers, body });
};

export const startRig = async (stores: Opened): Promise<Rig> => {
  const faults: string[] = [];
  const log = createLog(
    'error',
    async (text) => void faults.push(...text.trim().split('\n')),
    () => 0,
  );
  const forge = createTestHost();
  // An import would change the stores during a refused request.
  forge.milestones.length = 0;
  const service = await startService(stores, { repositoryHost: forge.host, log, clock: createTestClock() });
  const port = Number(new URL(service.baseUrl).port);
  const connect = (): Connection => openConnection(port);
  const connection = connect();
  const read: Message = { method: 'GET', target: '/api/openapi.json', headers: [HOST], body: null };
  const document: OpenApi = JSON.parse((await connection.exchange(read)).text);
  const operations = new Map(operationsIn(document).map((operation) => [operation.id, operation]));
  const tally = createTally();
  const answer = await setUp(connection);
  tally.count('setUp', answer.status);
  connection.close();
  return {
    service,
    forge,
    world: createWorld(service.ports),
    administrator: { secret: secretIn(answer) },
    operations,
    oracle: createOracle(document),
    tally,
    faults,
    changes: stores.changes ?? null,
    connect,
    close: service.close,
  };
};
