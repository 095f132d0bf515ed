import { expect } from 'chai';
import { approve } from '../gitlab-server/oauth.js';
import { refusalIn } from '../host-http/odd-server.js';
import { openedForEach, REDIRECT } from './opened.js';

const OWNER = 'user-1';

describe('approving at GitLab', () => {
  const opened = openedForEach();
  const begin = () => opened().host.authorization.begin({ ownerId: OWNER, redirectUrl: REDIRECT });
  const soon = () => Date.now() + 60_000;
  const redeemed = async (
    more: { ownerId?: string; redirectUrl?: string; code?: string; sealedVerifier?: string } = {},
  ) => {
    const { host, server } = opened();
    const { url, sealedVerifier } = begin();
    const code = approve(server.world, url, 'ada').searchParams.get('code') ?? '';
    const request = { ownerId: OWNER, redirectUrl: REDIRECT, code, sealedVerifier, deadline: soon(), ...more };
    return host.authorization.redeem(request);
  };

  it('begins on the page of GitLab, for reading only, with a challenge', () => {
    const { url, state, sealedVerifier } = begin();
    const page = new URL(url);
    expect(page.origin + page.pathname).to.equal(`${opened().server.url.origin}/oauth/authorize`);
    const { code_challenge: challenge, ...asked } = Object.fromEntries(page.searchParams);
    expect(asked).to.deep.equal({
      client_id: 'application-1',
      redirect_uri: REDIRECT,
      response_type: 'code',
      state,
      scope: 'read_api',
      code_challenge_method: 'S256',
    });
    expect(challenge).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(begin().state).not.to.equal(state);
    expect(sealedVerifier).not.to.include(challenge);
  });

  it('yields a grant that reads, names its account and ends after two hours', async () => {
    // GitLab counts in whole seconds.
    const before = Date.now() - 1000;
    const { grant, account } = await redeemed();
    expect(account).to.deep.equal({ id: '7', name: 'ada' });
    expect(grant.expiresAt).to.be.within(before + 7_200_000, Date.now() + 7_200_000);
    const access = { ownerId: OWNER, grant, deadline: soon() };
    expect(await opened().host.repositories.account(access)).to.deep.equal(account);
  });

  it('takes the verifier of that very approval', async () => {
    const { sealedVerifier } = begin();
    expect((await refusalIn(redeemed({ sealedVerifier }))).code).to.equal('host-rejected');
  });

  it('is rejected with a code that is wrong, used or of another address', async () => {
    const attempts = [{ code: 'wrong' }, { redirectUrl: `${REDIRECT}/other` }];
    for (const attempt of attempts) expect((await refusalIn(redeemed(attempt))).code).to.equal('host-rejected');
  });

  it('is of no use to anybody but who began it', async () => {
    expect((await refusalIn(redeemed({ ownerId: 'user-2' }))).code).to.equal('approval-unusable');
  });

  it('is renewed once: the pair before is spent', async () => {
    const { host, server } = opened();
    const { grant } = await redeemed();
    const renewed = await host.authorization.refresh({ ownerId: OWNER, grant, deadline: soon() });
    expect(renewed.sealed).not.to.equal(grant.sealed);
    const read = (of: typeof grant) => host.repositories.account({ ownerId: OWNER, grant: of, deadline: soon() });
    expect((await read(renewed)).name).to.equal('ada');
    expect((await refusalIn(read(grant))).code).to.equal('host-rejected');
    const again = host.authorization.refresh({ ownerId: OWNER, grant, deadline: soon() });
    expect((await refusalIn(again)).code).to.equal('host-rejected');
    const third = await host.authorization.refresh({ ownerId: OWNER, grant: renewed, deadline: soon() });
    expect((await read(third)).name).to.equal('ada');
    expect(server.world.pairs.filter(({ ended }) => !ended)).to.have.length(1);
  });

  it('ends at GitLab when revoked, even after the access token ran out, and again without harm', async () => {
    const { host, server } = opened();
    const { grant } = await redeemed();
    server.world.now = () => Date.now() + 8_000_000;
    const access = { ownerId: OWNER, grant, deadline: soon() };
    await host.authorization.revoke(access);
    expect(server.world.pairs.every(({ ended }) => ended)).to.equal(true);
    await host.authorization.revoke(access);
  });
});
