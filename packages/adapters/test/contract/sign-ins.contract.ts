import type { SignInAttempt } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, HOUR, MINUTE, NOON, sampleId, unique } from './sample-records.js';

const attemptOf = (account: string, address: string, at: number): SignInAttempt => ({
  id: sampleId(),
  account,
  address,
  at,
});

/** SignInStore. */
export const signInsContract = (opened: Opened): void => {
  describe('tries to sign in', () => {
    it('are counted by pair and address for a minute, by account for an hour', async () => {
      const { stores, again } = opened();
      const [account, other] = [unique(AWKWARD), unique('eve')];
      const [here, there] = [unique('2001:db8::1'), unique('192.0.2.1')];
      const attempt = (who: string, where: string, at: number) => stores.signIns.attempt(attemptOf(who, where, at));
      const first = { pair: 1, address: 1, account: 1, addressKnown: false };
      expect(await attempt(account, here, NOON)).to.deep.equal(first);
      expect(await attempt(account, here, NOON + 1)).to.deep.equal({ ...first, pair: 2, address: 2, account: 2 });
      expect(await attempt(other, here, NOON + 2)).to.deep.equal({ ...first, address: 3 });
      expect(await attempt(account, there, NOON + 3)).to.deep.equal({ ...first, account: 3 });
      const minuteLater = { pair: 2, address: 3, account: 4, addressKnown: false };
      expect(await again.signIns.attempt(attemptOf(account, here, NOON + MINUTE))).to.deep.equal(minuteLater);
      const hourLater = { pair: 1, address: 1, account: 4, addressKnown: false };
      expect(await attempt(account, here, NOON + HOUR)).to.deep.equal(hourLater);
    });

    it('are all counted when many come at once', async () => {
      const { stores } = opened();
      const [account, address] = [unique('ada'), unique('192.0.2.1')];
      const tries = Array.from({ length: 8 }, () => stores.signIns.attempt(attemptOf(account, address, NOON)));
      const counts = await Promise.all(tries);
      expect(Math.max(...counts.map(({ pair }) => pair))).to.equal(8);
      expect((await stores.signIns.attempt(attemptOf(account, address, NOON))).account).to.equal(9);
    });

    it('are counted in any order of their moments, so that none of many at once goes through uncounted', async () => {
      const { stores, again } = opened();
      const [account, address] = [unique('ada'), unique('192.0.2.1')];
      const counts = [];
      for (const [early, each] of [5, 4, 3, 2, 1, 0].entries())
        counts.push(await (early % 2 === 0 ? stores : again).signIns.attempt(attemptOf(account, address, NOON + each)));
      expect(counts.map(({ pair }) => pair)).to.deep.equal([1, 2, 3, 4, 5, 6]);
      expect(counts[5]).to.include({ address: 6, account: 6 });
    });

    it('that succeed are taken off, and make the address known for the account', async () => {
      const { stores, again } = opened();
      const [account, other] = [unique('ada'), unique('eve')];
      const [home, office] = [unique('home'), unique('office')];
      await stores.signIns.attempt(attemptOf(account, home, NOON));
      const success = attemptOf(account, home, NOON + 1);
      await stores.signIns.attempt(success);
      await stores.signIns.succeeded(success);
      await stores.signIns.succeeded(success);
      const known = { pair: 2, address: 2, account: 2, addressKnown: true };
      expect(await again.signIns.attempt(attemptOf(account, home, NOON + 2))).to.deep.equal(known);
      expect(await again.signIns.attempt(attemptOf(account, office, NOON + 2))).to.include({ addressKnown: false });
      expect(await again.signIns.attempt(attemptOf(other, home, NOON + 2))).to.include({ addressKnown: false });
    });

    it('are forgotten when old, known addresses are not', async () => {
      const { stores, again } = opened();
      const long = NOON - 300 * DAY;
      await stores.signIns.removeBefore(long + 1);
      const [account, address] = [unique('ada'), unique('home')];
      const success = attemptOf(account, address, long - 2);
      await stores.signIns.attempt(success);
      await stores.signIns.succeeded(success);
      for (const offset of [-2, -1, 0]) await stores.signIns.attempt(attemptOf(account, address, long + offset));
      expect(await stores.signIns.removeBefore(long)).to.equal(2);
      const left = { pair: 2, address: 2, account: 2, addressKnown: true };
      expect(await again.signIns.attempt(attemptOf(account, address, long + 1))).to.deep.equal(left);
    });
  });
};
