import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { memoryStores } from '@shipworthy/adapters/memory';
import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { createShipworthyOn } from '../../src/composition/service.js';
import type { Routes } from '../../src/http/route.js';
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
      'readPortfolio listAuditEntries listReleases listPolicyVersions previewPolicy listHistory readDifference';
    const more = 'listAxisRows readAnalysis exportAnalysis listIssues listDeployments listTestRuns listNotCounted';
    expect(marked.map(([id]) => id)).to.have.members(`${names} ${more} listDeliveries`.split(' '));
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
    expect(marked.map(([id]) => id)).to.have.members(['recordDeployment', 'recordTestRun']);
    for (const [id, { idempotent }] of marked) expect(idempotent, id).to.equal(true);
  });
});
