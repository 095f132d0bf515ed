import { sealer } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import fc from 'fast-check';

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
