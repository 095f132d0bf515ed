import type { Grant } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { accessWith, granted, OWNER, PATIENCE_MS, refusal } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';

/** Renewing and ending what was granted. */
export const grantsContract = (open: OpenHost): void => {
  describe('grants', () => {
    const staged = onStage(open);
    const accountWith = (grant: Grant) => staged().host.reader.account(accessWith(staged(), grant));
    const refreshed = (grant: Grant) => staged().host.authorization.refresh(accessWith(staged(), grant));
    const revoked = (grant: Grant) => staged().host.authorization.revoke(accessWith(staged(), grant));

    it('end at the host when they are revoked, and may be revoked again', async () => {
      const { grant } = await granted(staged());
      await revoked(grant);
      expect(staged().hasGrants()).to.equal(false);
      expect(await refusal(accountWith(grant))).to.include({ code: 'host-rejected' });
      await revoked(grant);
    });

    it('are left alone when another grant of the same account is revoked', async () => {
      const [one, other] = [await granted(staged()), await granted(staged())];
      await revoked(one.grant);
      expect(await accountWith(other.grant)).to.deep.equal(other.account);
      staged().revokeGrants();
    });

    it('are refused after the account ended them at the host', async () => {
      const { grant } = await granted(staged());
      staged().revokeGrants();
      expect(await refusal(accountWith(grant))).to.include({ code: 'host-rejected' });
      await revoked(grant);
    });

    it('are made of a token of the account, which is not renewed and outlives them at the host', async () => {
      const { host, clock, makeToken, accountName } = staged();
      const token = makeToken();
      const adopt = (text: string) =>
        host.authorization.adopt({ ownerId: OWNER, token: text, deadline: clock() + PATIENCE_MS });
      const { grant, account } = await adopt(token);
      expect(account.name).to.equal(accountName);
      expect(grant.expiresAt).to.equal(null);
      expect(JSON.stringify(grant)).to.not.include(token);
      expect(await accountWith(grant)).to.deep.equal(account);
      const asked = staged().requests().length;
      await revoked(grant);
      expect(await refusal(refreshed(grant))).to.include({ code: 'host-rejected' });
      expect(staged().requests(), 'the host receives neither request').to.have.length(asked);
      expect(await accountWith(grant), 'only its maker ends it').to.deep.equal(account);
      staged().revokeGrants();
      expect(await refusal(accountWith(grant))).to.include({ code: 'host-rejected' });
      expect(await refusal(adopt('github_pat_invented'))).to.include({ code: 'host-rejected' });
      staged().fail('page-unauthorized', 1);
      expect(await refusal(adopt(makeToken()))).to.include({ code: 'host-unavailable' });
      staged().recover();
      staged().revokeGrants();
    });

    it('say whether they could also write, by reading requests alone', async () => {
      const { host, clock, makeToken } = staged();
      const before = staged().requests().length;
      const powerOf = async (token: string) => {
        const { grant } = await host.authorization.adopt({ ownerId: OWNER, token, deadline: clock() + PATIENCE_MS });
        return host.reader.mayWrite(accessWith(staged(), grant));
      };
      expect(await powerOf(makeToken('reads'))).to.equal(false);
      expect(await powerOf(makeToken('writes'))).to.equal(true);
      const methods = staged()
        .requests()
        .slice(before)
        .map(({ method }) => method);
      expect(methods).to.not.be.empty;
      expect([...new Set(methods)]).to.deep.equal(['GET']);
      staged().revokeGrants();
    });

    describe('that end', () => {
      before(() => staged().endGrantsSoon());

      it('say when, and are renewed once', async () => {
        const { grant, account } = await granted(staged());
        expect(grant.expiresAt).to.be.greaterThan(staged().clock());
        staged().expireGrants();
        expect(await refusal(accountWith(grant))).to.include({ code: 'host-rejected' });
        const next = await refreshed(grant);
        expect(next.expiresAt).to.be.greaterThan(staged().clock());
        expect(await accountWith(next)).to.deep.equal(account);
        expect(await refusal(refreshed(grant))).to.include({ code: 'host-rejected' });
      });

      it('open for their owner only after they were renewed', async () => {
        const next = await refreshed((await granted(staged())).grant);
        const asked = staged().requests().length;
        await refusal(staged().host.reader.account(accessWith(staged(), next, 5000, 'eve')));
        expect(staged().requests()).to.have.length(asked);
      });

      it('are not renewed after the account ended them', async () => {
        const { grant } = await granted(staged());
        staged().revokeGrants();
        expect(await refusal(refreshed(grant))).to.include({ code: 'host-rejected' });
      });

      it('are not refused because the host failed while they were renewed', async () => {
        const { grant } = await granted(staged());
        staged().fail('page-unauthorized');
        expect(await refusal(refreshed(grant))).to.include({ code: 'host-unavailable' });
        staged().recover();
        expect((await refreshed(grant)).expiresAt).to.be.greaterThan(staged().clock());
      });

      it('leave nothing at the host that could renew them once they are revoked', async () => {
        staged().revokeGrants();
        const { grant } = await granted(staged());
        await revoked(grant);
        expect(staged().hasGrants()).to.equal(false);
        expect(await refusal(refreshed(grant))).to.include({ code: 'host-rejected' });
      });
    });
  });
};
