import { expect } from 'chai';
import { factsAfter, type NextStep, type StepAction } from '../../src/readiness/index.js';
import {
  checklist,
  deployments,
  EMPTY,
  HOUR,
  ISSUES_AS_OF,
  issues,
  NOW,
  READY,
  ready,
  testRun,
} from './sample-release.js';

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

  it('of two steps of one kind the greater target counts', () => {
    const after = factsAfter(ready(issues(0, 9)), [step('close_issues', 3), step('close_issues', 2)], NOW);
    expect(after.scope.done).to.equal(3);
  });
});
