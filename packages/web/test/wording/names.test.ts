import type { GateDecision } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import {
  noReleaseText,
  type RecordAttribution,
  releaseChoices,
  releasesOfRecord,
  waiversText,
} from '../../src/wording/names.js';

const text = (decision: GateDecision, without: GateDecision, waivers: number) =>
  waiversText({ decision, decision_without_waivers: without, waivers: Array(waivers).fill({}) });

describe('waivers in force, in words', () => {
  it('are named with the decision that there would be without them', () => {
    expect(text('go', 'hold', 1)).to.equal('Go with 1 waiver. Without it: Hold.');
    expect(text('go', 'unknown', 2)).to.equal('Go with 2 waivers. Without them: Unknown.');
  });

  it('are named where they do not suffice, too', () => {
    expect(text('hold', 'hold', 1)).to.equal('Hold with 1 waiver. Without it: Hold.');
    expect(text('unknown', 'hold', 2)).to.equal('Unknown with 2 waivers. Without them: Hold.');
  });

  it('are not mentioned where there is none', () => {
    expect(text('go', 'go', 0)).to.equal(undefined);
  });
});

const project = { id: 'p', name: 'checkout' };

describe('releases to choose from', () => {
  it('hold the chosen one, as a dash where its name is not known', () => {
    const releases = [{ id: 'a', name: '2.4' }];
    expect(releaseChoices(releases, '')).to.deep.equal([['a', '2.4']]);
    expect(releaseChoices(releases, 'a')).to.deep.equal([['a', '2.4']]);
    expect(releaseChoices(releases, 'b')).to.deep.equal([
      ['a', '2.4'],
      ['b', '–'],
    ]);
  });
});

describe('what a record counts for, in words', () => {
  it('says for each release whether it counts, and why not', () => {
    const attribution: RecordAttribution = {
      project,
      axis: 'verification',
      releases: [
        { id: 'a', name: '2.4', counts: true },
        { id: 'b', name: '2.5', counts: false, reason: 'superseded_by_newer_run' },
      ],
    };
    expect(releasesOfRecord(attribution)).to.deep.equal([
      { release: { id: 'a', name: '2.4' }, why: null },
      { release: { id: 'b', name: '2.5' }, why: 'a newer run counts' },
    ]);
  });

  it('says why a record falls in no release', () => {
    const outside = { project, releases: [], reason: 'no_release_window' } as const;
    expect(noReleaseText({ ...outside, axis: 'stability' })).to.equal('no release was open when it started');
    expect(noReleaseText({ ...outside, axis: 'verification' })).to.equal('its release was removed');
  });
});
