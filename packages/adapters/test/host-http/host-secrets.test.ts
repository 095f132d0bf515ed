import { expect } from 'chai';
import { grantSeals, hookSecrets, isSameSecret } from '../../src/host-http/host-secrets.js';
import { refusalIn } from './odd-server.js';

const KEY = new Uint8Array(32).fill(1);
const TOKENS = {
  access: 'secret-access',
  refresh: 'secret-refresh',
  expiresAt: 5,
  redirectUrl: 'https://x.example/cb',
};
const seals = grantSeals(KEY, 'host', 'Host');
const opening = (make: () => unknown) => refusalIn(Promise.resolve().then(make));

describe('sealed grants', () => {
  it('open for their owner, with everything in them', () => {
    const grant = seals.sealTokens('ann', TOKENS);
    expect(grant.expiresAt).to.equal(5);
    expect(seals.openTokens('ann', grant)).to.deep.equal(TOKENS);
    const lasting = { access: 'a', refresh: null, expiresAt: null };
    expect(seals.openTokens('ann', seals.sealTokens('ann', lasting))).to.deep.equal(lasting);
  });

  it('show nothing of what they hold', () => {
    const { sealed } = seals.sealTokens('ann', TOKENS);
    const plain = sealed + Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1');
    expect(plain).not.to.match(/secret|access|refresh/);
  });

  it('open for their owner only, at one host, with one key, and not when changed', async () => {
    const grant = seals.sealTokens('ann', TOKENS);
    const changed = { ...grant, sealed: grant.sealed.slice(0, -4) + (grant.sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA') };
    const attempts = [
      () => seals.openTokens('bob', grant),
      () => grantSeals(KEY, 'other', 'Other').openTokens('ann', grant),
      () => grantSeals(new Uint8Array(32).fill(2), 'host', 'Host').openTokens('ann', grant),
      () => seals.openTokens('ann', changed),
    ];
    for (const attempt of attempts) {
      const { code, details } = await opening(attempt);
      // The host said nothing against the grant, so it must not count as rejected.
      expect([code, details.cause]).to.deep.equal(['host-unavailable', 'forbidden']);
    }
  });

  it('keep verifiers apart from tokens and owners', async () => {
    const sealed = seals.sealVerifier('ann', 'verifier');
    expect(seals.openVerifier('ann', sealed)).to.equal('verifier');
    expect(seals.openVerifier('bob', sealed)).to.equal(undefined);
    expect((await opening(() => seals.openTokens('ann', { sealed, expiresAt: null }))).code).to.equal(
      'host-unavailable',
    );
  });
});

describe('secrets of webhooks', () => {
  it('are the same whenever asked, and different for every repository, project, host and key', () => {
    const secretOf = hookSecrets(KEY, 'host');
    expect(secretOf('7', 'p')).to.match(/^[0-9a-f]{64}$/);
    expect(hookSecrets(KEY, 'host')('7', 'p')).to.equal(secretOf('7', 'p'));
    const others = [
      secretOf('8', 'p'),
      secretOf('7', 'q'),
      hookSecrets(KEY, 'host:7')('p', ''),
      hookSecrets(KEY, 'other')('7', 'p'),
      hookSecrets(new Uint8Array(32).fill(2), 'host')('7', 'p'),
    ];
    expect(new Set([secretOf('7', 'p'), ...others]).size).to.equal(6);
  });

  it('are the same only whole', () => {
    expect(isSameSecret('abc', 'abc')).to.equal(true);
    for (const given of ['', 'ab', 'abd', 'abcd', 'ABC']) expect(isSameSecret(given, 'abc'), given).to.equal(false);
  });
});
