import { expect } from 'chai';
import { openDatabase } from '../../src/knex/index.js';
import { expectRefused } from '../contract/expectations.js';
import { sampleUser } from '../contract/sample-access.js';
import { sampleId, sampleIssue } from '../contract/sample-records.js';
import { storedProject } from '../contract/sample-world.js';
import { withNew } from './opened.js';

const KINDS = ['SQLite', 'PostgreSQL'] as const;

describe('transactions of knex', () => {
  for (const kind of KINDS) {
    it(`are not acknowledged on ${kind} when something failed in them and was caught`, () =>
      withNew(kind, async ({ stores }) => {
        const user = sampleUser();
        const outcome = await stores
          .transaction(async (inside) => {
            await inside.users.create(user, 'hash');
            await inside.issues.create(sampleIssue(sampleId()), []).catch(() => {});
            return 'acknowledged';
          })
          .catch(() => 'refused');
        expect(outcome).to.equal('refused');
        expect(await stores.users.byId(user.id)).to.equal(undefined);
      }));

    it(`say nothing on ${kind} of the values that could not be stored`, () =>
      withNew(kind, async ({ stores }) => {
        const { owner } = await storedProject(stores);
        const twin = { ...sampleUser(), id: owner.id };
        const failure = await stores.users.create(twin, 'canary-of-a-password').catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(Error);
        expect(String(failure)).not.to.contain('canary');
      }));
  }

  it('that wait for each other on PostgreSQL are both done in the end', () =>
    withNew('PostgreSQL', async ({ stores }) => {
      const [{ project: first }, { project: second }] = [await storedProject(stores), await storedProject(stores)];
      const users = [sampleUser(), sampleUser()];
      let begun = 0;
      let attempts = 0;
      const bothBegan = new Promise<void>((resolve) => {
        const look = setInterval(() => {
          if (begun < 2) return;
          clearInterval(look);
          resolve();
        }, 5);
      });
      const one = (order: readonly string[], user = sampleUser()) =>
        stores.transaction(async (inside) => {
          attempts += 1;
          await inside.users.create(user, 'hash');
          const [near = '', far = ''] = order;
          await inside.projects.lock(near);
          begun += 1;
          await bothBegan;
          await inside.projects.lock(far);
        });
      await Promise.all([one([first.id, second.id], users[0]), one([second.id, first.id], users[1])]);
      // The loser begins again, more than once where it comes back before the winner is through.
      expect(attempts).to.be.at.least(3);
      for (const { id } of users) expect((await stores.users.byId(id))?.id).to.equal(id);
    }));

  it('are not acknowledged on PostgreSQL when a statement failed in them', () =>
    withNew('PostgreSQL', async ({ database: { access } }) => {
      const outcome = await access
        .atomically(async (inside) => {
          await inside.write('select 1 / 0').catch(() => {});
          return 'acknowledged';
        })
        .catch((error: { readonly code?: string }) => error.code);
      expect(outcome).to.equal('25P02');
    }));

  it('whose COMMIT failed on SQLite take nothing along that comes later', () =>
    withNew('SQLite', async ({ url, database: { access }, stores }) => {
      const broken = access.atomically(async (inside) => {
        // Broken references are then noticed by COMMIT only, which fails and leaves the transaction open.
        await inside.write('pragma defer_foreign_keys = on');
        await inside.write('insert into former_project_names (project_id, name) values (?, ?)', [sampleId(), 'lost']);
      });
      expect(await broken.catch((error: { readonly code?: string }) => error.code)).to.equal('SQLITE_CONSTRAINT');
      const user = sampleUser();
      await stores.users.create(user, 'hash');
      const second = await openDatabase({ url });
      const rows = await second.access.read('select id from users where id = ?', [user.id]);
      await second.close();
      expect(rows).to.have.lengthOf(1);
    }));

  it('on SQLite may read before they write although others write in the meantime', () =>
    withNew('SQLite', async ({ url, stores }) => {
      const other = await openDatabase({ url });
      const user = sampleUser();
      let written: Promise<unknown> = Promise.resolve();
      await stores.transaction(async (inside) => {
        await inside.users.any();
        // A second writer has to wait; had this begun as a reader, the other would be through and this one refused.
        written = other.access.write(`insert into known_addresses (account, address) values ('a', 'b')`);
        await new Promise((done) => setTimeout(done, 50));
        await inside.users.create(user, 'hash');
      });
      await written;
      await other.close();
      expect(await stores.users.byId(user.id)).to.deep.equal(user);
    }));

  for (const kind of KINDS) {
    it(`that wait too long for a connection are refused as unavailable, on ${kind}`, () =>
      withNew(
        kind,
        ({ stores }) =>
          stores.transaction(() => expectRefused(stores.users.changePassword(sampleId(), 'hash'), 'unavailable')),
        { connections: 1 },
      ));
  }
});
