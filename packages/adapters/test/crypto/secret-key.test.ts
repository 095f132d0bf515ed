import { hkdfSync, randomBytes } from 'node:crypto';
import { derivedKey, sealer } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { ENOUGH_BITS, estimatedBits } from '../../src/crypto/secret-key.js';

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

describe('the estimate of a secret key', () => {
  it('is enough for what programs make of 32 random bytes', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = randomBytes(48);
      expect(estimatedBits(bytes.toString('base64')), bytes.toString('base64')).to.be.at.least(ENOUGH_BITS);
      expect(estimatedBits(bytes.toString('base64url'))).to.be.at.least(ENOUGH_BITS);
      expect(estimatedBits(bytes.subarray(0, 32).toString('hex'))).to.be.at.least(ENOUGH_BITS);
    }
    expect(estimatedBits('9f86d081884c7d659a2feaa0c55ad015')).to.equal(128);
    expect(estimatedBits('q3dGm0Yx7TzVb1RkPs9LcWnE4uJhAf2oX8iZy6KtMvB')).to.be.at.least(ENOUGH_BITS);
  });

  it('is not enough for what people make up, however long', () => {
    for (const text of [
      'k'.repeat(200),
      '0123456789abcdef0123456789abcdef',
      'deadbeefcafebabedeadbeefcafebabe',
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'qwertyuiopasdfghjklzxcvbnm1234567890',
      '00000000-0000-4000-8000-000000000000',
      'the same 32 characters everywhere',
      'correct horse battery staple correct horse battery staple',
      'CorrectHorseBatteryStaple2024CorrectHorse!',
      'P@ssw0rd-P@ssw0rd-P@ssw0rd-P@ssw0rd-P@ssw0rd-P@ssw0rd',
      'change-me-change-me-change-me-change-me-change-me',
      'shipworthy-production-secret-key-2026-acme-corporation',
      'ein-sehr-geheimer-schlüssel-für-die-produktion',
    ])
      expect(estimatedBits(text), text).to.be.below(ENOUGH_BITS);
  });

  it('is 0 for nothing and grows with what is added', () => {
    expect(estimatedBits('')).to.equal(0);
    expect(estimatedBits('kite')).to.be.below(estimatedBits('kite moon'));
  });
});

const OLD = { id: 'k1', key: Buffer.alloc(32, 1) };
const NEW = { id: 'k2', key: Buffer.alloc(32, 2) };

describe('sealer', () => {
  it('brings secrets back in their own place only', () => {
    const { seal, unseal } = sealer([OLD]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        const sealed = seal(secret, context);
        expect(unseal(sealed, context)).to.equal(secret);
        expect(unseal(sealed, `${context}!`)).to.equal(undefined);
      }),
    );
  });

  it('never seals the same secret to the same text, nor shows it', () => {
    const { seal } = sealer([OLD]);
    const sealed = Array.from({ length: 50 }, () => seal('gho_token', 'user'));
    expect(new Set(sealed).size).to.equal(50);
    for (const text of sealed) {
      expect(text).to.match(/^k1\.[A-Za-z0-9_-]+$/);
      expect(Buffer.from(text.slice(3), 'base64url').includes('token')).to.equal(false);
    }
  });

  it('opens nothing that was changed in any byte', () => {
    const { seal, unseal } = sealer([OLD, NEW]);
    const sealed = seal('secret', 'user');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(unseal(`k1.${changed.toString('base64url')}`, 'user')).to.equal(undefined);
    }
    for (const wrong of ['', 'k1.', 'k1.AAAA', `k2.${sealed.slice(3)}`, `k9.${sealed.slice(3)}`, sealed.slice(3)]) {
      expect(unseal(wrong, 'user')).to.equal(undefined);
    }
  });

  it('rotates: opens what an older key sealed, says so, and seals with the first key', () => {
    const before = sealer([OLD]).seal('secret', 'user');
    const rotating = sealer([NEW, OLD]);
    expect(rotating.unseal(before, 'user')).to.equal('secret');
    expect(rotating.isOutdated(before)).to.equal(true);
    const after = rotating.seal('secret', 'user');
    expect(rotating.isOutdated(after)).to.equal(false);
    const rotated = sealer([NEW]);
    expect(rotated.unseal(after, 'user')).to.equal('secret');
    expect(rotated.unseal(before, 'user')).to.equal(undefined);
  });

  it('refuses keys that do not fit', () => {
    const wrong = [[], [{ ...OLD, key: Buffer.alloc(16) }], [{ ...OLD, id: 'a.b' }], [{ ...OLD, id: '' }], [OLD, OLD]];
    for (const keys of wrong) expect(() => sealer(keys)).to.throw(RangeError);
  });
});
