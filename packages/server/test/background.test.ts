import { memoryStores } from '@shipworthy/adapters/memory';
import { type Deployment, DomainError, type StoresWithFeed } from '@shipworthy/domain';
import type { RemovedCount } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import {
  createWorkWatch,
  DELIVERIES_KEPT,
  pauseAfter,
  REPLIES_KEPT,
  removeExpiredRecords,
  startBacklog,
  startDemo,
  startLoop,
  startRetention,
  startStoreTending,
} from '../src/background.js';
import { createLog, silentLog } from '../src/observability/log.js';
import { createMetrics, measuredBacklog } from '../src/observability/metrics.js';
import { METRICS_TOKEN, startService } from './harness/service.js';
import { createTestClock } from './harness/test-clock.js';

const pauseOf = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('startLoop', () => {
  it('repeats, never two at a time, and ends after the run that is under way', async () => {
    let running = 0;
    let runs = 0;
    const loop = startLoop({
      name: 'test',
      everyMs: 1,
      log: silentLog,
      run: async () => {
        running += 1;
        expect(running).to.equal(1);
        await pauseOf(5);
        running -= 1;
        runs += 1;
        return false;
      },
    });
    while (runs < 3) await pauseOf(1);
    await loop.stop();
    const done = runs;
    expect(running).to.equal(0);
    await pauseOf(30);
    expect(runs).to.equal(done);
  });

  it('goes on at once while there is more to do', async () => {
    let left = 50;
    const loop = startLoop({
      name: 'test',
      everyMs: 60_000,
      log: silentLog,
      run: async () => {
        left -= 1;
        return left > 0;
      },
    });
    while (left > 0) await pauseOf(1);
    await loop.stop();
  });

  it('notes a failure and goes on, slower', async () => {
    const texts: string[] = [];
    const log = createLog(
      'info',
      async (text) => void texts.push(text),
      () => 0,
    );
    const runs: number[] = [];
    const loop = startLoop({
      name: 'fragile',
      everyMs: 10,
      log,
      run: async () => {
        runs.push(performance.now());
        throw new Error(`failure ${runs.length}`);
      },
    });
    while (runs.length < 4) await pauseOf(1);
    await loop.stop();
    await log.flush();
    // Timers may fire up to a millisecond early.
    for (const failures of [1, 2, 3])
      expect((runs[failures] ?? 0) - (runs[failures - 1] ?? 0)).to.be.at.least(10 * (1 + failures) - 1);
    expect(texts.join('')).to.contain('"work":"fragile","error":"failure 1"');
  });
});

describe('pauseAfter', () => {
  const HOUR = 3_600_000;
  const pauses = (everyMs: number) => Array.from({ length: 40 }, (_, failures) => pauseAfter(failures, everyMs));

  it('brings hourly work back soon, then ever later, and never later than hourly', () => {
    const [usual = 0, first = 0, ...later] = pauses(HOUR);
    expect(usual).to.equal(HOUR);
    expect(first).to.be.at.most(10_000);
    for (const [index, pause] of later.entries())
      expect(pause, `after ${index + 2} failures`).to.equal(Math.min(HOUR, first * 2 ** (index + 1)));
    expect(pauseAfter(5000, HOUR), 'after very many').to.equal(HOUR);
  });

  it('slows down work that is due often, up to thirty times', () => {
    for (const everyMs of [500, 1000, 15_000])
      expect(pauses(everyMs)).to.deep.equal(
        Array.from({ length: 40 }, (_, failures) => everyMs * Math.min(30, 1 + failures)),
      );
  });
});

describe('removeExpiredRecords', () => {
  it('forgets answers after seven days', async () => {
    const stores = memoryStores();
    const clock = createTestClock();
    const request = { caller: 'c', operation: 'POST /x', key: 'k', fingerprint: 'f', at: clock.read() };
    const taken = () => stores.transaction(async ({ idempotency }) => (await idempotency.take(request)).state);
    await stores.transaction(async ({ idempotency }) => {
      await idempotency.take(request);
      await idempotency.remember(request, { status: 201, location: null, body: '{}' });
    });
    clock.pass(REPLIES_KEPT);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(0);
    expect(await taken()).to.equal('taken');
    clock.pass(1);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(1);
    expect(await taken()).to.equal('free');
  });

  it('forgets approvals that were never finished, and deliveries no host sends again', async () => {
    const stores = memoryStores();
    const clock = createTestClock();
    const approval = { stateHash: 's', sessionId: 'i', userId: 'u', host: 'github', sealedVerifier: 'v' };
    const begun = { ...approval, redirectUrl: 'https://ship.acme.dev/back', expiresAt: clock.read() + 1000 };
    await stores.hostConnections.begin(begun);
    await stores.repositoryLinks.receive('github', 'one', clock.read());
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(0);
    clock.pass(1001);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(1);
    expect(await stores.hostConnections.take('s', 'i')).to.equal(undefined);
    clock.pass(DELIVERIES_KEPT);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(1);
    expect(await stores.repositoryLinks.receive('github', 'one', clock.read())).to.equal(true);
  });

  it('forgets changes of gates after 30 days', async () => {
    const stores = memoryStores();
    const clock = createTestClock();
    const whose = { teamId: 't', projectId: 'p', releaseId: 'r' };
    const change = { id: 'c', ...whose, at: clock.read(), before: 'go', after: 'hold', reason: null } as const;
    await stores.gateChanges.append([change], clock.read());
    clock.pass(30 * 24 * 3_600_000);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(0);
    clock.pass(1);
    expect(await removeExpiredRecords({ stores, clock: clock.read })).to.equal(1);
  });
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stores whose database does not answer. */
const hanging = (): StoresWithFeed => {
  const never = new Proxy({}, { get: () => () => new Promise(() => undefined) });
  return new Proxy(memoryStores(), { get: (stores, name) => (name === 'feed' ? stores.feed : never) });
};

describe('reading what waits to be sent', () => {
  it('keeps the last reading while the database is away', async () => {
    const metrics = createMetrics();
    const stores = memoryStores();
    let away = false;
    let asked = 0;
    const backlog = async () => {
      asked += 1;
      if (away) throw new DomainError('unavailable', 'The database is away.');
      return { pending: 3, oldestAt: null };
    };
    const webhooks = { ...stores.webhooks, backlog };
    const loop = startBacklog({ stores: { ...stores, webhooks } }, measuredBacklog(metrics, Date.now), silentLog, 1);
    while (asked < 2) await pause(2);
    away = true;
    const before = asked;
    while (asked < before + 3) await pause(2);
    expect(metrics.text()).to.contain('\nshipworthy_webhook_deliveries_pending 3\n');
    await loop.stop();
    metrics.stop();
  });

  it('makes neither the metrics nor the sign of life wait for a database that does not answer', async () => {
    const service = await startService({ stores: hanging(), close: async () => undefined });
    try {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const answers = await Promise.all([
        fetch(`${service.baseUrl}/metrics`, { headers }),
        fetch(`${service.baseUrl}/livez`),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      const text = await answers[0].text();
      expect(text).to.contain('# TYPE shipworthy_webhook_deliveries_pending gauge\n');
      expect(text).not.to.match(/^shipworthy_webhook_deliveries_pending /m);
      await answers[1].text();
    } finally {
      // Its background work waits for the database for ever, as would an end that waits for it.
      void service.close();
    }
  });
});

const untilTrue = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the work that adds the demo', () => {
  it('adds it once there is an administrator, and not again when it is removed', async () => {
    const stores = memoryStores();
    const loop = startDemo({ stores, clock: Date.now }, silentLog, createWorkWatch(0), 5);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await stores.teams.demo()).to.equal(undefined);
    const user = {
      id: crypto.randomUUID(),
      email: 'a@b.dev',
      name: 'Ada',
      emailVerified: true,
      administrator: true,
      disabledAt: null,
      createdAt: 0,
    };
    await stores.users.createFirst(user, 'x');
    await untilTrue(async () => (await stores.teams.demo()) !== undefined);
    const demo = await stores.teams.demo();
    expect(await stores.teams.removeDemo(demo?.id ?? '')).to.equal(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await stores.teams.demo()).to.equal(undefined);
    await loop.stop();
  });
});

describe('tending the stores', () => {
  it('begins at once, comes again, and is no reason to end when it fails', async () => {
    const texts: string[] = [];
    const log = createLog(
      'info',
      async (text) => void texts.push(text),
      () => 0,
    );
    let times = 0;
    let third: () => void = () => undefined;
    const thrice = new Promise<void>((resolve) => {
      third = resolve;
    });
    const loop = startStoreTending(
      async () => {
        times += 1;
        if (times === 3) third();
        throw new Error('no lock to be had');
      },
      log,
      1,
    );
    await thrice;
    await loop.stop();
    await log.flush();
    expect(texts.join('')).to.contain('"work":"tending"').and.contain('no lock to be had');
  });
});

const DAY = 86_400_000;
const TEAM = '019c0000-0000-7000-8000-000000000001';
const PROJECT = '019c0000-0000-7000-8000-000000000002';

const idOf = (place: number): string => `019c0000-0000-7000-9000-${String(place).padStart(12, '0')}`;

const deployment = (place: number, startedAt: number): Deployment => ({
  id: idOf(place),
  projectId: PROJECT,
  appName: 'checkout',
  environment: 'production',
  commitSha: '4f2a9c1',
  version: null,
  deployedBy: null,
  status: 'success',
  isReturn: false,
  url: null,
  startedAt,
  finishedAt: startedAt,
  durationSeconds: null,
  createdAt: startedAt,
  external: null,
});

/** Stores with a deployment of each of the last 40 days. */
const scene = async () => {
  const stores = memoryStores();
  const clock = createTestClock().read;
  const now = clock();
  const createdAt = now;
  const user = {
    id: idOf(900),
    email: 'ada@example.org',
    name: 'Ada',
    emailVerified: true,
    administrator: true,
    disabledAt: null,
    createdAt,
  };
  await stores.users.create(user, 'hash');
  await stores.teams.create(
    { id: TEAM, name: 'Payments', slug: 'payments', version: 1, createdAt, demo: false },
    { teamId: TEAM, userId: user.id, role: 'owner', createdAt },
  );
  await stores.projects.create({
    id: PROJECT,
    teamId: TEAM,
    name: 'checkout',
    slug: 'checkout',
    version: 1,
    createdAt,
  });
  await stores.reports.record(
    Array.from({ length: 40 }, (_, n) => ({
      kind: 'deployment' as const,
      deployment: deployment(n, now - n * DAY),
      remember: null,
    })),
  );
  let ids = 1_000;
  const newId = (): string => {
    ids += 1;
    return idOf(ids);
  };
  return { ports: { stores, clock, newId }, now };
};

/** The first run of the retention, from its beginning to its end. */
const oneRun = async (ports: Parameters<typeof startRetention>[0], days: number | null): Promise<RemovedCount[]> => {
  const notes: RemovedCount[] = [];
  const loop = startRetention(ports, { days, note: (removed) => void notes.push(removed) }, silentLog);
  await loop.stop();
  return notes;
};

describe('the retention', () => {
  it('removes records that are too old, and notes it in the audit log and the metrics', async () => {
    const { ports, now } = await scene();
    const edge = Math.floor(now / DAY - 30) * DAY;
    const notes = await oneRun(ports, 30);
    expect(notes).to.deep.equal([{ deployments: 9, testRuns: 0, axisReports: 0 }]);
    const { rows } = await ports.stores.deployments.page({ projectId: PROJECT }, { limit: 200, after: null });
    expect(rows.map(({ startedAt }) => startedAt).every((at) => at >= edge)).to.equal(true);
    expect(rows).to.have.lengthOf(31);
    const audit = await ports.stores.audit.page({ teamId: TEAM }, { limit: 10, after: null });
    expect(audit.rows).to.have.lengthOf(1);
    expect(audit.rows[0]).to.deep.include({
      action: 'records.remove',
      actor: { userId: null, name: 'Shipworthy', kind: 'service' },
      resource: { type: 'project', id: PROJECT },
      detail: { before: edge, deployments: 9, testRuns: 0, axisReports: 0 },
    });
    expect(await ports.stores.keptRecords.since(PROJECT)).to.include({ deployments: edge });
    expect(await oneRun(ports, 30)).to.deep.equal([{ deployments: 0, testRuns: 0, axisReports: 0 }]);
  });

  it('keeps every record for ever unless it is told otherwise', async () => {
    const { ports } = await scene();
    expect(await oneRun(ports, null)).to.deep.equal([]);
    const { rows } = await ports.stores.deployments.page({ projectId: PROJECT }, { limit: 200, after: null });
    expect(rows).to.have.lengthOf(40);
  });
});
