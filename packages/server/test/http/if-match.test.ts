import { expect } from 'chai';
import { versionDemanded } from '../../src/http/if-match.js';
import { Problem } from '../../src/http/problem.js';

describe('versionDemanded', () => {
  it('is the version in quotes; another tag is a version nothing has', () => {
    expect(versionDemanded('"3"', false)).to.equal(3);
    expect(versionDemanded(' "12" ', true)).to.equal(12);
    for (const tag of ['3', 'W/"3"', '"abc"', '"3", "4"', '""', '"-1"', '"03"', '"99999999999"'])
      expect(versionDemanded(tag, true), tag).to.equal(0);
  });

  it('is any version without the header or for the star, unless one is required', () => {
    expect(versionDemanded(undefined, false)).to.equal(null);
    expect(versionDemanded('*', false)).to.equal(null);
    for (const header of [undefined, '*']) expect(() => versionDemanded(header, true)).to.throw(Problem, /version/);
  });
});
