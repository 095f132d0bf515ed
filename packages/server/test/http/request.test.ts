import { expect } from 'chai';
import { credentialOf, isBearerToken, requestIdOf, traceParentOf } from '../../src/http/request.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

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
    for (const given of ['', 'x', TRACE.toUpperCase(), `${TRACE}0`])
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
