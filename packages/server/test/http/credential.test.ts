import { expect } from 'chai';
import { credentialOf, isBearerToken } from '../../src/http/credential.js';

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
  it('takes a cookie without a name for none, whatever the name looked for', () => {
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
