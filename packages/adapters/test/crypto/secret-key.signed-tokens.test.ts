import { randomUUID } from 'node:crypto';
import { cursors, DEVICE_KNOWN_FOR, devices } from '@shipworthy/adapters/crypto';
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

const ACCOUNT = 'ada@acme.dev';

describe('devices', () => {
  const { seal, open } = devices(SECRET);
  const id = randomUUID();
  const text = seal(id, ACCOUNT, 1000);

  const openFor = (sealed: string, account: string, now: number, key: Uint8Array = SECRET): string | undefined => {
    const device = devices(key).open(sealed, now);
    return device?.isOf(account) ? device.id : undefined;
  };

  it('are known for their own account, for a year, on every server with the same secret key', () => {
    expect(text).to.match(/^[\w.-]+$/);
    for (const part of text.split('.'))
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.to.contain(ACCOUNT);
    expect(openFor(text, ACCOUNT, 1000, Buffer.from(SECRET))).to.equal(id);
    expect(open(text, 1000)?.isOf('bob@acme.dev')).to.equal(false);
    expect(openFor(text, ACCOUNT, 999 + DEVICE_KNOWN_FOR)).to.equal(id);
    expect(openFor(text, ACCOUNT, 1000 + DEVICE_KNOWN_FOR)).to.equal(undefined);
    expect(devices(Buffer.alloc(32, 8)).open(text, 1000)).to.equal(undefined);
  });

  it('name their account by the same text on every device, without revealing it', () => {
    const one = open(text, 1000)?.account;
    expect(one).to.match(/^[\w-]{43}$/);
    expect(open(seal(randomUUID(), ACCOUNT, 2000), 2000)?.account).to.equal(one);
    expect(open(seal(id, 'bob@acme.dev', 1000), 1000)?.account).not.to.equal(one);
    expect(
      devices(Buffer.alloc(32, 8)).open(devices(Buffer.alloc(32, 8)).seal(id, ACCOUNT, 1), 1)?.account,
    ).not.to.equal(one);
  });

  it('are unknown once one character of their text was changed', () => {
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'a' ? 'b' : 'a';
      expect(open(`${text.slice(0, at)}${other}${text.slice(at + 1)}`, 1000), `${at}`).to.equal(undefined);
    }
    for (const odd of ['', '..', `${text} `, `${text}A`, text.slice(1)])
      expect(open(odd, 1000), odd).to.equal(undefined);
  });
});
