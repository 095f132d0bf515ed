import type { Principal } from '@shipworthy/domain';
import { expect } from 'chai';
import {
  credentialOf,
  isBearerToken,
  pathOfTarget,
  queryOf,
  requestIdOf,
  sharerOf,
  traceParentOf,
} from '../../src/http/request.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

const PRINCIPAL: Principal = {
  kind: 'session',
  id: 's1',
  userId: 'u1',
  name: 'Ada',
  scopes: [],
  roles: new Map(),
  administrator: false,
  expiresAt: 0,
};
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('sharerOf', () => {
  it('is one for all keys and sessions of a person, from any network', () => {
    const of = (userId: string, address: string) => sharerOf({ principal: { ...PRINCIPAL, userId }, address });
    expect(of('u1', '192.0.2.7')).to.equal(of('u1', '2001:db8::1'));
    expect(of('u1', '192.0.2.7')).to.not.equal(of('u2', '192.0.2.7'));
  });
  it('is the network of a caller without a credential', () => {
    expect(sharerOf({ principal: null, address: '192.0.2.7' })).to.equal('192.0.2.7');
    expect(sharerOf({ principal: null, address: '2001:db8::1' })).to.equal('2001:db8:0:0::/64');
  });
});

describe('the target of a request', () => {
  it('is a path with a query, or only a path', () => {
    const parts = (target: string) => [pathOfTarget(target), queryOf(target)];
    expect(parts('/api/teams')).to.deep.equal(['/api/teams', '']);
    expect(parts('/api/teams?limit=2&q=a?b')).to.deep.equal(['/api/teams', 'limit=2&q=a?b']);
    expect(parts('/api/teams?')).to.deep.equal(['/api/teams', '']);
    expect(parts('/api/teams?limit=2#end')).to.deep.equal(['/api/teams', 'limit=2']);
    expect(parts('?limit=2')).to.deep.equal(['', 'limit=2']);
    expect(parts('*')).to.deep.equal(['*', '']);
  });
  it('may be a whole address, as proxies send it', () => {
    for (const target of ['http://ship.acme.dev/api/teams/', 'http://ship.acme.dev/api/teams/?limit=2'])
      expect(pathOfTarget(target)).to.equal('/api/teams/');
    expect(queryOf('http://ship.acme.dev/api/teams/?limit=2')).to.equal('limit=2');
    expect(pathOfTarget('//ship.acme.dev/api'), 'a path that only looks like one').to.equal('//ship.acme.dev/api');
  });
});

describe('an answer of the API', () => {
  it('is kept by no cache, runs nothing and is framed nowhere, unless a step says otherwise', async () => {
    const service = await startBare();
    try {
      const { headers } = await ask(service.url, '/api/nothing');
      expect(headers['cache-control']).to.equal('no-store');
      expect(headers['content-security-policy']).to.equal("default-src 'none'; frame-ancestors 'none'");
    } finally {
      await service.close();
    }
  });
});

describe('requestIdOf', () => {
  it('is the caller’s when it is well-formed, else a new one', () => {
    const id = (given: string | undefined) => requestIdOf({ 'x-request-id': given }, () => 'new');
    expect(id('build-17/4:retry')).to.equal('build-17/4:retry');
    for (const given of [undefined, '', 'a b', '"x"', 'x'.repeat(129), 'swk_abcdef', 'é'])
      expect(id(given)).to.equal('new');
  });
});

describe('traceParentOf', () => {
  it('passes a well-formed traceparent on', async () => {
    expect(traceParentOf({ traceparent: TRACE })).to.equal(TRACE);
    for (const given of ['', 'x', TRACE.toUpperCase(), `${TRACE}0`, `x${TRACE}`])
      expect(traceParentOf({ traceparent: given })).to.equal(null);
    const service = await startBare();
    try {
      const answer = await ask(service.url, '/nothing', { headers: { traceparent: TRACE, 'x-request-id': 'mine' } });
      expect(answer.headers).to.include({ traceparent: TRACE, 'x-request-id': 'mine' });
      expect(answer.json).to.include({ request_id: 'mine' });
    } finally {
      await service.close();
    }
  });
});

const LONGEST = 'k'.repeat(512);
const ofHeader = (authorization: string) => credentialOf({ authorization, cookie: 'sid=s' }, 'sid');
const ofCookie = (cookie: string) => credentialOf({ cookie }, 'sid');
const key = (secret: string) => ({ kind: 'api_key', secret });
const session = (secret: string) => ({ kind: 'session', secret });
const UNREADABLE = { kind: 'unreadable', detail: 'Send the API key as "Authorization: Bearer" and the key.' };
const NONE = { kind: 'none' };

describe('credentialOf', () => {
  it('reads the key of a Bearer header, in any case and with blanks around it', () => {
    for (const header of ['Bearer k1', 'bearer k1', 'BEARER   k1  ']) expect(ofHeader(header)).to.deep.equal(key('k1'));
    expect(ofHeader(`Bearer ${LONGEST}`)).to.deep.equal(key(LONGEST));
  });
  it('takes any other Authorization for unreadable, and never falls back to the cookie', () => {
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      'Bearerk1',
      'Bearer k1 k2',
      'Basic k1',
      'x Bearer k1',
      `Bearer ${LONGEST}k`,
    ])
      expect(ofHeader(header), header).to.deep.equal(UNREADABLE);
  });
  it('reads the session cookie among others, with blanks around it', () => {
    for (const cookies of ['sid=s1', 'a=1; sid=s1; b=2', 'sid = s1 ;b', 'xsid=s2; sid=s1', 'sid=s1; sid=s2'])
      expect(ofCookie(cookies), cookies).to.deep.equal(session('s1'));
    expect(ofCookie('sid=a=b')).to.deep.equal(session('a=b'));
    expect(ofCookie(`sid=${LONGEST}`)).to.deep.equal(session(LONGEST));
  });
  it('finds nothing shown in no header, no such cookie, and an empty or endless one', () => {
    expect(credentialOf({}, 'sid')).to.deep.equal(NONE);
    for (const cookies of ['', 'sid', 'sid=', 'SID=s1', 'a=sid', '=s1', `sid=${LONGEST}s`])
      expect(ofCookie(cookies), cookies).to.deep.equal(NONE);
  });
  it('ignores a cookie whose name has a blank around it that is neither a space nor a tab', () => {
    for (const blank of ['\u00a0', '\u0085', '\u000b', '\u000c', '\ufeff', '\u2003'])
      for (const cookies of [`${blank}sid=s2`, `sid${blank}=s2`, `a=1; ${blank}sid=s2`])
        expect(ofCookie(cookies), JSON.stringify(cookies)).to.deep.equal(NONE);
    expect(ofCookie('\u00a0sid=s2; sid=s1')).to.deep.equal(session('s1'));
    expect(ofCookie('\tsid\t=\ts1\t')).to.deep.equal(session('s1'));
  });
  it('ignores a cookie without a name, for any name that is looked for', () => {
    expect(credentialOf({ cookie: '=s1' }, '')).to.deep.equal(NONE);
  });
});

describe('isBearerToken', () => {
  it('is 1-512 visible ASCII characters', () => {
    for (const token of ['a', '!~', LONGEST]) expect(isBearerToken(token), token).to.equal(true);
    for (const token of ['', 'a b', ' a', 'a ', 'é', 'aé', 'éa', 'a\n', `${LONGEST}k`])
      expect(isBearerToken(token), token).to.equal(false);
  });
});
