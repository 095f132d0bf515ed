import { expect } from 'chai';
import fc from 'fast-check';
import {
  assessRelease,
  factsAfter,
  type NextStep,
  type Policy,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import * as say from '../../src/readiness/next-steps.js';
import { anyCase } from './arbitrary-release.js';
import { exactScore } from './rational-oracle.js';
import {
  checklist,
  deployments,
  EMPTY,
  HOUR,
  issues,
  lenient,
  NOW,
  policy,
  READY,
  ready,
  testRun,
  waiver,
} from './sample-release.js';

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

describe('the messages of next steps', () => {
  it('tell one from several', () => {
    expect(say.closeIssuesMessage(1, false)).to.equal('Close 1 more issue');
    expect(say.closeIssuesMessage(2, false)).to.equal('Close 2 more issues');
    expect(say.resolveBugsMessage(1, false)).to.equal('Resolve 1 more bug');
    expect(say.resolveBugsMessage(2, true)).to.equal('Resolve 2 more bugs, critical ones included');
    expect(say.fixTestsMessage(1, 40)).to.equal('Make 1 more test pass, with 40 run in total');
  });

  it('name all open items where all must be ticked, and say how many of them otherwise', () => {
    expect(say.tickItemsMessage(1, checklist(2, 3))).to.equal('Tick 1 checklist item: Item 1');
    expect(say.tickItemsMessage(1, checklist(1, 3))).to.equal('Tick 1 of 2 open checklist items: Item 1, Item 2');
  });

  it('name up to 20 open items, then how many more there are', () => {
    const many = say.tickItemsMessage(25, checklist(0, 25));
    expect(many).to.match(/^Tick 25 checklist items: Item 1, Item 2, .*, Item 20 and 5 more$/);
    const given = { ...checklist(0, 22), openItems: Array.from({ length: 22 }, (_, index) => `No ${index + 1}`) };
    expect(say.tickItemsMessage(22, given)).to.match(/, No 20 and 2 more$/);
    expect(say.tickItemsMessage(20, checklist(0, 20))).to.match(/, Item 20$/);
    expect(say.tickItemsMessage(2, { done: 0, total: 2, openItems: [] })).to.equal('Tick 2 checklist items');
  });

  it('name which open items await an owner', () => {
    const mark = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: null };
    const notApplicable = [
      { ...mark, title: 'Item 2', confirmed: false },
      { ...mark, title: 'Item 1', confirmed: true },
    ];
    expect(say.tickItemsMessage(2, { ...checklist(1, 3), notApplicable })).to.equal(
      'Tick 2 checklist items: Item 1, Item 2 (marked not applicable, awaits an owner)',
    );
  });

  it('say why a new test run is needed', () => {
    const rules = policy({ freshnessHours: 24 });
    const old = { ranAt: NOW - 90 * HOUR };
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, old) }), rules)).to.equal(
      'Record a test run in which every test passes: the latest one is older than 24 hours',
    );
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, { ...old, runs: 3 }) }), rules)).to.equal(
      'Record a test run in which every test passes for each suite whose latest one is older than 24 hours',
    );
    const soon = policy({ freshnessHours: 0.5 });
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, old) }), soon)).to.match(/older than 30 minutes$/);
    expect(say.recordRunMessage(ready({ verification: null }), rules)).to.equal(
      'Record a test run in which every test passes',
    );
  });

  it('say what an axis without issues or items needs', () => {
    expect(say.addIssuesMessage('scope')).to.equal('Add at least 1 issue to the release and close it');
    expect(say.addIssuesMessage('quality')).to.contain('nothing is known about bugs');
    expect(say.addItemsMessage()).to.equal('Add at least 1 item to the launch checklist and tick it');
  });
});

describe('the gain of a step', () => {
  it('is the change of the whole score by that step alone, exactly, rounded down to two decimals', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const before = exactScore(facts, policy, NOW);
        for (const step of assessRelease(facts, policy, NOW, waivers).gate.nextSteps) {
          const after = exactScore(factsAfter(facts, [step], NOW), policy, NOW);
          if (step.gain === null || before === null || after === null) continue;
          const top = after[0] * before[1] - before[0] * after[1];
          expect(step.gain).to.equal(Number((10_000n * top) / (before[1] * after[1])) / 100);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is null where it cannot be told: the axis is unmeasured, there is no score, or no number helps', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const { score, axes, gate } = assessRelease(facts, policy, NOW, waivers);
        for (const { axis, count, gain } of gate.nextSteps) {
          const isMeasured = axes.some((reading) => reading.axis === axis && reading.state === 'measured');
          expect(gain === null).to.equal(!isMeasured || score === null || count === null);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of an axis of weight 0 comes from the axes it moves besides', () => {
    const weights = { scope: 1, quality: 0, ops: 1, verification: 1, stability: 1 };
    const facts = ready(issues(9, 10, { critical: 1 }));
    const step = assessRelease(facts, lenient({ weights, maxOpenCriticalBugs: 0 }), NOW).gate.nextSteps[0];
    expect(step).to.include({ action: 'resolve_critical_bugs', gain: 2.5 });
  });

  it('is exact for the greatest counts and weights', () => {
    const weights = { scope: 1000, quality: 999, ops: 1000, verification: 1, stability: 998 };
    const rules = lenient({ weights, threshold: 99.5 });
    const total = 2 ** 31 - 1;
    const facts = {
      ...READY,
      ...issues(5, total, { resolved: 3, minor: 1_000_000_007 }),
      ops: checklist(7, total),
      stability: deployments(11, 1_000_003),
    };
    const before = exactScore(facts, rules, NOW) ?? [0n, 1n];
    const steps = assessRelease(facts, rules, NOW).gate.nextSteps;
    expect(steps.map(({ action }) => action)).to.include.members(['tick_checklist_items', 'deploy_successfully']);
    for (const step of steps) {
      const after = exactScore(factsAfter(facts, [step], NOW), rules, NOW) ?? [0n, 1n];
      const top = after[0] * before[1] - before[0] * after[1];
      expect(step.gain).to.equal(Number((10_000n * top) / (before[1] * after[1])) / 100);
    }
  });
});
