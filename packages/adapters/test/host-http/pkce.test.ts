import { expect } from 'chai';
import { challengeOf, newState, newVerifier } from '../../src/host-http/pkce.js';

describe('proof keys of an approval', () => {
  it('makes the challenge of RFC 7636, appendix B', () => {
    const challenge = challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
    expect(challenge).to.equal('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('makes verifiers and states of 256 bits, each only once', () => {
    const made = Array.from({ length: 50 }, () => [newVerifier(), newState()]).flat();
    expect(new Set(made).size).to.equal(made.length);
    for (const text of made) expect(text).to.match(/^[A-Za-z0-9_-]{43}$/);
  });
});
