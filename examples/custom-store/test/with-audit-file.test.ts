import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storesContract } from '@shipworthy/adapters/contract';
import { knexStores, migrate, openDatabase } from '@shipworthy/adapters/knex';
import { memoryData, memoryStores } from '@shipworthy/adapters/memory';
import { type AuditEntry, DomainError, type Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { openAuditFile } from '../src/audit-file.js';
import { withAuditFile } from '../src/with-audit-file.js';

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'custom-store-'));

storesContract('an audit file beside memory', async () => {
  const folder = await newFolder();
  const path = join(folder, 'audit.ndjson');
  const data = memoryData();
  return {
    stores: withAuditFile(memoryStores({ data }), await openAuditFile(path)),
    again: withAuditFile(memoryStores({ data }), await openAuditFile(path)),
    close: () => rm(folder, { recursive: true }),
  };
});

storesContract('an audit file beside SQLite', async () => {
  const folder = await newFolder();
  const path = join(folder, 'audit.ndjson');
  const url = `sqlite:${join(folder, 'all-else.sqlite')}`;
  const [first, second] = [await openDatabase({ url }), await openDatabase({ url })];
  await migrate(first);
  return {
    stores: withAuditFile(knexStores(first), await openAuditFile(path)),
    again: withAuditFile(knexStores(second), await openAuditFile(path)),
    close: async () => {
      await Promise.all([first.close(), second.close()]);
      await rm(folder, { recursive: true });
    },
  };
});

const TEAM = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

const entryNamed = (action: string): AuditEntry => ({
  id: `01932c7e-5a10-7cc3-9b1e-${action.padEnd(12, '0')}`,
  teamId: TEAM,
  at: 1,
  actor: { userId: TEAM, name: 'Ada', kind: 'session' },
  action,
  resource: { type: 'team', id: TEAM },
  address: '127.0.0.1',
  requestId: 'request',
  detail: {},
});

describe('an audit file and a transaction', () => {
  let folder = '';
  let stores: Stores = memoryStores();
  const actions = async (from: Stores = stores): Promise<readonly string[]> =>
    (await from.audit.page({ teamId: TEAM }, { limit: 200, after: null })).rows.map(({ action }) => action);

  beforeEach(async () => {
    folder = await newFolder();
    stores = withAuditFile(memoryStores(), await openAuditFile(join(folder, 'audit.ndjson')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('show entries inside it at once, and outside when it is over', async () => {
    await stores.transaction(async (inside) => {
      await inside.audit.append(entryNamed('one'));
      expect(await actions(inside)).to.deep.equal(['one']);
      expect(await actions()).to.deep.equal([]);
    });
    expect(await actions()).to.deep.equal(['one']);
  });

  it('forget the entries of work that was undone, even if a nested failure was caught', async () => {
    const refused = new DomainError('forbidden', 'not today');
    const outcome = stores.transaction(async (outer) => {
      await outer.audit.append(entryNamed('outer'));
      await outer
        .transaction(async () => {
          throw refused;
        })
        .catch(() => undefined);
    });
    expect(await outcome.catch((error: unknown) => error)).to.equal(refused);
    expect(await actions()).to.deep.equal([]);
  });

  it('undo the work when its entries cannot be written', async () => {
    const user = {
      id: TEAM,
      email: 'ada@example.org',
      name: 'Ada',
      emailVerified: true,
      administrator: true,
      disabledAt: null,
      createdAt: 1,
    };
    const outcome = stores.transaction(async (inside) => {
      await inside.users.create(user, 'hash');
      await inside.audit.append(entryNamed('lost'));
      await rm(folder, { recursive: true });
    });
    const error = await outcome.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'unavailable');
    expect(await stores.users.byId(TEAM)).to.equal(undefined);
  });
});
