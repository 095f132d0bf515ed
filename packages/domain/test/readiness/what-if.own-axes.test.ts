import { expect } from 'chai';
import {
  assessRelease,
  factsAfter,
  type NextStep,
  type OwnAxis,
  type ReleaseFacts,
  type ReportedFacts,
} from '../../src/readiness/index.js';
import { changedFacts, changedPolicy, difference } from '../../src/readiness/what-if.js';
import { HOUR, NOW, policy, READY, ready } from './sample-release.js';

const report = (part: number, whole: number | null): ReportedFacts => ({
  ...{ part, whole, explanation: 'Nightly.', url: null },
  measuredAt: NOW - HOUR,
});
/** A report as it is assumed: of now, with nothing beside the numbers. */
const assumed = (part: number, whole: number): ReportedFacts => ({
  ...{ part, whole, explanation: null, url: null },
  measuredAt: NOW,
});
const security = report(1, 4);
const speed = report(0, null);
const FACTS = ready({ ownAxes: { security, speed } });

describe('Changed reports of own axes', () => {
  it('are assumed as of now, or gone, and leave the others alone', () => {
    const { ownAxes } = changedFacts(FACTS, { ownAxes: { security: null, docs: { part: 1, whole: 2 } } }, NOW);
    expect(ownAxes).to.deep.equal({ speed, docs: assumed(1, 2) });
  });

  it('are the first of a release that had none', () => {
    const { ownAxes } = changedFacts(READY, { ownAxes: { docs: { part: 1, whole: 2, measuredAt: 5 } } }, NOW);
    expect(ownAxes).to.deep.equal({ docs: { ...assumed(1, 2), measuredAt: 5 } });
    expect(changedFacts(READY, {}, NOW)).not.to.have.property('ownAxes');
  });

  it('are judged by the axes that the policy has, unless those are changed, too', () => {
    const own: readonly OwnAxis[] = [{ name: 'security', weight: 1 }];
    expect(changedPolicy(policy({ ownAxes: own }), { threshold: 1 }).ownAxes).to.deep.equal(own);
    expect(changedPolicy(policy({}), { threshold: 1 })).not.to.have.property('ownAxes');
    expect(changedPolicy(policy({ ownAxes: own }), { ownAxes: [] }).ownAxes).to.deep.equal([]);
  });
});

const step = (axis: string, action: NextStep['action'], count: number): NextStep => ({
  ...{ axis, action, count, gain: null, message: '' },
});
const after = (facts: ReleaseFacts, ...steps: readonly NextStep[]) => factsAfter(facts, steps, NOW).ownAxes;

describe('Own axes after steps', () => {
  it('have as many more parts as their own steps ask for', () => {
    const steps = [step('security', 'improve', 1), step('security', 'improve', 2), step('scope', 'close_issues', 3)];
    expect(after(FACTS, ...steps)).to.deep.equal({ security: { ...security, part: 3 }, speed });
    expect(after(FACTS, step('docs', 'improve', 2))).to.deep.equal({ security, speed });
    expect(after(FACTS, step('security', 'improve', 0))?.security).to.equal(security);
  });

  it('have a report of all their parts where one was missing', () => {
    expect(after(FACTS, step('speed', 'report', 1))).to.deep.equal({ security, speed: assumed(1, 1) });
    expect(after(FACTS, step('security', 'provide', 1))).to.deep.equal({ security: assumed(4, 4), speed });
    for (const action of ['report', 'provide'] as const)
      expect(after(READY, step('docs', action, 1)), action).to.deep.equal({ docs: assumed(1, 1) });
    expect(after(READY, step('scope', 'close_issues', 1))).to.equal(undefined);
  });
});

describe('The difference of two reports', () => {
  const judge = (facts: ReleaseFacts, ...names: readonly string[]) =>
    assessRelease(facts, policy({ ownAxes: names.map((name) => ({ name, weight: 1 })) }), NOW);

  it('has the own axes of either, by name, and none where neither has any', () => {
    const unmeasured = { state: 'unmeasured', score: null };
    const measured = { state: 'measured', score: 25 };
    expect(difference(judge(FACTS, 'speed'), judge(FACTS, 'security')).ownAxes).to.deep.equal([
      { axis: 'security', before: unmeasured, after: measured },
      { axis: 'speed', before: unmeasured, after: unmeasured },
    ]);
    const plain = assessRelease(READY, policy({}), NOW);
    expect(difference(plain, plain)).not.to.have.property('ownAxes');
    expect(difference(plain, judge(FACTS, 'security')).ownAxes).to.deep.equal([
      { axis: 'security', before: unmeasured, after: measured },
    ]);
    expect(difference(judge(FACTS, 'security'), plain).ownAxes).to.deep.equal([
      { axis: 'security', before: measured, after: unmeasured },
    ]);
  });
});
