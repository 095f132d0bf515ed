import { expect } from 'chai';
import { hookSecrets, isSameSecret } from '../../src/host-http/hook-secret.js';

const KEY = new Uint8Array(32).fill(1);

describe('secrets of webhooks', () => {
  it('are the same whenever asked, and different for every repository, host and key', () => {
    const secretOf = hookSecrets(KEY, 'host');
    expect(secretOf('7')).to.match(/^[0-9a-f]{64}$/);
    expect(hookSecrets(KEY, 'host')('7')).to.equal(secretOf('7'));
    const others = [
      secretOf('8'),
      hookSecrets(KEY, 'other')('7'),
      hookSecrets(new Uint8Array(32).fill(2), 'host')('7'),
    ];
    expect(new Set([secretOf('7'), ...others]).size).to.equal(4);
  });

  it('are the same only whole', () => {
    expect(isSameSecret('abc', 'abc')).to.equal(true);
    for (const given of ['', 'ab', 'abd', 'abcd', 'ABC']) expect(isSameSecret(given, 'abc'), given).to.equal(false);
  });
});
