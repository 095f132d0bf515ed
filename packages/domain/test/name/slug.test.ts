import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf, slugOf } from '../../src/name/slug.js';

describe('Slugs and keys', () => {
  it('are lower-case words without accents', () => {
    expect(slugOf('Über Shop (v2)', 'project')).to.equal('uber-shop-v2');
    expect(keyOf('Feature flag')).to.equal('feature_flag');
  });
  it('fall back when nothing is left', () => {
    expect(slugOf('店', 'project')).to.equal('project');
    expect(keyOf('!!')).to.equal('item');
  });
  it('fit a browser address, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const slug = slugOf(name, 'team');
        expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).to.be.at.most(60);
      }),
    );
  });
  it('end in a word when cut', () => {
    expect(slugOf(`${'a'.repeat(59)} b`, 'team')).to.equal('a'.repeat(59));
  });
});
