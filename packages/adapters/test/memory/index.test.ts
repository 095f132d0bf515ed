import { memoryData, memoryStores, type RowChange } from '@shipworthy/adapters/memory';
import type { Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { storesContract } from '../contract/index.js';
import { sampleUser } from '../contract/sample-access.js';

storesContract('memory', async () => {
  const data = memoryData();
  return { stores: memoryStores({ data }), again: memoryStores({ data }), close: async () => {} };
});

describe('memory stores', () => {
  it('share nothing unless they are made on the same data', async () => {
    const user = sampleUser();
    await memoryStores().users.create(user, 'hash');
    expect(await memoryStores().users.byId(user.id)).to.equal(undefined);
  });

  it('answer reads while a transaction is open, with what is committed', async () => {
    const stores = memoryStores();
    const user = sampleUser();
    await stores.transaction(async (inside) => {
      await inside.users.create(user, 'hash');
      expect(await stores.users.byId(user.id)).to.equal(undefined);
    });
    expect(await stores.users.byId(user.id)).to.deep.equal(user);
  });

  it('let changes from outside wait for the transaction', async () => {
    const stores = memoryStores();
    const [inner, outer] = [sampleUser(), sampleUser({ email: 'taken@example.org' })];
    let waiting: Promise<boolean> = Promise.resolve(true);
    await stores.transaction(async (inside) => {
      waiting = stores.users.createFirst(outer, 'hash');
      await inside.users.create(inner, 'hash');
    });
    expect(await waiting).to.equal(false);
  });

  it('undo a transaction whose nested one threw, even if that was caught', async () => {
    const stores = memoryStores();
    const user = sampleUser();
    const failure = new Error('nested');
    const outcome = stores.transaction(async (outer) => {
      await outer.users.create(user, 'hash');
      await outer
        .transaction(async () => {
          throw failure;
        })
        .catch(() => undefined);
    });
    expect(await outcome.catch((error: unknown) => error)).to.equal(failure);
    expect(await stores.users.byId(user.id)).to.equal(undefined);
  });

  it('refuse to be used when their transaction is over', async () => {
    const stores = memoryStores();
    let kept: Stores | undefined;
    await stores.transaction(async (inside) => {
      kept = inside;
    });
    const late = [kept?.users.any(), kept?.users.create(sampleUser(), 'hash')];
    for (const each of late) {
      expect(await each?.catch((error: unknown) => String(error))).to.match(/transaction is over/);
    }
    expect(await stores.users.any()).to.equal(false);
  });

  it('hand each change over before anybody sees it, and begin with what was kept', async () => {
    const kept: RowChange[] = [];
    let seen: boolean | undefined;
    const data = memoryData({
      keep: async (changes) => {
        seen = await stores.users.any();
        kept.push(...changes);
      },
    });
    const stores = memoryStores({ data });
    const [first, second] = [sampleUser(), sampleUser()];
    await stores.users.create(first, 'hash');
    expect(seen).to.equal(false);
    await stores.transaction(async (inside) => {
      await inside.users.create(second, 'hash');
      await inside.users.changePassword(first.id, 'another hash');
    });
    const again = memoryData({ rows: kept });
    const rows = ({ table, key, row }: RowChange): unknown => [table, key, row];
    expect(again.rows().map(rows)).to.have.deep.members(data.rows().map(rows));
    expect(await memoryStores({ data: again }).users.byId(second.id)).to.deep.equal(second);
    const count = kept.length;
    await stores.sessions.removeExpired(1);
    expect(kept).to.have.lengthOf(count);
    expect(() => memoryData({ rows: [{ table: 'nowhere', key: 'a' }] })).to.throw(TypeError, 'no table nowhere');
  });

  it('undo a change that could not be kept', async () => {
    const data = memoryData({
      keep: async () => {
        throw new Error('disk full');
      },
    });
    const stores = memoryStores({ data });
    const user = sampleUser();
    for (const work of [
      () => stores.users.create(user, 'hash'),
      () => stores.transaction((inside) => inside.users.create(user, 'hash')),
    ])
      expect(await work().catch(String)).to.equal('Error: disk full');
    expect(await stores.users.any()).to.equal(false);
    expect(data.rows()).to.deep.equal([]);
  });
});
