import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { deviceCookie } from '../../src/http/device-cookie.js';

const ACCOUNT = 'ada@acme.dev';
const of = (address: string, byte = 7) =>
  deviceCookie({
    baseUrl: new URL(address),
    secretKey: Buffer.alloc(32, byte),
    clock: () => 0,
    newId: () => randomUUID(),
  });
const showing = (cookie?: string) => ({ request: { headers: { cookie } } as IncomingMessage });
const shownBy = (cookie: ReturnType<typeof of>, text: string | undefined, account: string) => {
  const device = cookie.shown(showing(text));
  return device?.isOf(account) ? device.id : null;
};
const pairOf = (header: string) => header.split(';')[0] ?? '';

describe('deviceCookie', () => {
  it('is named and protected like the session cookie, for a year', () => {
    expect(of('https://ship.acme.dev').header(showing(), ACCOUNT)).to.match(
      /^__Host-shipworthy-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=Fri, 01 Jan 1971 /,
    );
    expect(of('https://acme.dev/tools/shipworthy/').header(showing(), ACCOUNT)).to.match(
      /^__Secure-shipworthy-device-tools-shipworthy=[\w.-]+; Path=\/tools\/shipworthy; HttpOnly; SameSite=Lax; Secure;/,
    );
    expect(of('http://127.0.0.1:4400').name).to.equal('shipworthy_device');
    expect(of('http://127.0.0.1/a').name).to.equal('shipworthy_device-a');
  });

  it('shows the same device again for the same account, and none for another account or another service', () => {
    const cookie = of('http://127.0.0.1');
    const kept = pairOf(cookie.header(showing(), ACCOUNT));
    const device = shownBy(cookie, `a=b; ${kept}`, ACCOUNT);
    expect(device).to.be.a('string');
    expect(shownBy(cookie, pairOf(cookie.header(showing(kept), ACCOUNT)), ACCOUNT)).to.equal(device);
    expect(shownBy(cookie, kept, 'bob@acme.dev')).to.equal(null);
    expect(of('http://127.0.0.1', 8).shown(showing(kept))).to.equal(null);
    for (const forged of [undefined, '', `${kept}x`, 'shipworthy_device=', `shipworthy_device=${'x'.repeat(5000)}`])
      expect(cookie.shown(showing(forged)), forged).to.equal(null);
  });

  it('becomes that of a new device when another account signs in', () => {
    const cookie = of('http://127.0.0.1');
    const kept = pairOf(cookie.header(showing(), ACCOUNT));
    const next = pairOf(cookie.header(showing(kept), 'bob@acme.dev'));
    expect(shownBy(cookie, next, 'bob@acme.dev')).not.to.equal(shownBy(cookie, kept, ACCOUNT));
    expect(shownBy(cookie, next, ACCOUNT)).to.equal(null);
  });
});
