import { type Page, type PageKey, searchTextOf, type User } from '@shipworthy/domain';
import { expect } from 'chai';
import { expectRefused } from './expectations.js';
import type { Open, Opened } from './open-stores.js';
import { sampleUser } from './sample-access.js';
import { AWKWARD, NOON, sampleId, unique } from './sample-records.js';
import { storedUser } from './sample-world.js';

/** UserStore. The first user needs empty data, so those tests open stores of their own. */
export const usersContract = (opened: Opened, open: Open): void => {
  describe('the first user', () => {
    it('is created once, even when many try at once', async () => {
      const { stores, again, close } = await open();
      try {
        expect(await again.users.any()).to.equal(false);
        const users = Array.from({ length: 5 }, () => sampleUser({ administrator: true }));
        const created = await Promise.all(users.map((user) => stores.users.createFirst(user, 'hash')));
        expect(created.filter((done) => done)).to.have.lengthOf(1);
        expect(await again.users.any()).to.equal(true);
        const first = users[created.indexOf(true)];
        expect(await again.users.byEmail(first?.email ?? '')).to.deep.equal({ user: first, passwordHash: 'hash' });
        for (const user of users) {
          expect(await again.users.byId(user.id)).to.deep.equal(user.id === first?.id ? first : undefined);
        }
      } finally {
        await close();
      }
    });

    it('is refused once there is a user', async () => {
      const { stores, again } = opened();
      await storedUser(stores);
      const late = sampleUser();
      expect(await stores.users.createFirst(late, 'hash')).to.equal(false);
      expect(await again.users.byId(late.id)).to.equal(undefined);
      expect(await again.users.any()).to.equal(true);
    });
  });

  describe('administrators', () => {
    it('are listed oldest first, and no other account', async () => {
      const { stores, again, close } = await open();
      try {
        expect(await again.users.administrators()).to.deep.equal([]);
        const [late, early] = [
          await storedUser(stores, { administrator: true, createdAt: NOON + 1 }),
          await storedUser(stores, { administrator: true }),
        ];
        await storedUser(stores, { createdAt: NOON - 1 });
        expect(await again.users.administrators()).to.deep.equal([early, late]);
      } finally {
        await close();
      }
    });
  });

  describe('users', () => {
    it('come back to the letter, by id and by email in any case', async () => {
      const { stores, again } = opened();
      const user = sampleUser({ name: AWKWARD, email: `${unique("O'Hara+%_")}@Example.org`, administrator: true });
      await stores.users.create(user, 'hash$of%it\\');
      expect(await again.users.byId(user.id)).to.deep.equal(user);
      const found = { user, passwordHash: 'hash$of%it\\' };
      for (const email of [user.email, user.email.toLowerCase(), user.email.toUpperCase()]) {
        expect(await again.users.byEmail(email)).to.deep.equal(found);
      }
      expect(await again.users.byEmail(user.email.replace('%', 'x'))).to.equal(undefined);
      expect(await again.users.byId(sampleId())).to.equal(undefined);
    });

    it('have an email each, compared in lower case', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const twin = sampleUser({ email: user.email.toUpperCase() });
      await expectRefused(stores.users.create(twin, 'other'), 'email-taken');
      expect(await again.users.byId(twin.id)).to.equal(undefined);
      expect((await again.users.byEmail(user.email))?.passwordHash).to.equal('hash');
    });

    it('have an email each, compared after NFKC: other spellings are the same, letters that look alike are not', async () => {
      const { stores, again } = opened();
      const nth = unique('k').toLowerCase();
      const at = (local: string) => `${local}${nth}@example.org`;
      const user = await storedUser(stores, { email: at('kfi') });
      for (const twin of [at('\uff4b\uff46\uff49'), at('K\ufb01'), at('\u212afi'), at('\ud835\udc24fi')]) {
        await expectRefused(stores.users.create(sampleUser({ email: twin }), 'other'), 'email-taken');
        expect((await again.users.byEmail(twin))?.user.id, twin).to.equal(user.id);
      }
      const others = [at('kf\u0131'), at('KF\u0130'), at('kf\u0456'), at('\u043afi')];
      const made = new Map<string, string>();
      for (const email of others) made.set(email, (await storedUser(stores, { email })).id);
      for (const [email, id] of made) expect((await again.users.byEmail(email))?.user.id, email).to.equal(id);
      expect((await again.users.byEmail(at('KFI')))?.user.id).to.equal(user.id);
    });

    it('are disabled and enabled, verified, and read page by page, oldest first', async () => {
      const { stores, again } = opened();
      const first = await storedUser(stores, { createdAt: NOON - 2 });
      const second = await storedUser(stores, { createdAt: NOON - 1 });
      await stores.users.setDisabled(first.id, NOON);
      await stores.users.verifyEmail(first.id);
      const changed = { ...first, disabledAt: NOON, emailVerified: true };
      expect(await again.users.byId(first.id)).to.deep.equal(changed);
      expect((await again.users.byEmail(first.email))?.user).to.deep.equal(changed);
      const all: string[] = [];
      let after: PageKey | null = null;
      do {
        const { rows, next }: Page<User> = await again.users.page({ limit: 2, after });
        expect(rows.length).to.be.within(1, 2);
        all.push(...rows.map(({ id }) => id));
        after = next;
      } while (after !== null);
      expect(all.indexOf(first.id)).to.be.within(0, all.indexOf(second.id) - 1);
      expect(new Set(all).size).to.equal(all.length);
      const [local = ''] = second.email.split('@');
      for (const words of [second.name, `${local.toUpperCase()} ${second.name.toLowerCase()}`, second.email]) {
        const { rows } = await again.users.page({ limit: 200, after: null }, searchTextOf(words));
        const found = rows.map(({ id }) => id);
        expect(found, words).to.include(second.id);
        if (words.includes(second.email)) expect(found, words).to.deep.equal([second.id]);
      }
      const { rows: none } = await again.users.page({ limit: 1, after: null }, searchTextOf('nobody-is-called-this'));
      expect(none).to.deep.equal([]);
      await stores.users.setDisabled(first.id, null);
      expect(await again.users.byId(first.id)).to.deep.equal({ ...changed, disabledAt: null });
      expect(await again.users.byId(second.id)).to.deep.equal(second);
    });

    it('change their own password only', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      const other = await storedUser(stores);
      await stores.users.changePassword(user.id, 'changed');
      expect(await again.users.byEmail(user.email)).to.deep.equal({ user, passwordHash: 'changed' });
      expect((await again.users.byEmail(other.email))?.passwordHash).to.equal('hash');
    });
  });
};
