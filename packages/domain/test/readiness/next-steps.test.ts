import { expect } from 'chai';
import {
  assessRelease,
  type NextStep,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { checklist, deployments, EMPTY, issues, NOW, policy, READY, ready, testRun, waiver } from './sample-release.js';

const stepsOf = (
  facts: ReleaseFacts,
  rules: Policy = policy({}),
  waivers: readonly Waiver[] = [],
): readonly NextStep[] => assessRelease(facts, rules, NOW, waivers).gate.nextSteps;
const shown = (...given: Parameters<typeof stepsOf>): readonly string[] =>
  stepsOf(...given).map(({ axis, action, count, gain }) => `${axis} ${action} ${count} ${gain}`);

describe('next steps: one per reason, the least that clears it alone', () => {
  it('there is none for a release that may ship', () => {
    expect(stepsOf(READY)).to.deep.equal([]);
  });

  it('close n issues', () => {
    expect(stepsOf(ready(issues(5, 12)))).to.deep.equal([
      { axis: 'scope', action: 'close_issues', count: 3, gain: 5, message: 'Close 3 more issues' },
    ]);
  });

  it('resolve n bugs; resolving a bug also counts in scope', () => {
    expect(stepsOf(ready(issues(8, 10, { resolved: 1, minor: 2 })))).to.deep.equal([
      { axis: 'quality', action: 'resolve_bugs', count: 1, gain: 8.66, message: 'Resolve 1 more bug' },
    ]);
  });

  it('resolve n critical bugs', () => {
    expect(stepsOf(ready(issues(98, 100, { resolved: 18, critical: 2 })))).to.deep.equal([
      {
        axis: 'quality',
        action: 'resolve_critical_bugs',
        count: 2,
        gain: 2.4,
        message: 'Resolve 2 critical bugs',
      },
    ]);
    expect(
      stepsOf(ready(issues(98, 100, { resolved: 18, critical: 2 })), policy({ maxOpenCriticalBugs: 1 }))[0],
    ).to.include({
      count: 1,
      message: 'Resolve 1 critical bug',
    });
  });

  it('says of issues that bugs count among them, and of bugs that critical ones do', () => {
    const said = (facts: ReleaseFacts, rules?: Policy) => stepsOf(facts, rules).map(({ message }) => message);
    expect(said(ready(issues(5, 12, { resolved: 1, minor: 2 })))).to.deep.equal([
      'Close 3 more issues, resolved bugs included',
      'Resolve 1 more bug',
    ]);
    expect(said(ready(issues(4, 12, { resolved: 1, critical: 1, minor: 3 })))).to.deep.equal([
      'Close 4 more issues, resolved bugs included',
      'Resolve 1 critical bug',
      'Resolve 2 more bugs, critical ones included',
    ]);
    expect(said(ready(issues(5, 12, { resolved: 4, critical: 1 })))).to.deep.equal([
      'Close 3 more issues, resolved bugs included',
      'Resolve 1 critical bug',
    ]);
  });

  it('tick n items, named', () => {
    expect(stepsOf(ready({ ops: { done: 1, total: 3, openItems: ['Docs', 'Rollback'] } }))).to.deep.equal([
      {
        axis: 'ops',
        action: 'tick_checklist_items',
        count: 2,
        gain: 13.33,
        message: 'Tick 2 checklist items: Docs, Rollback',
      },
    ]);
  });

  it('fix n tests with the total unchanged', () => {
    expect(stepsOf(ready({ verification: testRun(380, 412) }))).to.deep.equal([
      {
        axis: 'verification',
        action: 'fix_tests',
        count: 12,
        gain: 0.58,
        message: 'Make 12 more tests pass, with 412 run in total',
      },
    ]);
  });

  it('needs n more successful deployments: a statement, never advice to deploy', () => {
    expect(stepsOf(ready({ stability: deployments(1, 2) }))).to.deep.equal([
      {
        axis: 'stability',
        action: 'deploy_successfully',
        count: 2,
        gain: 5.33,
        message: 'Stability needs 2 more successful deployments',
      },
    ]);
  });

  it('record a test run, whose gain cannot be told', () => {
    expect(stepsOf(ready({ verification: null }))).to.deep.equal([
      {
        axis: 'verification',
        action: 'record_test_run',
        count: 1,
        gain: null,
        message: 'Record a test run in which every test passes',
      },
    ]);
  });

  it('an empty release needs one of each; one issue measures scope and quality both', () => {
    expect(shown(EMPTY)).to.deep.equal([
      'scope add_issues 1 null',
      'ops add_checklist_items 1 null',
      'verification record_test_run 1 null',
      'stability deploy_successfully 1 null',
    ]);
    expect(shown(EMPTY, policy({ requiredAxes: ['quality'] }))).to.deep.equal(['quality add_issues 1 null']);
  });

  it('for an unmeasured stability: so many that it is measured and meets its minimum', () => {
    const rules = policy({ minFinishedDeployments: 4 });
    expect(shown(ready({ stability: deployments(0, 0) }), rules)).to.deep.equal([
      'stability deploy_successfully 4 null',
    ]);
    expect(shown(ready({ stability: deployments(0, 3) }), rules)).to.deep.equal([
      'stability deploy_successfully 5 null',
    ]);
    expect(shown(ready({ stability: deployments(1, 1) }), rules)).to.deep.equal([
      'stability deploy_successfully 2 null',
    ]);
  });

  it('a bug and an issue: what bugs reach anyway is no step of its own', () => {
    expect(shown(ready(issues(5, 12, { minor: 7 })))).to.deep.equal(['quality resolve_bugs 5 22.61']);
  });

  it('bugs beside more issues: both targets, said to overlap', () => {
    const steps = stepsOf(ready(issues(2, 12, { resolved: 2, critical: 1, minor: 2 })));
    expect(steps.map(({ message }) => message)).to.deep.equal([
      'Close 6 more issues, resolved bugs included',
      'Resolve 1 critical bug',
    ]);
  });

  it('a waived reason gets no step and stays as it is', () => {
    const signed = waiver({ code: 'axis_below_minimum', axis: 'ops', actual: 66.66 });
    expect(shown(ready({ ops: checklist(2, 3), verification: null }), policy({}), [signed])).to.deep.equal([
      'verification record_test_run 1 null',
    ]);
  });

  it('are left out on request', () => {
    const { gate } = assessRelease(EMPTY, policy({}), NOW, [], { nextSteps: false });
    expect(gate.nextSteps).to.deep.equal([]);
    expect(gate.decision).to.equal('unknown');
  });
});
