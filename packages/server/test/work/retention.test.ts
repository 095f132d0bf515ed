import { memoryStores } from '@shipworthy/adapters/memory';
import type { Deployment, RemovedCount } from '@shipworthy/domain';
import { expect } from 'chai';
import { silentLog } from '../../src/observability/silent-log.js';
import { startRetention } from '../../src/work/retention.js';
import { createTestClock } from '../harness/test-clock.js';

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
  it('removes what is older than it is kept, tells the audit log and whoever counts', async () => {
    const { ports, now } = await scene();
    const edge = Math.floor(now / DAY - 30) * DAY;
    const notes = await oneRun(ports, 30);
    expect(notes).to.deep.equal([{ deployments: 9, testRuns: 0 }]);
    const { rows } = await ports.stores.deployments.page({ projectId: PROJECT }, { limit: 200, after: null });
    expect(rows.map(({ startedAt }) => startedAt).every((at) => at >= edge)).to.equal(true);
    expect(rows).to.have.lengthOf(31);
    const audit = await ports.stores.audit.page(TEAM, { limit: 10, after: null });
    expect(audit.rows).to.have.lengthOf(1);
    expect(audit.rows[0]).to.deep.include({
      action: 'records.remove',
      actor: { userId: null, name: 'Shipworthy', kind: 'service' },
      resource: { type: 'project', id: PROJECT },
      detail: { before: edge, deployments: 9, testRuns: 0 },
    });
    expect(await ports.stores.keptRecords.since(PROJECT)).to.include({ deployments: edge });
    expect(await oneRun(ports, 30)).to.deep.equal([{ deployments: 0, testRuns: 0 }]);
  });

  it('keeps every record for ever unless it is told otherwise', async () => {
    const { ports } = await scene();
    expect(await oneRun(ports, null)).to.deep.equal([]);
    const { rows } = await ports.stores.deployments.page({ projectId: PROJECT }, { limit: 200, after: null });
    expect(rows).to.have.lengthOf(40);
  });
});
