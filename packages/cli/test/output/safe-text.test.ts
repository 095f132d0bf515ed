import { expect } from 'chai';
import { hiding, holdsKey, inert } from '../../src/output/safe-text.js';

const KEY = `swk_${'a1B'.repeat(12)}`;

describe('hiding', () => {
  it('takes out every key, known or not, and what it is told to', () => {
    const { hide, shown } = hiding({ env: { SHIPWORTHY_API_KEY: ' a key of another form \n' } });
    hide('pass word&1');
    expect(shown(`k ${KEY}, a key of another form, pass word&1, pass%20word%261.`)).to.equal(
      'k [hidden], [hidden], [hidden], [hidden].',
    );
  });

  it('leaves ordinary words alone', () => {
    const { hide, shown } = hiding({ env: { SHIPWORTHY_API_KEY: 'short' } });
    hide('');
    expect(shown('a short word of swk_ and swk_1')).to.equal('a short word of swk_ and swk_1');
  });

  it('recognises a key within a text, every time it is asked', () => {
    for (const _ of [1, 2, 3]) expect(holdsKey(`https://a.example/${KEY}/`)).to.equal(true);
    expect(holdsKey('swk_')).to.equal(false);
  });
});

describe('inert', () => {
  it('looks at each run of colons once, however long it is', () => {
    const many = 1_000_000;
    expect(inert(`${'::1'.repeat(many)}${':'.repeat(many)}a`)).to.have.length(3 * many + 1 + 2 * many);
  });
});
