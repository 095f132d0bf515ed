import { expect } from 'chai';
import fc from 'fast-check';
import { AXES, assessRelease, basisFaults, DEFAULT_POLICY } from '../../src/readiness/index.js';
import {
  acceptedBugs,
  acceptedScore,
  covers,
  isInForce,
  isWaived,
  REASON_CODES,
  waiverStateOf,
} from '../../src/readiness/waiver.js';
import { anyCase } from './arbitrary-release.js';
import { HOUR, NOW, READY, ready, waiver } from './sample-release.js';

describe('a waiver is in force', () => {
  it('from the moment it is signed', () => {
    expect(isInForce(waiver({ createdAt: NOW }), NOW)).to.equal(true);
    expect(isInForce(waiver({ createdAt: NOW + 1 }), NOW)).to.equal(false);
  });

  it('until it expires: at that moment it no longer applies', () => {
    expect(isInForce(waiver({ expiresAt: NOW + 1 }), NOW)).to.equal(true);
    expect(isInForce(waiver({ expiresAt: NOW }), NOW)).to.equal(false);
  });

  it('unless it is withdrawn', () => {
    expect(isInForce(waiver({ withdrawnAt: NOW - HOUR, withdrawnBy: 'Ada' }), NOW)).to.equal(false);
  });
});

describe('the state of a waiver', () => {
  it('is active until it expires, and expired from that moment on', () => {
    const signed = waiver({ expiresAt: NOW });
    expect([NOW - 1, NOW, NOW + 1].map((at) => waiverStateOf(signed, at))).to.deep.equal([
      'active',
      'expired',
      'expired',
    ]);
  });

  it('is withdrawn once it was withdrawn, however long it would have lasted', () => {
    const withdrawn = waiver({ withdrawnAt: NOW - HOUR, withdrawnBy: 'Ada', expiresAt: NOW });
    expect([NOW - 1, NOW].map((at) => waiverStateOf(withdrawn, at))).to.deep.equal(['withdrawn', 'withdrawn']);
  });
});

describe('a waiver covers a reason', () => {
  it('of its own code and axis only', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'ops', actual: 50 });
    for (const code of REASON_CODES)
      for (const axis of [null, ...AXES])
        expect(covers(signed, code, axis, 50, NOW)).to.equal(code === 'axis_below_minimum' && axis === 'ops');
  });

  it('while the score is no worse than the one it was signed for', () => {
    const signed = waiver({ code: 'score_below_threshold', actual: 71.43 });
    expect(covers(signed, 'score_below_threshold', null, 71.43, NOW)).to.equal(true);
    expect(covers(signed, 'score_below_threshold', null, 79.99, NOW)).to.equal(true);
    expect(covers(signed, 'score_below_threshold', null, 71.42, NOW)).to.equal(false);
  });

  it('while the axis is no worse than it was', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'scope', actual: 50 });
    expect(covers(signed, 'axis_below_minimum', 'scope', 50, NOW)).to.equal(true);
    expect(covers(signed, 'axis_below_minimum', 'scope', 49.99, NOW)).to.equal(false);
  });

  it("a second critical bug is not covered by the first one's waiver", () => {
    const signed = waiver({ code: 'open_critical_bugs', actual: 1 });
    expect(covers(signed, 'open_critical_bugs', null, 1, NOW)).to.equal(true);
    expect(covers(signed, 'open_critical_bugs', null, 2, NOW)).to.equal(false);
  });

  it('of an unmeasured axis, where there is nothing to compare', () => {
    const signed = waiver({ code: 'axis_unmeasured', axis: 'verification', actual: null });
    expect(covers(signed, 'axis_unmeasured', 'verification', null, NOW)).to.equal(true);
  });

  it('never without an actual where the reason has one, nor the other way round', () => {
    const blank = waiver({ code: 'score_below_threshold', actual: null });
    expect(covers(blank, 'score_below_threshold', null, 70, NOW)).to.equal(false);
    const odd = waiver({ code: 'axis_unmeasured', axis: 'ops', actual: 0 });
    expect(covers(odd, 'axis_unmeasured', 'ops', null, NOW)).to.equal(false);
    expect(covers(blank, 'score_below_threshold', null, null, NOW)).to.equal(false);
  });

  it('only while it is in force', () => {
    const late = waiver({ actual: 10, expiresAt: NOW });
    expect(covers(late, 'score_below_threshold', null, 10, NOW)).to.equal(false);
    expect(covers(late, 'score_below_threshold', null, 10, NOW - 1)).to.equal(true);
  });
});

describe('what waivers make the gate accept', () => {
  it('is the least that any of them in force was signed for', () => {
    const some = [
      waiver({ actual: 70 }),
      waiver({ actual: 65.5 }),
      waiver({ actual: 10, expiresAt: NOW }),
      waiver({ code: 'axis_below_minimum', axis: 'scope', actual: 5 }),
    ];
    expect(acceptedScore(some, 'score_below_threshold', null, 8000, NOW)).to.equal(6550);
    expect(acceptedScore(some, 'axis_below_minimum', 'scope', 6000, NOW)).to.equal(500);
    expect(acceptedScore(some, 'axis_below_minimum', 'ops', 6000, NOW)).to.equal(6000);
    expect(acceptedScore([waiver({ actual: 90 })], 'score_below_threshold', null, 8000, NOW)).to.equal(8000);
  });

  it('is the most bugs that any of them in force was signed for', () => {
    const signed = (actual: number) => waiver({ code: 'open_critical_bugs', actual });
    expect(acceptedBugs([signed(2), signed(3)], 1, NOW)).to.equal(3);
    expect(acceptedBugs([signed(1)], 2, NOW)).to.equal(2);
    expect(acceptedBugs([waiver({ code: 'open_critical_bugs', actual: 9, expiresAt: NOW })], 0, NOW)).to.equal(0);
  });

  it('is the same as covering the reason, for any release', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        for (const { code, axis, actual, required, waived } of assessRelease(facts, policy, NOW, waivers).gate
          .reasons) {
          expect(waived).to.equal(isWaived(waivers, code, axis, actual, NOW));
          if (actual === null || required === null) continue;
          if (code === 'open_critical_bugs') expect(actual <= acceptedBugs(waivers, required, NOW)).to.equal(waived);
          else if (code === 'score_below_threshold' || code === 'axis_below_minimum') {
            const demand = acceptedScore(waivers, code, axis, Math.round(required * 100), NOW);
            expect(Math.round(actual * 100) >= demand).to.equal(waived);
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the faults of waivers', () => {
  const faultsOf = (...waivers: readonly unknown[]) => basisFaults(READY, DEFAULT_POLICY, NOW, waivers);
  const changed = (changes: object) => faultsOf({ ...waiver({}), ...changes });
  const codes = 'score_below_threshold, axis_below_minimum, axis_unmeasured, open_critical_bugs';
  const axes = 'scope, quality, ops, verification, stability';
  const outOfRange = 'It must be null or a number from 0 to 2147483647';

  for (const [changes, pointer, code, message] of [
    [{ code: 'no_weights' }, '/code', 'unknown_value', `It must be one of ${codes}`],
    [{ axis: 'Speed' }, '/axis', 'unknown_axis', `It must be null, one of ${axes}, or the name of an own axis`],
    [{ actual: '5' }, '/actual', 'out_of_range', outOfRange],
    [{ actual: -0.01 }, '/actual', 'out_of_range', outOfRange],
    [{ actual: 2 ** 31 }, '/actual', 'out_of_range', outOfRange],
  ] as const)
    it(`name what is wrong with ${JSON.stringify(changes)}`, () => {
      expect(changed(changes)).to.deep.equal([{ pointer: `/waivers/0${pointer}`, code, message }]);
    });

  it('are none for the least and the greatest value that was accepted', () => {
    for (const actual of [null, 0, 66.66, 2 ** 31 - 1]) expect(changed({ actual }), String(actual)).to.deep.equal([]);
  });

  it('say that an entry is no waiver', () => {
    expect(faultsOf(null, undefined, 5)).to.deep.equal([
      { pointer: '/waivers/0', code: 'wrong_type', message: 'It must be an object' },
      { pointer: '/waivers/1', code: 'missing', message: 'It is missing: it must be an object' },
      { pointer: '/waivers/2', code: 'wrong_type', message: 'It must be an object' },
    ]);
  });

  it('are counted beyond the ten that a refusal names', () => {
    const waivers = Array.from({ length: 12 }, () => null as never);
    expect(() => assessRelease(ready({}), DEFAULT_POLICY, NOW, waivers)).to.throw(TypeError, / \(and 2 more\)$/);
  });
});
