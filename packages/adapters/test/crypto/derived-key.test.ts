import { hkdfSync } from 'node:crypto';
import { derivedKey } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';

const SECRET = Buffer.alloc(32, 7);

describe('derivedKey', () => {
  it('is HKDF-SHA-256 with the purpose as its information', () => {
    const expected = Buffer.from(hkdfSync('sha256', SECRET, '', 'shipworthy cursor', 32));
    expect(derivedKey(SECRET, 'cursor')).to.deep.equal(expected);
  });

  it('differs for every purpose and secret key, and needs 32 bytes of it', () => {
    const keys = [derivedKey(SECRET, 'a'), derivedKey(SECRET, 'b'), derivedKey(Buffer.alloc(32, 8), 'a')];
    expect(new Set(keys.map((key) => key.toString('hex'))).size).to.equal(3);
    expect(() => derivedKey(Buffer.alloc(31), 'a')).to.throw(RangeError);
  });
});
