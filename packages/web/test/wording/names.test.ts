import type { GateDecision } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { gateText, outsideText, type RecordAttribution, standingsOf } from '../../src/wording/names.js';

const text = (decision: GateDecision, without: GateDecision, waivers: number): string =>
  gateText({ decision, decision_without_waivers: without, waivers: Array(waivers).fill({}), reasons: [] });

describe('the decision of the gate, in words', () => {
  it('says that all is met only without waivers', () => {
    expect(text('go', 'go', 0)).to.equal('Everything the policy asks for is met.');
    expect(text('go', 'hold', 1)).to.equal('Go with 1 waiver. Without it: Hold.');
    expect(text('go', 'unknown', 2)).to.equal('Go with 2 waivers. Without them: Unknown.');
  });

  it('names waivers that do not suffice, too', () => {
    expect(text('hold', 'hold', 1)).to.equal('Hold with 1 waiver. Without it: Hold.');
    expect(text('unknown', 'hold', 2)).to.equal('Unknown with 2 waivers. Without them: Hold.');
  });

  it('says that nothing is judged where every weight is 0, and not that something was not measured', () => {
    const reasons = [{ code: 'no_weights', actual: null, required: null, message: '', waived: false }] as const;
    const undecided = { decision: 'unknown', decision_without_waivers: 'unknown' } as const;
    expect(gateText({ ...undecided, waivers: [], reasons: [...reasons] })).to.equal(
      'Every weight of the policy is 0, so nothing is judged.',
    );
  });
});

const project = { id: 'p', name: 'checkout' };

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
