import { expect } from 'chai';
import type { Release } from '../../src/release/release.js';
import { pendingReleases } from '../../src/repository/pending-releases.js';
import { releaseOf } from '../release/release-of.js';

const pendingAmong = (
  pending: readonly string[],
  before: readonly Partial<Release>[],
  after: readonly Partial<Release>[],
): readonly string[] => pendingReleases(pending, before.map(releaseOf), after.map(releaseOf));

const FOLLOWED = { id: 'r1', externalId: 'github:M1' };
const OWN = { id: 'r1', externalId: null };

describe('Pending releases', () => {
  it('are those that were made of a milestone or adopted by one', () => {
    expect(pendingAmong([], [], [FOLLOWED, { id: 'r2', externalId: null }])).to.deep.equal(['r1']);
    expect(pendingAmong([], [OWN], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('are not those that followed their milestone before', () => {
    expect(pendingAmong([], [FOLLOWED], [{ ...FOLLOWED, name: '1.1' }])).to.deep.equal([]);
  });
  it('are those that follow another milestone than before', () => {
    expect(pendingAmong([], [{ ...FOLLOWED, externalId: 'github:M2' }], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('stay so until all issues are read', () => {
    expect(pendingAmong(['r1'], [FOLLOWED], [FOLLOWED])).to.deep.equal(['r1']);
  });
  it('are none that were let go, closed, or are gone', () => {
    expect(pendingAmong(['r1'], [FOLLOWED], [OWN])).to.deep.equal([]);
    for (const state of ['shipped', 'canceled'] as const)
      expect(pendingAmong(['r1'], [FOLLOWED], [{ ...FOLLOWED, state }])).to.deep.equal([]);
    expect(pendingAmong(['r1'], [], [])).to.deep.equal([]);
  });
});
