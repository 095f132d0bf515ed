import { expect } from 'chai';
import {
  assessRelease,
  DEFAULT_POLICY,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { deployments, issues, NOW, policy, ready, waiver } from './sample-release.js';

/** The same object, but the member at that path answers the second value from the second reading on. */
const changing = <Value extends object>(value: Value, path: readonly string[], later: unknown): Value => {
  const [name = '', ...rest] = path;
  const given = value as Readonly<Record<string, unknown>>;
  const copy = { ...given };
  let reads = 0;
  Object.defineProperty(copy, name, {
    enumerable: true,
    get: () => {
      if (rest.length > 0) return inner;
      reads += 1;
      return reads === 1 ? given[name] : later;
    },
  });
  const inner = rest.length === 0 ? null : changing(given[name] as object, rest, later);
  return copy as Value;
};

describe('what answers differently the next time', () => {
  const HELD = ready({ ...issues(1, 12), stability: deployments(1, 9) });
  const asked = (facts: ReleaseFacts, rules: Policy, waivers: readonly Waiver[] = []) =>
    assessRelease(facts, rules, NOW, waivers).gate.decision;

  for (const [path, later] of [
    [['scope', 'done'], 12],
    [['scope'], { done: 12, total: 12 }],
    [['stability', 'failed'], 0],
    [['stability', 'succeeded'], Number.NaN],
    [['quality', 'total'], -1],
    [['ops', 'openItems'], 7],
  ] as const)
    it(`of the facts, as ${path.join('.')}, is judged by what was checked`, () => {
      expect(assessRelease(changing(HELD, path, later), DEFAULT_POLICY, NOW)).to.deep.equal(
        assessRelease(HELD, DEFAULT_POLICY, NOW),
      );
      expect(asked(changing(HELD, path, later), DEFAULT_POLICY)).to.equal('hold');
    });

  for (const [path, later] of [
    [['threshold'], 0],
    [['minimums', 'stability'], 0],
    [['weights', 'scope'], 0],
    [['requiredAxes'], []],
    [['minFinishedDeployments'], 1_000_000],
  ] as const)
    it(`of the policy, as ${path.join('.')}, is judged by what was checked, frozen or not`, () => {
      for (const rules of [changing(policy({}), path, later), Object.freeze(changing(policy({}), path, later))])
        expect(assessRelease(HELD, rules, NOW).gate).to.deep.equal(assessRelease(HELD, policy({}), NOW).gate);
    });

  it('of a frozen policy is asked anew for the next report', () => {
    const parts = { ...DEFAULT_POLICY };
    const rules = Object.freeze(changing(parts, ['threshold'], 0));
    const scores = [assessRelease(HELD, rules, NOW), assessRelease(HELD, rules, NOW)].map(({ gate }) =>
      gate.reasons.some(({ code }) => code === 'score_below_threshold'),
    );
    expect(scores).to.deep.equal([true, false]);
  });

  it('of a waiver is judged by what was checked', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'scope', actual: 8.33, expiresAt: NOW - 1 });
    const [reason] = assessRelease(HELD, DEFAULT_POLICY, NOW, [
      changing(signed, ['expiresAt'], NOW + 1),
    ]).gate.reasons.filter(({ axis }) => axis === 'scope');
    expect(reason?.waived).to.equal(false);
  });

  it('is read once too where the facts are odd, but fit', () => {
    const odd = { ...changing(HELD, ['scope', 'done'], 12), issuesPending: undefined } as unknown as ReleaseFacts;
    expect(asked(odd, DEFAULT_POLICY)).to.equal('hold');
    const many = policy({ environments: Array.from({ length: 9 }, (_, nth) => `e${nth}`) });
    expect(asked(HELD, changing(many, ['threshold'], 0))).to.equal('hold');
  });
});
