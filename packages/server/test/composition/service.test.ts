import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { memoryStores } from '@shipworthy/adapters/memory';
import { OPERATION_GROUPS, type Operation, operations } from '@shipworthy/client/contract';
import { type OfferedStores, SCOPES, STORE_GROUPS } from '@shipworthy/domain';
import { expect } from 'chai';
import { createShipworthyOn, type Shipworthy } from '../../src/composition/service.js';
import type { Routes } from '../../src/http/route.js';
import { createShipworthy } from '../../src/index.js';
import { serviceRoutes } from '../../src/service-routes.js';

/** A request on a connection that stays open, as pipelines and proxies keep them. */
const get = (agent: Agent, port: string, path: string) =>
  new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path }, (message) => {
      message.resume();
      message.once('end', () => resolve({ status: message.statusCode ?? 0, connection: message.headers.connection }));
    });
    sent.once('error', reject);
    sent.end();
  });

/** The status line, or why there is none, of a request on a connection that is being made when this returns. */
const statusOnOwnConnection = (port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => resolve(String(chunk).split('\r\n', 1)[0] ?? ''));
    socket.on('error', (error) => resolve(error.message));
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });

const make = (holds: Promise<void>, taken: () => void = () => undefined) => {
  const closed: string[] = [];
  const routes = (of: { service: Parameters<typeof serviceRoutes>[0] }) =>
    ({
      ...serviceRoutes(of.service),
      checkAlive: async () => {
        taken();
        await holds;
        return { status: 200, body: { status: 'ok' } };
      },
    }) as unknown as Routes;
  const shipworthy = createShipworthyOn(routes)({
    stores: memoryStores(),
    secretKey: randomBytes(32),
    closeStores: async () => void closed.push('stores'),
  });
  return { shipworthy, closed };
};

describe('closing the service', () => {
  it('answers what is in hand and what comes on open connections, then closes them and the stores', async () => {
    let release: () => void = () => undefined;
    const holds = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken: () => void = () => undefined;
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const { shipworthy, closed } = make(holds, () => taken());
    const { port } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
    const [busy, idle] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    expect((await get(idle, port, '/readyz')).connection).to.equal('keep-alive');
    const inHand = get(busy, port, '/livez');
    await isTaken;
    const closing = shipworthy.close();
    let late = await get(idle, port, '/readyz');
    while (late.status === 200) late = await get(idle, port, '/readyz');
    expect(late).to.deep.equal({ status: 503, connection: 'close' });
    expect(closed).to.deep.equal([]);
    expect(await get(new Agent(), port, '/livez').catch((error: Error) => error.message)).to.match(/ECONNREFUSED/);
    release();
    expect(await inHand).to.deep.equal({ status: 200, connection: 'close' });
    await closing;
    await shipworthy.close();
    expect(closed).to.deep.equal(['stores']);
  });

  it('answers on connections that were made but not taken yet when it begins to close', async () => {
    const { shipworthy } = make(Promise.resolve());
    const { port } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
    const statuses = Array.from({ length: 30 }, () => statusOnOwnConnection(Number(port)));
    // Until the system has them, in this same turn of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await shipworthy.close();
    expect(new Set(await Promise.all(statuses))).to.deep.equal(new Set(['HTTP/1.1 200 OK']));
  });

  it('does not wait for connections on which nothing happens', async () => {
    const { shipworthy } = make(Promise.resolve());
    const { port } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
    await get(new Agent({ keepAlive: true }), port, '/livez');
    // Otherwise this would last until all is cut off.
    const longest = new Promise<string>((resolve) => setTimeout(resolve, 14_000, 'cut off').unref());
    expect(await Promise.race([shipworthy.close(), longest])).to.equal(undefined);
  });

  it('costs nothing when nothing was begun', async () => {
    await make(Promise.resolve()).shipworthy.close();
  });
});

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);

describe('the operations a replica may answer', () => {
  const marked = all.filter(([, { fromReplica }]) => fromReplica);

  it('are those that read more than a question to the primary costs', () => {
    const names =
      'search readPortfolio listAuditEntries exportAuditEntries listReleases listPolicyVersions previewPolicy listHistory readDifference';
    const more =
      'listAxisRows readAnalysis exportAnalysis exportReleases exportIssues exportDeployments exportTestRuns exportAxisReports exportWaivers listIssues listDeployments listTestRuns listAxisReports listNotCounted exportNotCounted exportAxisRows exportPolicyVersions exportDifference exportDeliveries';
    expect(marked.map(([id]) => id)).to.have.members(`${names} ${more} exportPortfolio listDeliveries`.split(' '));
  });

  it('change nothing', () => {
    for (const [id, { method, auth }] of marked) {
      if (id !== 'previewPolicy') expect(method, id).to.equal('GET');
      if (auth.kind === 'key') expect(auth.scope, id).to.equal('read');
    }
  });

  it('are none that a pipeline is let through by', () => {
    for (const id of [
      'readGate',
      'readReadiness',
      'readActiveReadiness',
      'askWhatIf',
      'readBadge',
      'checkReady',
    ] as const)
      expect(operations[id], id).to.not.have.property('fromReplica');
  });
});

describe('the operations that keep their idempotency key by themselves', () => {
  it('are the single reports, which honour one', () => {
    const marked = all.filter(([, { keepsKey }]) => keepsKey);
    expect(marked.map(([id]) => id)).to.have.members([
      ...['recordDeployment', 'recordTestRun', 'recordAxisReport', 'recordReleaseAxisReport'],
    ]);
    for (const [id, { idempotent }] of marked) expect(idempotent, id).to.equal(true);
  });
});

/** The core of the stores in memory, and none of the groups. */
const coreInMemory = (all: OfferedStores = memoryStores()): OfferedStores => {
  const optional = new Set<string>([...Object.values(STORE_GROUPS).flat(), 'feed']);
  const core = Object.fromEntries(Object.entries(all).filter(([name]) => !optional.has(name)));
  return {
    ...(core as unknown as OfferedStores),
    transaction: (work, by) => all.transaction((it) => work(coreInMemory(it)), by),
  };
};

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const ADMINISTRATOR = {
  kind: 'session',
  id: 'session-1',
  userId: ID,
  name: 'Ada',
  scopes: SCOPES,
  roles: new Map([[ID, 'owner'] as const]),
  administrator: true,
  expiresAt: Date.UTC(2100, 0),
} as const;

describe('a service with the core of the stores alone', () => {
  let shipworthy: Shipworthy;
  let url = '';
  const call = ({ method, path }: Operation, headers: Record<string, string> = {}) =>
    fetch(url + path.replace(/\{\w+\}/g, ID), { method, headers: { origin: url, ...headers } });
  const problemOf = async (answer: Response): Promise<unknown> => {
    const { type, detail } = (await answer.json()) as { readonly type: string; readonly detail: string };
    return [answer.status, type.split('/').at(-1), detail];
  };

  before(async () => {
    const stores = coreInMemory();
    const account = { email: 'ada@example.org', emailVerified: true, disabledAt: null, createdAt: 1 };
    await stores.users.create({ id: ID, name: 'Ada', administrator: true, ...account }, 'hash');
    const team = { id: ID, name: 'Payments', slug: 'payments', demo: false, version: 1, createdAt: 1 };
    await stores.teams.create(team, { teamId: ID, userId: ID, role: 'owner', createdAt: 1 });
    shipworthy = createShipworthy({
      stores,
      secretKey: randomBytes(32),
      requestsPerMinute: null,
      authenticate: async ({ headers }) => (headers['x-user'] === 'ada' ? ADMINISTRATOR : null),
    });
    url = (await shipworthy.listen({ host: '127.0.0.1', port: 0 })).origin;
  });
  after(() => shipworthy.close());

  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const { group, auth } = operation;
    if (group === undefined) continue;
    it(`refuses ${id} once it knows who asks`, async () => {
      const refusal = [501, 'not-offered', `This service has no stores of the group ${group}.`];
      expect(await problemOf(await call(operation, { 'x-user': 'ada' }))).to.deep.equal(refusal);
      const asked = auth.kind === 'session' || auth.kind === 'key';
      expect((await call(operation)).status).to.equal(asked ? 401 : 501);
    });
  }

  it('says so, and answers everything else', async () => {
    const { data } = (await (await call(operations.readAbout)).json()) as {
      readonly data: { readonly not_offered: readonly string[] };
    };
    expect([...data.not_offered].sort()).to.deep.equal([...OPERATION_GROUPS].sort());
    for (const operation of Object.values<Operation>(operations)) {
      if (operation.group !== undefined) continue;
      const { status } = await call(operation, { 'x-user': 'ada' });
      expect(status, operation.path).to.be.below(500);
    }
  });

  it('is not made with options that need more', () => {
    const made = (options: Partial<Parameters<typeof createShipworthy>[0]>) => () =>
      createShipworthy({ stores: coreInMemory(), secretKey: randomBytes(32), ...options });
    expect(made({ keepRecordsDays: 30 })).to.throw(TypeError, 'the group retention');
    expect(made({ repositoryHost: {} as never })).to.throw(TypeError, 'the group host');
    expect(made({ keepRecordsDays: null })).not.to.throw();
  });
});
