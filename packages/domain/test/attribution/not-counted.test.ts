import { expect } from 'chai';
import { type Attribution, attributedTo } from '../../src/attribution/attribution.js';
import { notCountedReason } from '../../src/attribution/not-counted.js';

const receipt = (over: Partial<Attribution>): Attribution => ({
  project: { id: 'p1', name: 'checkout' },
  releases: [],
  axis: 'stability',
  reason: null,
  ...over,
});
const release = (id: string) => ({ id, name: id });

describe('why a record counts for no release', () => {
  it('is the reason of the receipt where no release is concerned', () => {
    expect(notCountedReason(receipt({ reason: 'no_release_window' }))).to.equal('no_release_window');
  });

  it('is what every release says where it counts in none', () => {
    const releases = ['r1', 'r2'].map((id) => attributedTo(release(id), 'still_in_progress'));
    expect(notCountedReason(receipt({ releases }))).to.equal('still_in_progress');
  });

  it('is that of the release whose report is not frozen, where they differ', () => {
    const releases = [attributedTo(release('r1'), 'release_frozen'), attributedTo(release('r2'), 'still_in_progress')];
    expect(notCountedReason(receipt({ releases }))).to.equal('still_in_progress');
    expect(notCountedReason(receipt({ releases: releases.slice(0, 1) }))).to.equal('release_frozen');
  });

  it('is none as soon as it counts for one', () => {
    const releases = [attributedTo(release('r1'), 'superseded_by_newer_run'), attributedTo(release('r2'), null)];
    expect(notCountedReason(receipt({ releases }))).to.equal(null);
  });
});
