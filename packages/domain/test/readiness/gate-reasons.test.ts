import { expect } from 'chai';
import { assessRelease, type Policy, type Reason, type ReleaseFacts } from '../../src/readiness/index.js';
import {
  checklist,
  deployments,
  EMPTY,
  everyAxis,
  issues,
  lenient,
  NOW,
  policy,
  READY,
  ready,
  testRun,
} from './sample-release.js';

const reasonsOf = (facts: ReleaseFacts, rules: Policy = policy({})): readonly Reason[] =>
  assessRelease(facts, rules, NOW).gate.reasons;
const named = (reasons: readonly Reason[]): readonly string[] =>
  reasons.map(({ code, axis }) => (axis === null ? code : `${code} ${axis}`));

describe('the reasons of the ship gate', () => {
  it('there is none for a release that meets every default demand exactly', () => {
    const facts = {
      ...issues(6, 10, { resolved: 3, minor: 2 }),
      ops: checklist(3, 3),
      verification: testRun(95, 100),
      stability: deployments(85, 15),
    };
    expect(assessRelease(facts, policy({}), NOW).score).to.equal(80);
    expect(reasonsOf(facts)).to.deep.equal([]);
  });

  it('score_below_threshold gives what is, what must be and a sentence', () => {
    expect(reasonsOf(ready(issues(0, 12)), lenient({ threshold: 80.01 }))).to.deep.equal([
      {
        code: 'score_below_threshold',
        axis: null,
        actual: 80,
        required: 80.01,
        message: 'The score is 80, below the threshold of 80.01',
        waived: false,
      },
    ]);
  });

  it('score_below_threshold is not evaluated while the score is null', () => {
    expect(reasonsOf(EMPTY, lenient({ threshold: 100 }))).to.deep.equal([]);
  });

  for (const [axis, title, minimum, facts] of [
    ['scope', 'Scope', 60, ready(issues(599, 1000))],
    ['quality', 'Quality', 60, ready(issues(599, 1000, { resolved: 599, minor: 100, major: 301 }))],
    ['ops', 'Ops', 100, ready({ ops: checklist(999, 1000) })],
    ['verification', 'Verification', 95, ready({ verification: testRun(949, 1000) })],
    ['stability', 'Stability', 60, ready({ stability: deployments(599, 401) })],
  ] as const)
    it(`axis_below_minimum of ${axis}: the default minimum is ${minimum}`, () => {
      const reason = reasonsOf(facts).find((one) => one.axis === axis);
      expect(reason).to.include({ code: 'axis_below_minimum', required: minimum, waived: false });
      expect(reason?.actual).to.be.lessThan(minimum);
      expect(reason?.message).to.equal(`${title} is at ${reason?.actual}, below its minimum of ${minimum}`);
    });

  it('an axis exactly at its minimum passes', () => {
    expect(reasonsOf(ready(issues(60, 100)))).to.deep.equal([]);
    expect(reasonsOf(ready({ verification: testRun(95, 100) }))).to.deep.equal([]);
    expect(reasonsOf(ready(issues(2, 3)), policy({ minimums: { ...everyAxis(0), scope: 66.66 } }))).to.deep.equal([]);
    expect(
      named(reasonsOf(ready(issues(2, 3)), policy({ minimums: { ...everyAxis(0), scope: 66.67 } }))),
    ).to.deep.equal(['axis_below_minimum scope']);
  });

  it('axis_unmeasured says why, for every required axis, with neither actual nor required', () => {
    const reasons = reasonsOf(EMPTY);
    expect(reasons.map(({ axis, message }) => `${axis}: ${message}`)).to.deep.equal([
      'scope: Scope is not measured: the release has no issue that counts',
      'quality: Quality is not measured: the release has no issue that counts',
      'ops: Ops is not measured: no checklist item applies',
      'verification: Verification is not measured: no test run was recorded',
      'stability: Stability is not measured: no deployment has finished in the release window',
    ]);
    for (const reason of reasons)
      expect(reason).to.include({ code: 'axis_unmeasured', actual: null, required: null, waived: false });
  });

  it('axis_unmeasured tells a stale test run and too few deployments apart', () => {
    const rules = policy({ freshnessHours: 0.5, minFinishedDeployments: 50 });
    expect(reasonsOf(READY, rules).map(({ message }) => message)).to.deep.equal([
      'Verification is not measured: the test run is too old',
      'Stability is not measured: too few deployments have finished in the release window',
    ]);
  });

  it('an axis that is not required may be unmeasured', () => {
    const rules = policy({ requiredAxes: ['scope', 'stability'] });
    expect(named(reasonsOf(ready({ verification: null, ops: checklist(0, 0) }), rules))).to.deep.equal([]);
  });

  it('an axis of weight 0 enters neither minimums nor what is required', () => {
    const weights = { ...everyAxis(0), scope: 1 };
    const facts = { ...EMPTY, ...issues(10, 10, { resolved: 1, minor: 0 }), ops: checklist(0, 3) };
    expect(reasonsOf(facts, policy({ weights }))).to.deep.equal([]);
  });

  it('open_critical_bugs: none may be open by default', () => {
    expect(reasonsOf(ready(issues(10, 12, { resolved: 9, critical: 1 })))).to.deep.equal([
      {
        code: 'open_critical_bugs',
        axis: null,
        actual: 1,
        required: 0,
        message: '1 critical bug open, at most 0 allowed',
        waived: false,
      },
    ]);
    const two = ready(issues(10, 12, { resolved: 9, critical: 2 }));
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: 1 }))[0]?.message).to.equal(
      '2 critical bugs open, at most 1 allowed',
    );
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: 2 }))).to.deep.equal([]);
    expect(reasonsOf(two, policy({ maxOpenCriticalBugs: null }))).to.deep.equal([]);
  });

  it('open_critical_bugs is a condition of its own, whatever the weight of quality is', () => {
    const rules = policy({ weights: { ...everyAxis(1), quality: 0 } });
    expect(named(reasonsOf(ready(issues(11, 12, { critical: 1 })), rules))).to.deep.equal(['open_critical_bugs']);
  });

  it('come in order: score, axes in axis order (each unmeasured or below its minimum), bugs', () => {
    const facts = {
      ...issues(1, 10, { critical: 2 }),
      ops: checklist(0, 0),
      verification: testRun(1, 10),
      stability: deployments(0, 0),
    };
    expect(named(reasonsOf(facts))).to.deep.equal([
      'score_below_threshold',
      'axis_below_minimum scope',
      'axis_below_minimum quality',
      'axis_unmeasured ops',
      'axis_below_minimum verification',
      'axis_unmeasured stability',
      'open_critical_bugs',
    ]);
  });
});
