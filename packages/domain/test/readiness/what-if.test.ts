import { expect } from 'chai';
import fc from 'fast-check';
import { AXES } from '../../src/readiness/axis.js';
import {
  assessRelease,
  factsAfter,
  type NextStep,
  previewPolicy,
  type RecordedRelease,
  type WhatIfAnswer,
  type WhatIfChanges,
  whatIf,
} from '../../src/readiness/index.js';
import type { ReadinessReport, Reason, StepAction } from '../../src/readiness/report.js';
import { changedFacts, difference } from '../../src/readiness/what-if.js';
import { liveReport } from '../../src/release/facts.js';
import { inputsOf } from '../release/inputs-of.js';
import { anyCase, anyFacts, anyPolicy, type Case } from './arbitrary-release.js';
import {
  checklist,
  deployments,
  EMPTY,
  HOUR,
  ISSUES_AS_OF,
  issues,
  NOW,
  policy,
  READY,
  ready,
  testRun,
  waiver,
} from './sample-release.js';

const answered = (one: Case, changes: WhatIfChanges): WhatIfAnswer => {
  const { answer } = whatIf({ ...one, asOf: NOW }, changes);
  if (answer === null) throw new Error('there is no answer');
  return answer;
};
const readyCase: Case = { facts: READY, policy: policy({}), waivers: [] };

describe('what if', () => {
  it('nothing changed: the very report, with the score, coverage and decision of before', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const report = assessRelease(one.facts, one.policy, NOW, one.waivers);
        const before = { score: report.score, coverage: report.coverage, decision: report.gate.decision };
        expect(answered(one, {})).to.deep.equal({ report, before });
      }),
      { numRuns: 1_000 },
    );
  });

  it('another policy: the report under that policy', () => {
    fc.assert(
      fc.property(anyCase, anyPolicy, (one, other) => {
        const stabilityBound = other.stabilityBound ?? 'rate';
        const { report } = answered(one, { policy: { ...other, stabilityBound } });
        expect(report).to.deep.equal(assessRelease(one.facts, { ...other, stabilityBound }, NOW, one.waivers));
      }),
      { numRuns: 1_000 },
    );
  });

  it('the next steps are done: go, wherever numbers can clear all reasons and no issue is awaited', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { gate } = assessRelease(one.facts, one.policy, NOW, one.waivers);
        if (gate.nextSteps.some(({ count }) => count === null) || one.facts.issuesPending === true) return;
        if (Object.values(one.policy.weights).every((weight) => weight === 0)) return;
        const { scope, quality, ops, verification, stability } = factsAfter(one.facts, gate.nextSteps, NOW);
        const { report, before } = answered(one, { facts: { scope, quality, ops, verification, stability } });
        expect(report.gate.decision).to.equal('go');
        expect(before.decision).to.equal(gate.decision);
      }),
      { numRuns: 2_000 },
    );
  });

  it('some weights and minimums: the others stay', () => {
    const changes = {
      policy: { weights: { ops: 0 }, minimums: { stability: 99 }, stabilityBound: 'upper_bound' },
    } as const;
    const { report, before } = answered(readyCase, changes);
    expect(report.axes.map(({ weight }) => weight)).to.deep.equal([1, 1, 0, 1, 1]);
    expect(report.gate.reasons.map(({ axis, required }) => [axis, required])).to.deep.equal([['stability', 99]]);
    expect(before).to.deep.equal({ score: 100, coverage: 1, decision: 'go' });
  });

  it('two more deployments fail: how far it falls', () => {
    const { report } = answered(readyCase, { facts: { stability: deployments(20, 20) } });
    expect([report.score, report.gate.decision]).to.deep.equal([90, 'hold']);
  });

  it('waivers and moment stay: a run of that moment is fresh, a waiver covers no worse', () => {
    const stale = { ...readyCase, facts: ready({ verification: testRun(9, 10, { ranAt: 0 }) }) };
    const rules = { freshnessHours: 1 };
    expect(answered(stale, { policy: rules }).report.gate.decision).to.equal('unknown');
    const again = answered(stale, { policy: rules, facts: { verification: { passed: 10, total: 10 } } });
    expect([again.report.asOf, again.report.gate.decision]).to.deep.equal([NOW, 'go']);
  });

  it('stored weights may all be 0, changed ones may not', () => {
    const none = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0 };
    const weightless = { ...readyCase, policy: policy({ weights: none }), asOf: NOW };
    const { answer, faults } = whatIf(weightless, { policy: { threshold: 1 } });
    expect([answer?.report.score, faults]).to.deep.equal([null, []]);
    const refused = whatIf(weightless, { policy: { weights: { ops: 0 } } });
    expect([refused.answer, ...refused.faults.map(({ pointer }) => pointer)]).to.deep.equal([null, '/policy/weights']);
  });

  it('facts do not fit or demands are out of range: every fault at its place, no answer', () => {
    const { answer, faults } = whatIf(
      { ...readyCase, asOf: NOW },
      {
        facts: {
          ...issues(3, 2),
          ops: { done: 4, total: 3 },
          verification: { passed: 1, total: 1, ranAt: Number.NaN },
        },
        policy: { threshold: 101, weights: { scope: 0.5 } },
      },
    );
    expect(answer).to.equal(null);
    expect(faults.map(({ pointer }) => pointer)).to.have.members([
      '/facts/scope/done',
      '/facts/quality',
      '/facts/ops/done',
      '/facts/verification/ran_at',
      '/policy/threshold',
      '/policy/weights/scope',
    ]);
  });
});

describe('changed facts', () => {
  it('are the same without a change', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(changedFacts(facts, {}, NOW)).to.deep.equal(facts);
      }),
    );
  });

  it('are those of another release once every axis is changed', () => {
    fc.assert(
      fc.property(anyFacts, anyFacts, (facts, other) => {
        const { scope, quality, ops, verification, stability } = other;
        const { ops: changed, ...axes } = changedFacts(facts, { scope, quality, ops, verification, stability }, NOW);
        expect(axes).to.deep.equal({ scope, quality, verification, stability });
        expect([changed.done, changed.total]).to.deep.equal([ops.done, ops.total]);
        expect(changed.openItems.length).to.be.at.most(Math.min(20, ops.total - ops.done));
      }),
    );
  });

  it('leave alone what is not named', () => {
    const stability = deployments(3, 4);
    expect(changedFacts(READY, { stability }, NOW)).to.deep.equal(ready({ stability }));
  });

  it('have a test run of that moment, unless it says when it ran', () => {
    const run = { passed: 1, total: 2 };
    const { verification } = changedFacts(READY, { verification: run }, NOW);
    expect(verification).to.deep.equal({ ...run, ranAt: NOW, suite: null, commitSha: null, runs: 1 });
    const earlier = changedFacts(READY, { verification: { ...run, ranAt: NOW - HOUR } }, NOW);
    expect(earlier.verification?.ranAt).to.equal(NOW - HOUR);
    expect(changedFacts(READY, { verification: null }, NOW).verification).to.equal(null);
    const whole = testRun(3, 4, { suite: 'unit', runs: 2 });
    expect(changedFacts(READY, { verification: whole }, NOW).verification).to.deep.equal(whole);
  });

  it('tick items in list order, and know no title of those added', () => {
    const { ops } = changedFacts(ready({ ops: checklist(1, 4) }), { ops: { done: 3, total: 4 } }, NOW);
    expect(ops).to.deep.equal({ done: 3, total: 4, openItems: ['Item 3'] });
    const more = changedFacts(ready({ ops: checklist(1, 2) }), { ops: { done: 0, total: 4 } }, NOW);
    expect(more.ops).to.deep.equal({ done: 0, total: 4, openItems: ['Item 1'] });
  });

  it('know the issues that are stated, whether they were being imported or not', () => {
    const half = ready({ issuesPending: true, issuesAsOf: ISSUES_AS_OF });
    expect(changedFacts(half, { ops: { done: 3, total: 3 } }, NOW)).to.include({ issuesPending: true });
    for (const change of [{ scope: READY.scope }, { quality: READY.quality }, issues(12, 12)])
      expect(changedFacts(half, change, NOW)).to.deep.equal(READY);
  });
});

const step = (action: StepAction, count: number | null): NextStep => ({
  axis: 'scope',
  action,
  count,
  gain: null,
  message: '',
});

describe('the facts after steps', () => {
  it('are the same without steps, and for a step without a count', () => {
    expect(factsAfter(READY, [], NOW)).to.deep.equal(READY);
    expect(factsAfter(READY, [step('deploy_successfully', null)], NOW)).to.deep.equal(READY);
  });

  it('are as of when they were', () => {
    for (const issuesAsOf of [null, ISSUES_AS_OF])
      expect(factsAfter(ready({ issuesAsOf }), [step('deploy_successfully', 1)], NOW)).to.include({ issuesAsOf });
    expect(factsAfter(READY, [], NOW)).not.to.have.property('issuesAsOf');
  });

  it('close issues that are no bugs where there are any', () => {
    const after = factsAfter(ready(issues(2, 10, { minor: 3 })), [step('close_issues', 5)], NOW);
    expect(after.scope).to.deep.equal({ done: 7, total: 10 });
    expect(after.quality.resolved).to.equal(0);
  });

  it('close bugs once no other issue is open', () => {
    const after = factsAfter(ready(issues(2, 10, { critical: 1, minor: 2 })), [step('close_issues', 7)], NOW);
    expect(after.quality).to.deep.equal({
      resolved: 2,
      total: 3,
      open: { critical: 1, major: 0, minor: 0, unspecified: 0 },
    });
    const all = factsAfter(ready(issues(2, 10, { critical: 1, minor: 2 })), [step('close_issues', 8)], NOW);
    expect(all.quality.open.critical).to.equal(0);
  });

  it('count a resolved bug as a closed issue and a critical one as a bug: targets overlap', () => {
    const facts = ready(issues(2, 20, { critical: 3, major: 2, minor: 2, unspecified: 2 }));
    const steps = [step('close_issues', 5), step('resolve_bugs', 4), step('resolve_critical_bugs', 1)];
    const after = factsAfter(facts, steps, NOW);
    expect(after.scope.done).to.equal(7);
    expect(after.quality).to.deep.equal({
      resolved: 4,
      total: 9,
      open: { critical: 2, major: 2, minor: 1, unspecified: 0 },
    });
    expect(factsAfter(facts, steps.slice(1), NOW).scope.done).to.equal(6);
    expect(factsAfter(facts, steps.slice(2), NOW).scope.done).to.equal(3);
  });

  it('never close more than is open', () => {
    const after = factsAfter(ready(issues(9, 10, { minor: 1 })), [step('resolve_bugs', 5)], NOW);
    expect(after.scope).to.deep.equal({ done: 10, total: 10 });
    expect(after.quality.resolved).to.equal(1);
  });

  it('tick items in list order; added items are ticked and added issues done', () => {
    const ticked = factsAfter(ready({ ops: checklist(1, 4) }), [step('tick_checklist_items', 2)], NOW);
    expect(ticked.ops).to.deep.equal({ done: 3, total: 4, openItems: ['Item 3'] });
    const added = factsAfter(EMPTY, [step('add_checklist_items', 1), step('add_issues', 1)], NOW);
    expect(added.ops).to.deep.equal({ done: 1, total: 1, openItems: [] });
    const mark = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: null };
    const notApplicable = [
      { ...mark, title: 'Item 1', confirmed: false },
      { ...mark, title: 'Item 3', confirmed: false },
      { ...mark, title: 'Item 4', confirmed: true },
    ];
    const removed = [{ title: 'Pen test', removedBy: 'Ada', removedAt: 1 }];
    const before = ready({ ops: { ...checklist(1, 4), notApplicable, removed } });
    expect(factsAfter(before, [step('tick_checklist_items', 2)], NOW).ops).to.deep.equal({
      ...ticked.ops,
      notApplicable: notApplicable.slice(1),
      removed,
    });
    expect(added.scope).to.deep.equal({ done: 1, total: 1 });
  });

  it('fix tests with the total unchanged; a recorded run passes fully, now', () => {
    const old = testRun(90, 100, { ranAt: NOW - 90 * HOUR, suite: 'unit', commitSha: 'abcdef1' });
    const facts = ready({ verification: old });
    expect(factsAfter(facts, [step('fix_tests', 4)], NOW).verification).to.deep.equal({ ...old, passed: 94 });
    const fresh = { passed: 100, total: 100, ranAt: NOW, suite: null, commitSha: null, runs: 1 };
    expect(factsAfter(facts, [step('record_test_run', 1)], NOW).verification).to.deep.equal(fresh);
    const first = factsAfter(EMPTY, [step('record_test_run', 1)], NOW).verification;
    expect(first).to.deep.equal({ ...fresh, passed: 1, total: 1 });
  });

  it('deploy successfully', () => {
    const facts = ready({ stability: deployments(3, 2, 1) });
    expect(factsAfter(facts, [step('deploy_successfully', 4)], NOW).stability).to.deep.equal(deployments(7, 2, 1));
  });

  it('hear of each source again in which something is recorded, and of no other', () => {
    const rhythm = { lastAt: NOW - HOUR, medianMs: 5 };
    const before = ready({ sources: { deployments: rhythm, testRuns: null } });
    const sources = (...steps: readonly NextStep[]) => factsAfter(before, steps, NOW).sources;
    expect(sources()).to.deep.equal(before.sources);
    expect(sources(step('deploy_successfully', 2))).to.deep.equal({
      deployments: { lastAt: NOW, medianMs: 5 },
      testRuns: null,
    });
    const heard = { deployments: rhythm, testRuns: { lastAt: NOW, medianMs: null } };
    for (const steps of [[step('fix_tests', 1)], [step('record_test_run', 1)]])
      expect(sources(...steps)).to.deep.equal(heard);
    expect(sources(step('record_test_run', 1), step('fix_tests', 1))).to.deep.equal(heard);
  });

  it('keep a run set aside until another one is recorded', () => {
    const before = ready({ verification: null, testRunSetAside: { suite: 'unit' } });
    expect(factsAfter(before, [step('close_issues', 1)], NOW).testRunSetAside).to.deep.equal({ suite: 'unit' });
    expect(factsAfter(before, [step('record_test_run', 1)], NOW)).not.to.have.property('testRunSetAside');
  });

  it('of two steps of one kind the greater target counts', () => {
    const after = factsAfter(ready(issues(0, 9)), [step('close_issues', 3), step('close_issues', 2)], NOW);
    expect(after.scope.done).to.equal(3);
  });
});

const report = liveReport(inputsOf(), 5_000);
const reason = (over: Partial<Reason>): Reason => ({
  code: 'axis_below_minimum',
  axis: 'scope',
  actual: 50,
  required: 60,
  message: '.',
  waived: false,
  ...over,
});
const withReasons = (...reasons: readonly Reason[]): ReadinessReport => ({
  ...report,
  gate: { ...report.gate, reasons },
});

describe('The difference of two reports', () => {
  it('has all five axes in order, changed or not', () => {
    const { facts } = inputsOf();
    const after = liveReport({ ...inputsOf(), facts: { ...facts, verification: null } }, 5_000);
    const { axes } = difference(report, after);
    expect(axes.map(({ axis }) => axis)).to.deep.equal(AXES);
    expect(axes[0]?.before).to.deep.equal({ state: 'measured', score: 66.66 });
    expect(axes[0]?.after).to.deep.equal(axes[0]?.before);
    expect(axes[3]?.before).to.deep.equal({ state: 'measured', score: 99 });
    expect(axes[3]?.after).to.deep.equal({ state: 'unmeasured', score: null });
  });
  it('knows a reason by its code and its axis, with any numbers', () => {
    const before = withReasons(reason({}), reason({ code: 'score_below_threshold', axis: null }));
    const after = withReasons(reason({ actual: 40, waived: true }), reason({ axis: 'ops' }));
    expect(difference(before, after).reasons).to.deep.equal({
      gone: [reason({ code: 'score_below_threshold', axis: null })],
      come: [reason({ axis: 'ops' })],
    });
    const unmeasured = reason({ code: 'axis_unmeasured' });
    expect(difference(withReasons(reason({})), withReasons(unmeasured)).reasons).to.deep.equal({
      gone: [reason({})],
      come: [unmeasured],
    });
    expect(difference(before, before).reasons).to.deep.equal({ gone: [], come: [] });
  });
});

const recorded = (release: string, changes: Partial<RecordedRelease<string>> = {}): RecordedRelease<string> => ({
  release,
  facts: READY,
  policy: policy({}),
  waivers: [],
  asOf: NOW,
  shipped: false,
  failedDeployments: 0,
  ...changes,
});

describe('previewing a policy', () => {
  it('judges each release as the engine does under its own policy and under the next', () => {
    fc.assert(
      fc.property(fc.array(anyCase, { maxLength: 5 }), anyPolicy, fc.boolean(), (cases, next, shipped) => {
        const all = cases.map((one, index) => recorded(`r${index}`, { ...one, shipped, failedDeployments: index % 2 }));
        const preview = previewPolicy(all, next);
        expect(preview.releases.map(({ release }) => release)).to.deep.equal(all.map(({ release }) => release));
        let flips = 0;
        const held: string[] = [];
        for (const [index, { facts, policy: own, waivers }] of cases.entries()) {
          const before = assessRelease(facts, own, NOW, waivers);
          const after = assessRelease(facts, next, NOW, waivers);
          const replayed = preview.releases[index];
          expect(replayed?.before).to.deep.equal({ score: before.score, decision: before.gate.decision });
          expect(replayed?.after).to.deep.equal({ score: after.score, decision: after.gate.decision });
          expect(replayed?.flips).to.equal(before.gate.decision !== after.gate.decision);
          if (before.gate.decision !== after.gate.decision) flips += 1;
          if (shipped && index % 2 === 1 && after.gate.decision === 'hold') held.push(`r${index}`);
        }
        expect(preview.flips).to.equal(flips);
        expect(preview.wouldHaveHeld).to.deep.equal(held);
      }),
      { numRuns: 1_000 },
    );
  });

  it('flips nothing where the next policy is the one they have', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const preview = previewPolicy([recorded('r', one)], one.policy);
        expect(preview.flips).to.equal(0);
        expect(preview.releases[0]?.before).to.deep.equal(preview.releases[0]?.after);
      }),
    );
  });

  it('takes the facts as the next policy counts them', () => {
    const factsUnderNext = ready({ stability: deployments(1, 9) });
    const [replayed] = previewPolicy([recorded('r', { factsUnderNext })], policy({})).releases;
    expect(replayed).to.deep.equal({
      release: 'r',
      before: { score: 100, decision: 'go' },
      after: { score: 82, decision: 'hold' },
      flips: true,
    });
  });

  it('would have held only what shipped with failed deployments', () => {
    const facts = ready({ stability: deployments(9, 1) });
    const next = policy({ minimums: { ...policy({}).minimums, stability: 95 } });
    const all = [
      recorded('open', { facts, failedDeployments: 1 }),
      recorded('shipped', { facts, failedDeployments: 1, shipped: true }),
      recorded('unharmed', { facts, failedDeployments: 0, shipped: true }),
      recorded('passing', { failedDeployments: 1, shipped: true }),
      recorded('waived', {
        facts,
        failedDeployments: 1,
        shipped: true,
        waivers: [waiver({ code: 'axis_below_minimum', axis: 'stability', actual: 90 })],
      }),
    ];
    const preview = previewPolicy(all, next);
    expect(preview.wouldHaveHeld).to.deep.equal(['shipped']);
    expect(preview.flips).to.equal(3);
  });
});
