import { expect } from 'chai';
import fc from 'fast-check';
import { meetsFilter } from '../../src/repository/issue-filter.js';

const meets = (title: string, labels: readonly string[], pathPrefix: string | null, wanted: readonly string[] = []) =>
  meetsFilter({ title, labels }, { labels: wanted, pathPrefix });

describe('The issue filter of a project', () => {
  it('asks for nothing by default', () => {
    expect(meets('Anything', [], null)).to.equal(true);
  });
  it('asks for one of the labels, in any case', () => {
    expect(meets('x', ['Team/Pay'], null, ['team/pay', 'team/search'])).to.equal(true);
    expect(meets('x', ['team/pay2'], null, ['team/pay'])).to.equal(false);
    expect(meets('x', [], null, ['team/pay'])).to.equal(false);
  });

  const paths: readonly [string, string, boolean][] = [
    ['net/http: drop a header', 'net/http', true],
    ['net/http/httptest: drop a header', 'net/http', true],
    ['net/httputil: drop a header', 'net/http', false],
    ['net: drop a header', 'net/http', false],
    ['net/url, net/http: drop a header', 'net/http', true],
    ['net/url,net/mail: drop a header', 'net/http', false],
    ['./packages/pay/: fix rounding', '/packages/pay/', true],
    ['Packages/Pay: fix rounding', 'packages/pay', true],
    ['net/http drops a header', 'net/http', false],
    ['net/http fails when: asked', 'net/http', false],
    [': nothing before', 'net/http', false],
    ['cmd/go: see net/http: it fails', 'net/http', false],
    ['whatever', '/', true],
  ];
  for (const [title, prefix, wanted] of paths)
    it(`${wanted ? 'takes' : 'leaves'} "${title}" under ${prefix}`, () => {
      expect(meets(title, [], prefix)).to.equal(wanted);
    });

  it('takes a path from a label as well', () => {
    expect(meets('Drop a header', ['net/http/httptest'], 'net/http')).to.equal(true);
    expect(meets('Drop a header', ['net/httputil'], 'net/http')).to.equal(false);
  });
  it('asks for every part that is given', () => {
    expect(meets('pay: x', ['bug'], 'pay', ['bug'])).to.equal(true);
    expect(meets('pay: x', [], 'pay', ['bug'])).to.equal(false);
    expect(meets('search: x', ['bug'], 'pay', ['bug'])).to.equal(false);
  });
  it('takes whatever lies at or below the prefix, and nothing beside it', () => {
    const segment = fc.stringMatching(/^[a-z0-9_-]{1,5}$/);
    const path = fc.array(segment, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, path, fc.boolean(), (prefix, other, below) => {
        const named = below ? [...prefix, ...other] : other;
        const wanted = prefix.every((each, index) => named[index] === each);
        expect(meets(`${named.join('/')}: fix`, [], prefix.join('/'))).to.equal(wanted);
        expect(meets('Fix', [named.join('/')], prefix.join('/'))).to.equal(wanted);
      }),
    );
  });
});
