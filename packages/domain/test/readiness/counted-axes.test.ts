import { expect } from 'chai';
import { ownAxesFacts } from '../../src/readiness/axes/own.js';
import {
  assessRelease,
  COUNTED_FROM,
  changesOfRequest,
  DEFAULT_POLICY,
  factsAfter,
  judgementForm,
  nextTimeLimit,
  type OwnAxis,
  ownAxesForm,
  ownAxisOf,
  policyFaults,
  previewPolicy,
  type ReleaseCounts,
  type ReleaseFacts,
  type ReportedFacts,
  recomputeVerdict,
  whatIf,
} from '../../src/readiness/index.js';
import { preparedAxes } from '../../src/readiness/own-axis.js';
import { axesOfPolicy, recountedFacts, sameCounting } from '../../src/readiness/policy.js';
import { HOUR, NOW, READY, ready } from './sample-release.js';

const EVIDENCE: OwnAxis = { name: 'evidence', weight: 1, minimum: 90, countedFrom: 'checklist_evidence' };

const count = (part: number, whole: number | null): ReportedFacts => ({
  ...{ part, whole, explanation: null, url: null, measuredAt: NOW - HOUR },
});
const demanding = (...ownAxes: readonly OwnAxis[]) => ({ ...DEFAULT_POLICY, ownAxes });
const judge = (evidence: ReportedFacts | undefined, axis: OwnAxis = EVIDENCE) =>
  assessRelease(ready(evidence === undefined ? {} : { ownAxes: { evidence } }), demanding(axis), NOW);
const codes = (axis: object): readonly string[] =>
  policyFaults(demanding(axis as OwnAxis)).map(({ pointer, code }) => `${pointer} ${code}`);

describe('An own axis that the service counts', () => {
  it('is judged by what was counted, and says so in words of its own', () => {
    const { score, formula, ownAxes, gate } = judge(count(9, 12));
    expect({ score, formula }).to.deep.equal({ score: 95.83, formula: '2' });
    expect(ownAxes).to.deep.equal([
      {
        ...{ axis: 'evidence', title: 'Evidence', unit: { one: 'checklist item', many: 'checklist items' } },
        ...{ weight: 1, minimum: 90, required: false, countedFrom: 'checklist_evidence', facts: count(9, 12) },
        ...{ state: 'measured', score: 75, explanation: '9 of 12 checklist items with evidence' },
      },
    ]);
    expect(gate.reasons.map(({ message }) => message)).to.deep.equal(['Evidence is at 75, below its minimum of 90']);
    expect(gate.nextSteps).to.deep.equal([
      {
        ...{ axis: 'evidence', action: 'improve', count: 2, gain: 2.77 },
        message: 'Evidence: link evidence to 2 more checklist items of 12',
      },
    ]);
    expect(judge(count(1, 1)).ownAxes?.[0]?.explanation).to.equal('1 of 1 checklist item with evidence');
  });

  it('keeps the title and the unit that its policy gives it', () => {
    const named = { ...EVIDENCE, title: 'Proof', unit: { one: 'point', many: 'points' } };
    expect(judge(count(1, 2), named).ownAxes?.[0]).to.include({
      title: 'Proof',
      explanation: '1 of 2 points with evidence',
    });
  });

  for (const [title, facts] of [
    ['where nothing is there to count', count(0, null)],
    ['where no count was made', undefined],
  ] as const)
    it(`is unmeasured ${title}, and something to count is what is missing`, () => {
      const required = { ...EVIDENCE, required: true };
      const { ownAxes, gate } = judge(facts, required);
      expect(ownAxes?.[0]).to.include({ state: 'unmeasured', cause: 'nothing_to_count' });
      expect(ownAxes?.[0]?.explanation).to.equal('The release has no checklist item that counts');
      expect(gate.decision).to.equal('unknown');
      expect(gate.reasons[0]?.message).to.equal('Evidence is not measured: there is nothing to count');
      expect(gate.nextSteps).to.deep.equal([
        {
          ...{ axis: 'evidence', action: 'provide', count: 1, gain: null },
          message: 'Evidence: add 1 checklist item, ticked and with evidence',
        },
      ]);
      const after = factsAfter(ready({}), gate.nextSteps, NOW);
      expect(assessRelease(after, demanding(required), NOW).gate.decision).to.equal('go');
    });

  it('yields go by all its steps, for any number of records', () => {
    for (let whole = 1; whole < 12; whole += 1)
      for (let part = 0; part <= whole; part += 1) {
        const facts = ready({ ownAxes: { evidence: count(part, whole) } });
        const { gate } = assessRelease(facts, demanding(EVIDENCE), NOW);
        const after = factsAfter(facts, gate.nextSteps, NOW);
        expect(assessRelease(after, demanding(EVIDENCE), NOW).gate.decision).to.equal('go');
      }
  });

  it('is never stale, so that a demand to be fresh is a fault', () => {
    expect(nextTimeLimit(ready({ ownAxes: { evidence: count(1, 1) } }), demanding(EVIDENCE), [], NOW)).to.equal(null);
    expect(codes({ ...EVIDENCE, freshForHours: 2 })).to.deep.equal(['/own_axes/0/fresh_for_hours does_not_fit']);
    expect(codes({ ...EVIDENCE, freshForHours: null })).to.deep.equal([]);
    expect(() => judge(count(1, 1), { ...EVIDENCE, freshForHours: 2 })).to.throw(TypeError, '/fresh_for_hours: ');
  });

  it('names records that the service has, or none', () => {
    expect(COUNTED_FROM).to.include('checklist_evidence');
    expect(codes({ ...EVIDENCE, countedFrom: null })).to.deep.equal([]);
    for (const [countedFrom, code] of [
      ['pages', 'unknown_value'],
      ['constructor', 'unknown_value'],
      ['', 'unknown_value'],
      [1, 'wrong_type'],
      [['checklist_evidence'], 'wrong_type'],
    ] as const) {
      expect(codes({ ...EVIDENCE, countedFrom })).to.deep.equal([`/own_axes/0/counted_from ${code}`]);
      expect(() => judge(count(1, 1), { ...EVIDENCE, countedFrom } as unknown as OwnAxis)).to.throw(TypeError);
    }
  });

  it('is sent with what it is counted from, a reported one as before', () => {
    const sent = { name: 'evidence', weight: 1, minimum: 90, counted_from: 'checklist_evidence' } as const;
    expect(ownAxisOf(sent)).to.deep.equal(EVIDENCE);
    expect(ownAxisOf({ name: 'speed', counted_from: null })).to.deep.equal({ name: 'speed', countedFrom: null });
    const [evidence, speed] = ownAxesForm(demanding({ name: 'speed', countedFrom: null }, EVIDENCE));
    expect(evidence).to.deep.include({ ...sent, unit: { one: 'checklist item', many: 'checklist items' } });
    expect(speed).not.to.have.property('counted_from');
    const [reading] = judgementForm(judge(count(9, 12))).own_axes ?? [];
    expect(reading).to.include({
      counted_from: 'checklist_evidence',
      explanation: '9 of 12 checklist items with evidence',
    });
  });

  it('comes out again from a signed verdict, also for an engine that knows no counted axes', () => {
    const report = judge(count(9, 12));
    const { score, coverage, gate } = report;
    const own = { name: 'evidence', weight: 1, minimum: 90, required: false, fresh_for_hours: null };
    const predicate = (own_axis: object) => ({
      formula: '2',
      release: { id: 'r' },
      as_of: new Date(NOW).toISOString(),
      facts: {
        ...{ scope: { done: 1, total: 1 }, ops: { done: 1, total: 1, open_items: [] } },
        quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
        verification: {
          ...{ passed: 1, total: 1, ran_at: new Date(NOW).toISOString(), suite: null, commit_sha: null, runs: 1 },
        },
        stability: { succeeded: 1, failed: 0, in_progress: 0 },
        own_axes: [
          {
            ...{ axis: 'evidence', part: 9, whole: 12, explanation: null, url: null },
            measured_at: new Date(NOW - HOUR).toISOString(),
          },
        ],
      },
      policy: {
        ...{ weights: DEFAULT_POLICY.weights, threshold: 80, minimums: DEFAULT_POLICY.minimums },
        ...{ required_axes: [], environments: null, freshness_hours: null, verification: 'latest_run' },
        ...{ max_open_critical_bugs: 0, min_finished_deployments: 1, own_axes: [own_axis] },
      },
      waivers: [],
      result: {
        ...{ score, coverage, decision: gate.decision, decision_without_waivers: gate.decisionWithoutWaivers },
        reasons: gate.reasons.map(({ axis, ...reason }) => ({ ...reason, axis })),
      },
    });
    expect(recomputeVerdict(predicate({ ...own, counted_from: 'checklist_evidence' })).outcome).to.equal('agrees');
    // What such an engine reads: the member that it does not know is left out.
    expect(recomputeVerdict(predicate(own)).outcome).to.equal('agrees');
    // Records that a later version counts.
    expect(recomputeVerdict(predicate({ ...own, counted_from: 'pages' })).outcome).to.equal('agrees');
    expect(recomputeVerdict(predicate({ ...own, counted_from: 7 })).outcome).to.equal('unfit');
  });

  it('that is no list of axes is a fault in a what-if, not an exception', () => {
    const basis = { facts: ready({}), policy: demanding(EVIDENCE), waivers: [], asOf: NOW };
    for (const ownAxes of [null, 'x', {}, [null], [7], [{ name: 'evidence', unit: 3 }]] as unknown as OwnAxis[][])
      expect(whatIf(basis, { policy: { ownAxes } }).faults[0]?.pointer).to.match(/^\/policy\/own_axes/);
  });

  it('takes what is assumed of it in a what-if, counted or not', () => {
    const facts = ready({ ownAxes: { evidence: count(9, 12) } });
    const basis = { facts, policy: demanding(EVIDENCE), waivers: [], asOf: NOW };
    const changes = changesOfRequest({ facts: { own_axes: [{ axis: 'evidence', part: 12, whole: 12 }] } });
    const { answer } = whatIf(basis, changes);
    expect([answer?.before.decision, answer?.report.gate.decision]).to.deep.equal(['hold', 'go']);
  });
});

describe('What is counted for own axes', () => {
  const countsOf = (itemsWithEvidence: number, total: number): ReleaseCounts => ({
    quality: READY.quality,
    ops: { done: 0, total, openItems: [] },
    itemsWithEvidence,
  });
  const counts = countsOf(2, 3);
  const REPORTS = { evidence: count(1, 50), speed: count(5, 6) };

  it('takes the place of a report under the same name, as of when the release changed', () => {
    expect(ownAxesFacts(demanding(EVIDENCE), REPORTS, counts, NOW)).to.deep.equal({
      ownAxes: { evidence: { ...count(2, 3), measuredAt: NOW }, speed: count(5, 6) },
    });
    expect(ownAxesFacts(DEFAULT_POLICY, REPORTS, counts, NOW)).to.deep.equal({ ownAxes: REPORTS });
    expect(ownAxesFacts(DEFAULT_POLICY, {}, counts, NOW)).to.deep.equal({});
    expect(ownAxesFacts(demanding(EVIDENCE), {}, countsOf(0, 0), NOW).ownAxes?.evidence).to.include({
      part: 0,
      whole: null,
    });
  });

  it('is nothing where a later version stored that more is counted', () => {
    const later = { ...EVIDENCE, countedFrom: 'pages' } as unknown as OwnAxis;
    expect(ownAxesFacts(demanding(later), {}, counts, NOW).ownAxes?.evidence).to.include({ part: 0, whole: null });
  });

  it('is asked for by what is sent, else by the present policy, without what is usual', () => {
    const { countedFrom: _, ...older } = EVIDENCE;
    expect(preparedAxes([{ ...older, weight: 3 }], [EVIDENCE])).to.deep.equal([{ ...EVIDENCE, weight: 3 }]);
    expect(preparedAxes([{ ...older, countedFrom: null }], [EVIDENCE])).to.deep.equal([older]);
    expect(preparedAxes([older], [])).to.deep.equal([older]);
    for (const unit of [
      { one: 'part', many: 'parts' },
      { one: 'checklist item', many: 'checklist items' },
    ])
      expect(preparedAxes([{ ...EVIDENCE, unit }])).to.deep.equal([EVIDENCE]);
    const unit = { one: 'part', many: 'pieces' };
    expect(preparedAxes([{ ...EVIDENCE, unit }])).to.deep.equal([{ ...EVIDENCE, unit }]);
  });

  it('is another count where a policy counts it from other records, or not at all', () => {
    const [none, reported, counted] = [DEFAULT_POLICY, demanding({ name: 'evidence' }), demanding(EVIDENCE)];
    expect(sameCounting(none, reported)).to.equal(true);
    expect(sameCounting(none, counted)).to.equal(false);
    expect(sameCounting(counted, demanding({ ...EVIDENCE, weight: 7 }))).to.equal(true);
    expect(axesOfPolicy(none, counted)).to.deep.equal(['evidence']);
    expect(axesOfPolicy(demanding({ ...EVIDENCE, countedFrom: null }), counted)).to.deep.equal(['evidence']);
    const frozen = ready({ ownAxes: { evidence: count(1, 9), speed: count(5, 6) } });
    const recounted = ready({ ownAxes: { evidence: count(2, 3), speed: count(0, 6) } });
    const after = recountedFacts(frozen, reported, recounted, counted);
    expect(after.ownAxes).to.deep.equal({ evidence: count(2, 3), speed: count(5, 6) });
    expect(recountedFacts(frozen, counted, ready({}), none).ownAxes).to.deep.equal({ speed: count(5, 6) });
    expect(recountedFacts(frozen, counted, recounted, counted)).to.deep.equal(frozen);
  });

  it('is what a what-if by a policy that counts it begins from', () => {
    const basis = { facts: ready({}), policy: DEFAULT_POLICY, waivers: [], asOf: NOW };
    const changes = { policy: { ownAxes: [EVIDENCE] } };
    const readingOf = (recounted?: ReleaseFacts) => whatIf(basis, changes, recounted).answer?.report.ownAxes?.[0];
    expect(readingOf()).to.include({ state: 'unmeasured', cause: 'nothing_to_count' });
    expect(readingOf(ready({ ownAxes: { evidence: count(2, 3) } }))).to.include({ state: 'measured', score: 66.66 });
  });

  it('decides in the preview of a policy that counts it', () => {
    const release = {
      release: 'r',
      policy: DEFAULT_POLICY,
      waivers: [],
      asOf: NOW,
      shipped: false,
      failedDeployments: 0,
    };
    const factsUnderNext = ready({ ownAxes: { evidence: count(2, 3) } });
    const { releases } = previewPolicy([{ ...release, facts: ready({}), factsUnderNext }], demanding(EVIDENCE));
    expect(releases.map(({ before, after }) => [before.decision, after.decision])).to.deep.equal([['go', 'hold']]);
  });
});
