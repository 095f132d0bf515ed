import { expect } from 'chai';
import fc from 'fast-check';
import { changedFacts } from '../../src/readiness/index.js';
import { anyFacts } from './arbitrary-release.js';
import { checklist, deployments, HOUR, ISSUES_AS_OF, issues, NOW, READY, ready, testRun } from './sample-release.js';

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
