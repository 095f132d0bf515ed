import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { absentGroups, completeStores, type OfferedStores, STORE_GROUPS, type StoreGroup } from '../src/ports.js';
import { refused } from './refusal.js';

/** Bundles without the stores of these groups. */
const without = (groups: readonly StoreGroup[], all: OfferedStores = memoryStores()): OfferedStores => {
  const gone = new Set<string>(groups.flatMap((group): readonly string[] => STORE_GROUPS[group]));
  if (groups.includes('webhooks')) gone.add('feed');
  const left = Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name))) as unknown as OfferedStores;
  return { ...left, transaction: (work, by) => all.transaction((inside) => work(without(groups, inside)), by) };
};

const GROUPS = Object.keys(STORE_GROUPS) as readonly StoreGroup[];
const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const CONNECTION = { userId: ID, host: 'github' };

describe('a bundle of stores', () => {
  it('that has all groups is answered as it is', () => {
    const all = memoryStores();
    expect(absentGroups(all)).to.deep.equal([]);
    expect(completeStores(all)).to.equal(all);
  });

  it('has a group or lacks it, and not a part of it', () => {
    for (const group of GROUPS) expect(absentGroups(without([group]))).to.deep.equal([group]);
    const { webhooks: _, ...noWebhooks } = memoryStores();
    expect(() => absentGroups(noWebhooks)).to.throw(TypeError, 'webhooks is missing');
    const { feed: __, ...noFeed } = memoryStores();
    expect(() => absentGroups(noFeed)).to.throw(TypeError, 'feed is missing');
  });

  it('has nothing of the groups that it lacks, and goes on without them', async () => {
    const stores = completeStores(without(GROUPS));
    expect(await stores.history.last([ID, ID], 1)).to.deep.equal([[], []]);
    expect(await stores.history.trends([ID], 1)).to.deep.equal([[]]);
    expect(await stores.history.newest([ID])).to.deep.equal([undefined]);
    expect(await stores.history.latest([ID])).to.deep.equal([undefined]);
    expect(await stores.history.claim(1, 1, 1)).to.deep.equal([]);
    expect(await stores.hostConnections.of(ID, 'github')).to.equal(undefined);
    expect(await stores.repositoryLinks.ofProject(ID)).to.equal(undefined);
    expect(await stores.invitations.received('a@example.org', 1)).to.deep.equal([]);
    expect(await stores.axisReports.page({ projectId: ID, axis: 'security' }, { limit: 1, after: null })).to.deep.equal(
      {
        rows: [],
        next: null,
      },
    );
    expect(
      await stores.axisReports.latest([{ projectId: ID, releaseId: ID, axis: 'security', before: null }]),
    ).to.deep.equal([undefined]);
    expect(await stores.keptRecords.since(ID)).to.deep.equal({ deployments: null, testRuns: null, axisReports: null });
    await stores.events.append([]);
    await stores.invitations.revokeMadeBy({ userId: ID }, 1);
    const heard: unknown[] = [];
    stores.feed.subscribe((event) => void heard.push(event))();
    const removed = [stores.hostConnections.removeExpired(1), stores.repositoryLinks.removeDeliveries(1)];
    expect(await Promise.all([...removed, stores.webhooks.removeDeliveries(1)])).to.deep.equal([0, 0, 0]);
  });

  it('refuses what would store in groups that it lacks, within a transaction, too', async () => {
    const stores = completeStores(without(GROUPS));
    const put = { projectId: ID, tokenHash: 'a', createdAt: 1, createdBy: 'Ada' };
    for (const within of [
      () => stores.badges.put(put),
      () => stores.transaction((inside) => inside.badges.put(put)),
      () => stores.transaction((outer) => outer.transaction((inside) => inside.badges.put(put))),
      () => stores.hostConnections.remove(CONNECTION as never),
    ])
      await refused(within(), 'not-offered');
    expect(await stores.transaction(async ({ badges }) => badges)).to.be.an('object');
  });
});
