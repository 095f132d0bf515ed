import { randomUUID } from 'node:crypto';
import { DEVICE_KNOWN_FOR, devices } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';

const SECRET = Buffer.alloc(32, 7);
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
    expect(text).not.to.contain('ada');
    expect(openFor(text, ACCOUNT, 1000, Buffer.from(SECRET))).to.equal(id);
    expect(open(text, 1000)?.isOf('bob@acme.dev')).to.equal(false);
    expect(openFor(text, ACCOUNT, 999 + DEVICE_KNOWN_FOR)).to.equal(id);
    expect(openFor(text, ACCOUNT, 1000 + DEVICE_KNOWN_FOR)).to.equal(undefined);
    expect(devices(Buffer.alloc(32, 8)).open(text, 1000)).to.equal(undefined);
  });

  it('name their account by the same text on every device, which tells nobody the account', () => {
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
