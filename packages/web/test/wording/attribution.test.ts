import { expect } from 'chai';
import { type Attribution, outsideText, standingsOf } from '../../src/wording/attribution.js';

const project = { id: 'p', name: 'checkout' };

describe('what a record counts for, in words', () => {
  it('says for each release whether it counts, and why not', () => {
    const attribution: Attribution = {
      project,
      axis: 'verification',
      releases: [
        { id: 'a', name: '2.4', counts: true },
        { id: 'b', name: '2.5', counts: false, reason: 'superseded_by_newer_run' },
      ],
    };
    expect(standingsOf(attribution)).to.deep.equal([
      { release: { id: 'a', name: '2.4' }, why: null },
      { release: { id: 'b', name: '2.5' }, why: 'a newer run counts' },
    ]);
  });

  it('says why a record falls in no release', () => {
    const outside = { project, releases: [], reason: 'no_release_window' } as const;
    expect(outsideText({ ...outside, axis: 'stability' })).to.equal('no release was open when it started');
    expect(outsideText({ ...outside, axis: 'verification' })).to.equal('its release is not there any more');
  });
});
