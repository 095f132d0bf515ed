import { cursors } from '@shipworthy/adapters/crypto';
import type { PageKey } from '@shipworthy/domain';
import { expect } from 'chai';
import fc from 'fast-check';

const SECRET = Buffer.alloc(32, 7);

describe('cursors', () => {
  it('bring page keys back as they were', () => {
    const { sealCursor, openCursor } = cursors(SECRET);
    const parts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(2 ** 53 - 1));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 4 }), fc.string(), (key, list) => {
        const text = sealCursor(key, list);
        expect(text).to.match(/^[A-Za-z0-9_-]+$/);
        expect(openCursor(text, list)).to.deep.equal(key);
      }),
    );
  });

  it('open on another server with the same secret key, and with no other key', () => {
    const key: PageKey = [1, 'a'];
    const text = cursors(SECRET).sealCursor(key, 'deployments');
    expect(cursors(Buffer.from(SECRET)).openCursor(text, 'deployments')).to.deep.equal(key);
    expect(cursors(Buffer.alloc(32, 8)).openCursor(text, 'deployments')).to.equal(undefined);
    expect(() => cursors(Buffer.alloc(31))).to.throw(RangeError);
  });

  it('open for their own list only', () => {
    const { sealCursor, openCursor } = cursors(SECRET);
    const text = sealCursor([1], 'a');
    for (const list of ['b', '', 'a ', 'a\n']) expect(openCursor(text, list)).to.equal(undefined);
  });

  it('open no text that was changed in any place, or made up', () => {
    const { sealCursor, openCursor } = cursors(SECRET);
    const text = sealCursor([1_700_000_000_000, 'id'], 'list');
    for (let place = 0; place < text.length; place += 1) {
      const changed = text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1);
      expect(openCursor(changed, 'list'), changed).to.equal(undefined);
      expect(openCursor(text.slice(0, place), 'list')).to.equal(undefined);
    }
    for (const wrong of [`${text}=`, `${text}A`, ` ${text}`, 'null', '💥']) {
      expect(openCursor(wrong, 'list')).to.equal(undefined);
    }
    const refused = fc.property(fc.string(), (noise) => {
      expect(openCursor(noise, 'list')).to.equal(undefined);
    });
    fc.assert(refused);
  });
});
