import { expect } from 'chai';
import {
  assessRelease,
  type NextStep,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import {
  checklist,
  deployments,
  EMPTY,
  everyAxis,
  issues,
  lenient,
  NOW,
  policy,
  ready,
  testRun,
} from './sample-release.js';

const stepsOf = (
  facts: ReleaseFacts,
  rules: Policy = policy({}),
  waivers: readonly Waiver[] = [],
): readonly NextStep[] => assessRelease(facts, rules, NOW, waivers).gate.nextSteps;
const shown = (...given: Parameters<typeof stepsOf>): readonly string[] =>
  stepsOf(...given).map(({ axis, action, count, gain }) => `${axis} ${action} ${count} ${gain}`);
const only = (axis: keyof Policy['weights'], rules: Partial<Policy> = {}): Policy =>
  lenient({ weights: { ...everyAxis(0), [axis]: 1 }, threshold: 0, ...rules });

describe('next steps for score_below_threshold', () => {
  it('axes by largest gain of the whole score per unit, until met', () => {
    const facts = ready({ ...issues(50, 100), ops: checklist(2, 4), verification: testRun(500, 1000) });
    expect(shown(facts, lenient({ threshold: 80 }))).to.deep.equal(['ops tick_checklist_items 2 10']);
    expect(shown(facts, lenient({ threshold: 85 }))).to.deep.equal([
      'scope close_issues 25 5',
      'ops tick_checklist_items 2 10',
    ]);
    expect(shown(facts, lenient({ threshold: 91 }))).to.deep.equal([
      'scope close_issues 50 10',
      'ops tick_checklist_items 2 10',
      'verification fix_tests 50 1',
    ]);
  });

  it('measures the one axis of weight where nothing else asks for it', () => {
    expect(shown(EMPTY, only('scope'))).to.deep.equal(['scope add_issues 1 null']);
    expect(shown(EMPTY, only('quality'))).to.deep.equal(['quality add_issues 1 null']);
    expect(shown(EMPTY, only('ops'))).to.deep.equal(['ops add_checklist_items 1 null']);
    expect(shown(EMPTY, only('verification'))).to.deep.equal(['verification record_test_run 1 null']);
    expect(shown(EMPTY, only('stability'))).to.deep.equal(['stability deploy_successfully 1 null']);
  });

  it('counts a bug in scope and in quality once nothing but bugs is open', () => {
    const rules = lenient({ threshold: 95 });
    expect(shown(ready(issues(10, 12, { resolved: 1, minor: 2 })), rules)).to.deep.equal([
      'scope close_issues 2 16.66',
    ]);
    const few = ready(issues(9, 12, { resolved: 1, minor: 3 }));
    expect(shown(few, lenient({ threshold: 90 }))).to.deep.equal(['scope close_issues 2 13.33']);
  });

  it('ties in axis order', () => {
    const facts = ready({ ...issues(2, 4), ops: checklist(2, 4), verification: testRun(2, 4) });
    expect(shown(facts, lenient({ threshold: 75 }))).to.deep.equal(['scope close_issues 1 5']);
    expect(shown(facts, lenient({ threshold: 85 }))).to.deep.equal([
      'scope close_issues 2 10',
      'ops tick_checklist_items 1 5',
    ]);
  });

  it("is merged into the axis' own step", () => {
    const facts = ready({ ...issues(0, 10), ops: checklist(0, 4) });
    const rules = policy({ threshold: 95 });
    expect(shown(facts, rules)).to.deep.equal(['scope close_issues 8 16', 'ops tick_checklist_items 4 20']);
  });

  it('a bug gains in scope too, so it comes first', () => {
    const facts = ready(issues(5, 10, { resolved: 3, minor: 3 }));
    expect(shown(facts, lenient({ threshold: 85 }))).to.deep.equal(['quality resolve_bugs 1 5.33']);
  });

  it('once all other issues are closed, each further one is a bug and gains as much', () => {
    const facts = ready(issues(5, 10, { resolved: 2, minor: 3 }));
    const scopeFirst = lenient({ weights: { ...everyAxis(1), scope: 9 }, threshold: 89 });
    expect(shown(facts, scopeFirst)).to.deep.equal(['scope close_issues 4 30.76']);
    const scopeOnly = lenient({ weights: { ...everyAxis(1), scope: 9, quality: 0 }, threshold: 85 });
    expect(shown(facts, scopeOnly)).to.deep.equal(['scope close_issues 3 22.5']);
  });

  it('weights count', () => {
    const facts = ready({ ...issues(1, 2), ops: checklist(1, 2) });
    const weights = { ...everyAxis(1), ops: 2 };
    expect(shown(facts, lenient({ weights, threshold: 76 }))).to.deep.equal(['ops tick_checklist_items 1 16.66']);
  });

  it('stability is used last', () => {
    const facts = ready({ ...issues(9, 10), stability: deployments(1, 9) });
    expect(shown(facts, lenient({ threshold: 82 }))).to.deep.equal(['scope close_issues 1 2']);
    expect(shown(facts, lenient({ threshold: 90 }))).to.deep.equal([
      'scope close_issues 1 2',
      'stability deploy_successfully 8 8',
    ]);
  });

  it('measuring stability at its minimum may cost score, which the other steps make up for', () => {
    const facts = ready({ ...issues(1, 5), stability: deployments(0, 2) });
    const rules = policy({ minFinishedDeployments: 3, minimums: everyAxis(0), threshold: 80 });
    expect(assessRelease(facts, rules, NOW).score).to.equal(80);
    expect(shown(facts, rules)).to.deep.equal(['scope close_issues 3 15', 'stability deploy_successfully 1 null']);
  });

  it('without a score and without demands one axis must be measured for go', () => {
    expect(shown(EMPTY, lenient())).to.deep.equal(['scope add_issues 1 null']);
    expect(shown(EMPTY, only('ops'))).to.deep.equal(['ops add_checklist_items 1 null']);
    expect(shown(EMPTY, only('stability'))).to.deep.equal(['stability deploy_successfully 1 null']);
    expect(shown(EMPTY, lenient({ weights: everyAxis(0) }))).to.deep.equal([]);
  });
});

describe('next steps where no number can clear the reason', () => {
  it('have no count and say so', () => {
    const rules = policy({ minimums: { ...everyAxis(0), stability: 100 } });
    expect(stepsOf(ready({ stability: deployments(9, 1) }), rules)).to.deep.equal([
      {
        axis: 'stability',
        action: 'deploy_successfully',
        count: null,
        gain: null,
        message:
          'No number of successful deployments brings stability to its minimum of 100 while 1 failed deployment counts in the release window',
      },
    ]);
  });

  it('are listed beside the steps for the rest, and the score is reached without them if possible', () => {
    const rules = policy({ minimums: { ...everyAxis(0), stability: 100 }, threshold: 84 });
    const facts = ready({ ...issues(5, 10), stability: deployments(8, 2) });
    expect(shown(facts, rules)).to.deep.equal(['stability deploy_successfully null null']);
    expect(shown(facts, { ...rules, threshold: 90 })).to.deep.equal([
      'scope close_issues 2 4',
      'stability deploy_successfully null null',
    ]);
  });

  it('say it of the score, too, and ask nothing more of the others then', () => {
    const facts = ready({ ...issues(5, 10), ops: checklist(2, 3), stability: deployments(8, 2) });
    const steps = stepsOf(facts, policy({ threshold: 100 }));
    expect(steps.map(({ action, count }) => `${action} ${count}`)).to.deep.equal([
      'close_issues 1',
      'tick_checklist_items 1',
      'deploy_successfully null',
    ]);
    expect(steps[2]?.message).to.equal(
      'No number of successful deployments brings the score to the threshold of 100 while 2 failed deployments count in the release window',
    );
  });

  it('a minimum of 100 can be met while nothing has failed', () => {
    const rules = policy({ minimums: { ...everyAxis(0), stability: 100 }, minFinishedDeployments: 3 });
    expect(shown(ready({ stability: deployments(1, 0) }), rules)).to.deep.equal([
      'stability deploy_successfully 2 null',
    ]);
  });

  it('the greatest number is the greatest count', () => {
    const rules = only('stability', { minFinishedDeployments: 2 ** 31 - 1, requiredAxes: ['stability'] });
    const steps = (succeeded: number, failed: number) =>
      shown(ready({ stability: deployments(succeeded, failed) }), rules);
    expect(steps(0, 0)).to.deep.equal(['stability deploy_successfully 2147483647 null']);
    expect(steps(7, 1)).to.deep.equal(['stability deploy_successfully 2147483639 null']);
  });

  it('say how far they counted where the number is beyond every count', () => {
    const rules = only('stability', { minimums: { ...everyAxis(0), stability: 99.99 } });
    expect(stepsOf(ready({ stability: deployments(0, 214_748) }), rules)[0]?.count).to.equal(2_147_265_252);
    expect(stepsOf(ready({ stability: deployments(0, 214_770) }), rules)[0]).to.include({
      count: null,
      message:
        'No number of successful deployments up to 2147483647 brings stability to its minimum of 99.99 while 214770 failed deployments count in the release window',
    });
  });
});
