import { expect } from 'chai';
import { accessWith, approved, granted, OWNER, PATIENCE_MS, redeemed, refusal } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';

/** Approving: OAuth code flow with state, PKCE and exact redirect. */
export const authorizationContract = (open: OpenHost): void => {
  describe('approval', () => {
    const staged = onStage(open);

    it('begins with an unguessable state and a challenge, and keeps the verifier out of the address', async () => {
      const { host, redirectUrl } = staged();
      const begin = () => host.authorization.begin({ ownerId: OWNER, redirectUrl });
      const [one, other] = [await begin(), await begin()];
      const query = new URL(one.url).searchParams;
      expect(query.get('redirect_uri')).to.equal(redirectUrl);
      expect(query.get('state')).to.equal(one.state);
      expect(query.get('response_type') ?? 'code').to.equal('code');
      expect(query.get('code_challenge_method')).to.equal('S256');
      expect(query.get('code_challenge')).to.match(/^[\w-]{43}$/);
      expect(query.get('code_challenge')).to.not.equal(new URL(other.url).searchParams.get('code_challenge'));
      expect(one.state).to.match(/^[\w-]{32,}$/);
      expect(one.state).to.not.equal(other.state);
      expect(one.url).to.not.include(one.sealedVerifier);
    });

    it('yields a grant of the account that approved', async () => {
      const { grant, account, access } = await granted(staged());
      expect(account.name).to.equal(staged().accountName);
      expect(grant.expiresAt === null).to.equal(staged().gives.lastingGrants);
      expect(await staged().host.reader.account(access())).to.deep.equal(account);
    });

    it('is good for one grant', async () => {
      const approval = await approved(staged());
      await redeemed(staged(), approval);
      expect(await refusal(redeemed(staged(), approval))).to.include({ code: 'host-rejected' });
    });

    it('is no use with a code of another person, a verifier of another approval, or an invented code', async () => {
      const [one, other] = [await approved(staged()), await approved(staged())];
      const mixed = redeemed(staged(), { code: one.code, sealedVerifier: other.sealedVerifier });
      expect(await refusal(mixed)).to.include({ code: 'host-rejected' });
      const invented = redeemed(staged(), { ...other, code: 'invented' });
      expect(await refusal(invented)).to.include({ code: 'host-rejected' });
    });

    it('leads back to the registered address only, and is redeemed with that one', async () => {
      const { host, redirectUrl } = staged();
      const { url } = await host.authorization.begin({ ownerId: OWNER, redirectUrl: `${redirectUrl}/elsewhere` });
      const back = await staged()
        .approve(url)
        .catch(() => undefined);
      expect(back?.searchParams.get('code') ?? null).to.equal(null);
      const approval = await approved(staged());
      const wrong = redeemed(staged(), { ...approval, redirectUrl: `${redirectUrl}/elsewhere` });
      expect(await refusal(wrong)).to.include({ code: 'host-rejected' });
    });

    it('belongs to the person who began it: for others neither verifier nor grant opens, and the host is not asked', async () => {
      const approval = await approved(staged());
      const { grant } = await granted(staged());
      const asked = staged().requests().length;
      const { authorization, reader } = staged().host;
      const request = {
        ...approval,
        ownerId: 'eve',
        redirectUrl: staged().redirectUrl,
        deadline: Date.now() + PATIENCE_MS,
      };
      const refused = await refusal(authorization.redeem(request));
      expect(refused.code).to.not.equal('host-rejected');
      await refusal(reader.account(accessWith(staged(), grant, PATIENCE_MS, 'eve')));
      expect(staged().requests()).to.have.length(asked);
    });
  });
};
