import { expect } from 'chai';
import { drawnRelease } from './drawn-release.js';
import { changedPortions, PER_FINGERPRINT, RECORDED, reportOf, storedRecording } from './recorded-reports.js';

describe('recorded reports', () => {
  it('are what the engine answers for the same releases, to the last member', () => {
    const stored = storedRecording();
    expect(stored.reports).to.have.lengthOf(RECORDED / PER_FINGERPRINT);
    // One portion of ten. npm run recorded-reports -- --check compares all.
    expect(changedPortions(stored, { every: 10 })).to.deep.equal({ releases: [], reports: [] });
  });

  it('hold every decision, with and without waivers, and every axis unmeasured and measured', () => {
    const seen = new Set<string>();
    for (let number = 0; number < 3_000; number += 1) {
      const { axes, gate } = reportOf(number);
      seen.add(gate.decision).add(`${gate.decision} but ${gate.decisionWithoutWaivers}`);
      for (const { axis, state } of axes) seen.add(`${axis} ${state}`);
      for (const { code } of gate.reasons) seen.add(code);
    }
    expect([...seen]).to.include.members([
      ...['go', 'hold', 'unknown', 'go but hold', 'hold but hold'],
      ...['scope', 'quality', 'ops', 'verification', 'stability'].flatMap((axis) => [
        `${axis} measured`,
        `${axis} unmeasured`,
      ]),
      ...['score_below_threshold', 'axis_below_minimum', 'axis_unmeasured', 'open_critical_bugs'],
    ]);
  });

  it('are drawn again alike', () => {
    expect(drawnRelease(4711)).to.deep.equal(drawnRelease(4711));
    expect(drawnRelease(4711)).not.to.deep.equal(drawnRelease(4714));
  });
});
