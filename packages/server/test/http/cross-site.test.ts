import { expect } from 'chai';
import { ownOrigins, refuseCrossSite } from '../../src/http/cross-site.js';
import { Problem } from '../../src/http/problem.js';

const OURS = new Set(['https://ship.acme.dev']);

describe('ownOrigins', () => {
  it('is the origin of the base URL, and on the loopback all of its names', () => {
    expect([...ownOrigins(new URL('https://ship.acme.dev/'))]).to.deep.equal(['https://ship.acme.dev']);
    expect([...ownOrigins(new URL('http://127.0.0.1:4400'))]).to.have.members([
      'http://localhost:4400',
      'http://127.0.0.1:4400',
      'http://[::1]:4400',
    ]);
    expect(ownOrigins(new URL('http://localhost')).has('http://127.0.0.1')).to.equal(true);
  });
});

describe('refuseCrossSite', () => {
  const verdict = (method: string, headers: Record<string, string>, proof: 'required' | 'if-any') => {
    try {
      refuseCrossSite(method, headers, OURS, proof);
      return 'passes';
    } catch (error) {
      expect((error as Problem).type).to.equal('cross-site');
      expect((error as Problem).detail).to.match(/carries a session but did not come from a page of this service/);
      return 'refused';
    }
  };

  it('demands proof of an unsafe request with a cookie', () => {
    expect(verdict('POST', { origin: 'https://ship.acme.dev' }, 'required')).to.equal('passes');
    expect(verdict('POST', { 'sec-fetch-site': 'same-origin' }, 'required')).to.equal('passes');
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'http://ship.acme.dev' },
      { origin: 'https://ship.acme.dev.evil.dev' },
      { origin: 'https://evil.dev', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { host: 'ship.acme.dev', referer: 'https://ship.acme.dev/' },
    ])
      expect(verdict('DELETE', headers, 'required'), JSON.stringify(headers)).to.equal('refused');
  });

  it('lets reading pass, and scripts that show nothing to abuse', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(verdict(method, { origin: 'https://evil.dev' }, 'required')).to.equal('passes');
    expect(verdict('POST', {}, 'if-any')).to.equal('passes');
    expect(verdict('POST', { origin: 'https://evil.dev' }, 'if-any')).to.equal('refused');
    expect(verdict('POST', { 'sec-fetch-site': 'cross-site' }, 'if-any')).to.equal('refused');
    expect(Problem).to.be.a('function');
  });
});
