import { expect } from 'chai';
import { credentialOf } from '../../src/http/credential.js';
import { sessionCookie } from '../../src/http/session-cookie.js';

describe('sessionCookie', () => {
  const set = { set: { secret: 's', expiresAt: 0 } } as const;

  it('is bound to the host and to https where there is https', () => {
    const cookie = sessionCookie(new URL('https://ship.acme.dev'));
    expect(cookie.name).to.equal('__Host-shipworthy');
    const expected =
      '__Host-shipworthy=s; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
    expect(cookie.header(set)).to.equal(expected);
    expect(cookie.header({ clear: true })).to.match(/^__Host-shipworthy=; .*Secure; Max-Age=0$/);
  });

  it('is bound to the path, which is part of its name, where there is one: __Host- is for the root alone', () => {
    const cookie = sessionCookie(new URL('https://acme.dev/tools/shipworthy/'));
    expect(cookie.name).to.equal('__Secure-shipworthy-tools-shipworthy');
    expect(cookie.header(set)).to.match(
      /^__Secure-shipworthy-tools-shipworthy=s; Path=\/tools\/shipworthy; HttpOnly; SameSite=Lax; Secure;/,
    );
    expect(sessionCookie(new URL('http://127.0.0.1/a')).name).to.equal('shipworthy_session-a');
  });

  it('has a name of its own over http', () => {
    expect(sessionCookie(new URL('http://127.0.0.1:4400')).header(set)).to.match(
      /^shipworthy_session=s; Path=\/; HttpOnly/,
    );
  });
});

describe('credentialOf', () => {
  it('reads the one cookie by its exact name', () => {
    const of = (cookie: string) => credentialOf({ cookie }, 'shipworthy_session');
    expect(of('a=1; shipworthy_session=abc; b=2')).to.deep.equal({ kind: 'session', secret: 'abc' });
    for (const cookie of [
      'xshipworthy_session=abc',
      'shipworthy_session',
      'shipworthy_session=',
      'SHIPWORTHY_SESSION=a',
    ])
      expect(of(cookie), cookie).to.deep.equal({ kind: 'none' });
    expect(of(`shipworthy_session=${'x'.repeat(600)}`)).to.deep.equal({ kind: 'none' });
  });

  it('takes an Authorization header for what it is, and never falls back to the cookie', () => {
    const cookie = 'shipworthy_session=abc';
    const kind = (authorization: string) => credentialOf({ authorization, cookie }, 'shipworthy_session').kind;
    expect(kind('Bearer key')).to.equal('api_key');
    for (const authorization of ['', 'Bearer', 'Bearer a b', 'Basic x', `Bearer ${'x'.repeat(600)}`])
      expect(kind(authorization), authorization).to.equal('unreadable');
  });
});
