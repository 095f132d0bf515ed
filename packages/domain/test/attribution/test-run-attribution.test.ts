import { expect } from 'chai';
import { testRunAttribution } from '../../src/attribution/test-run-attribution.js';
import type { TestRunTarget } from '../../src/test-run/test-run-store.js';
import { releaseOf } from '../release/release-of.js';

const run = { ranAt: 10, recordedAt: 10, id: 'a', setAside: null };
const later = { ranAt: 11, recordedAt: 11, id: 'b' };
const earlier = { ranAt: 9, recordedAt: 99, id: 'z' };
const target: TestRunTarget = {
  project: { id: 'p1', teamId: 't1', name: 'Shop' },
  release: releaseOf({ state: 'active' }),
  verification: 'latest_run',
  latest: null,
  latestOfSuite: null,
};
const reason = (over: Partial<TestRunTarget>) => testRunAttribution(run, { ...target, ...over }).releases[0]?.reason;

describe('The receipt of a test run', () => {
  it('names project, release and axis', () => {
    expect(testRunAttribution(run, target)).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [{ id: 'r1', name: '1.0', counts: true, reason: null, contribution: null }],
      axis: 'verification',
      reason: null,
    });
  });
  it('says so where there is no release it could count for', () => {
    expect(testRunAttribution(run, { ...target, release: null })).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [],
      axis: 'verification',
      reason: 'no_release_window',
    });
  });
  it('counts as the latest: first, itself, or after an earlier one', () => {
    expect(reason({ latest: run, latestOfSuite: run })).to.equal(null);
    expect(reason({ latest: earlier, latestOfSuite: earlier })).to.equal(null);
  });
  it('is superseded by a newer run, of whatever suite', () => {
    expect(reason({ latest: later })).to.equal('superseded_by_newer_run');
  });
  it('under latest_per_suite is superseded by a newer run of its own suite only', () => {
    expect(reason({ verification: 'latest_per_suite', latest: later })).to.equal(null);
    expect(reason({ verification: 'latest_per_suite', latestOfSuite: later })).to.equal('superseded_by_newer_run');
  });
  it('does not count while it is set aside', () => {
    const setAside = { reason: 'Wrong branch.', by: 'Ada', at: 12 };
    expect(testRunAttribution({ ...run, setAside }, target).releases[0]?.reason).to.equal('set_aside');
  });
  it('does not count in a release that had shipped when it was recorded', () => {
    const at = (shippedAt: number) => reason({ release: releaseOf({ state: 'shipped', shippedAt }), latest: later });
    expect([at(10), at(11)]).to.deep.equal(['release_frozen', 'superseded_by_newer_run']);
  });
});
