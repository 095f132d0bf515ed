import type { Policy as WirePolicy, ReadinessReport as WireReport, Waiver as WireWaiver } from '@shipworthy/client';
import {
  assessRelease,
  changesOfRequest,
  DEFAULT_POLICY,
  judgementForm,
  type OwnAxis,
  ownAxesForm,
  type Policy,
  type ReleaseFacts,
  type ReportedFacts,
  type WhatIf,
  type WhatIfAnswer,
  waiverForm,
  whatIf,
} from '@shipworthy/domain/readiness';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountsOf,
  factsOfReport,
  judge,
  type Supposed,
  whatIfRequest,
  withCritical,
  withResolved,
} from '../../../../src/screens/scorecard/what-if/judge.js';

const NOW = Date.UTC(2024, 4, 1, 12);
const AS_OF = new Date(NOW).toISOString();

const policyForm = (policy: Policy): WirePolicy => ({
  weights: policy.weights,
  threshold: policy.threshold,
  minimums: policy.minimums,
  required_axes: policy.requiredAxes,
  environments: policy.environments,
  freshness_hours: policy.freshnessHours,
  verification: policy.verification,
  max_open_critical_bugs: policy.maxOpenCriticalBugs,
  min_finished_deployments: policy.minFinishedDeployments,
  stability_bound: policy.stabilityBound ?? 'rate',
  silence_hours: policy.silenceHours ?? null,
  version: 1,
});

const RELEASE: ReleaseFacts = {
  scope: { done: 1, total: 2 },
  quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 1, total: 1, openItems: [] },
  verification: null,
  stability: { succeeded: 1, failed: 0, inProgress: 0 },
};

/** What the browser reads of a release with own axes. */
const knownOf = (facts: ReleaseFacts, policy: Policy) => ({
  report: { ...judgementForm(assessRelease(facts, policy, NOW)), as_of: AS_OF } as unknown as WireReport,
  policy: { ...policyForm(policy), own_axes: ownAxesForm(policy) },
  waivers: [],
});

// `constructor` is a name like any other, and a member of every object.
const ownName = fc.constantFrom('constructor', 'security', 'translations');
const ownReport: fc.Arbitrary<ReportedFacts> = fc
  .record({ whole: fc.option(fc.integer({ min: 1, max: 200 })), part: fc.nat(200), age: fc.nat(72) })
  .map(({ whole, part, age }) => ({
    part: whole === null ? 0 : Math.min(part, whole),
    whole,
    explanation: null,
    url: null,
    measuredAt: NOW - age * 3_600_000,
  }));
const ownDemands: fc.Arbitrary<readonly OwnAxis[]> = fc.uniqueArray(
  fc.record({
    name: ownName,
    weight: fc.integer({ min: 1, max: 5 }),
    minimum: fc.nat(100),
    required: fc.boolean(),
    freshForHours: fc.constantFrom(null, 24),
  }),
  { selector: ({ name }) => name },
);
const moves = fc.uniqueArray(fc.tuple(ownName, fc.nat(300)), { selector: ([name]) => name });

describe('own axes in what if', () => {
  it('are judged as the engine judges the facts themselves, with reports that are assumed', () => {
    fc.assert(
      fc.property(
        fc.dictionary(ownName, ownReport),
        ownDemands,
        moves,
        fc.option(fc.nat(100)),
        (reported, ownAxes, moved, minimum) => {
          const policy = { ...DEFAULT_POLICY, ownAxes };
          const facts: ReleaseFacts = { ...RELEASE, ownAxes: { ...reported } };
          const known = knownOf(facts, policy);
          const read = factsOfReport(known.report);
          const demands =
            minimum === null ? {} : { own_axes: known.policy.own_axes.map((axis) => ({ ...axis, minimum })) };
          const request = whatIfRequest(read, amountsOf(read, { own: new Map(moved) }), demands, AS_OF);
          const here = judge(known, read, request);
          const there = whatIf({ facts, policy, waivers: [], asOf: NOW }, changesOfRequest(request));
          expect(here.faults).to.deep.equal([]);
          expect(here.answer?.before).to.deep.equal(there.answer?.before);
          const { own_axes: ownHere, ...restHere } = judgementForm(demandAnswer(here));
          const { own_axes: ownThere, ...restThere } = judgementForm(demandAnswer(there));
          expect(restHere).to.deep.equal(restThere);
          expect(ownHere).to.deep.equal(ownThere);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are assumed as a part of what the latest report counts, measured now, and of 100 where none counts', () => {
    const report = { part: 48, whole: 50, explanation: 'x', url: null, measuredAt: NOW - 1 };
    const facts: ReleaseFacts = {
      ...RELEASE,
      ownAxes: { security: report, speed: { ...report, part: 0, whole: null } },
    };
    const own = new Map([
      ['security', 51],
      ['speed', 90],
      ['constructor', 7],
    ]);
    expect(whatIfRequest(facts, amountsOf(facts, { own }), {}, AS_OF).facts).to.deep.equal({
      own_axes: [
        { axis: 'security', part: 50, whole: 50, measured_at: AS_OF },
        { axis: 'speed', part: 90, whole: 100, measured_at: AS_OF },
        { axis: 'constructor', part: 7, whole: 100, measured_at: AS_OF },
      ],
    });
  });

  it('are unmeasured, never passed, where the report that was read says nothing of them', () => {
    const ownAxes = [{ name: 'security', weight: 2, minimum: 90, required: true }];
    const { report, ...known } = knownOf(RELEASE, { ...DEFAULT_POLICY, ownAxes });
    const { own_axes: _, ...without } = report;
    const { answer } = judge({ report: without, ...known }, factsOfReport(without), {});
    expect(answer?.report.ownAxes?.map(({ state }) => state)).to.deep.equal(['unmeasured']);
    expect(answer?.report.gate.reasons.map(({ code, axis }) => [code, axis])).to.deep.include([
      'axis_unmeasured',
      'security',
    ]);
  });
});

const demandAnswer = ({ answer, faults }: WhatIf): WhatIfAnswer['report'] => {
  if (answer === null) throw new Error(`No answer: ${JSON.stringify(faults)}`);
  return answer.report;
};

const amount = fc.option(fc.nat(500), { nil: undefined });
/** Numbers as sliders give them, before the release as it is sets their bounds. */
const moved: fc.Arbitrary<Supposed> = fc
  .record({
    done: amount,
    resolved: amount,
    critical: amount,
    items: amount,
    passed: amount,
    tests: amount,
    succeeded: amount,
    failed: amount,
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

describe('what if, judged in the browser', () => {
  it('is what the engine says of the facts themselves, for any release, policy and waivers', () => {
    fc.assert(
      fc.property(anyCase, moved, fc.option(fc.nat(100)), ({ facts, policy, waivers }, supposed, threshold) => {
        const before = assessRelease(facts, policy, NOW, waivers);
        const known = {
          report: {
            ...judgementForm(before),
            as_of: AS_OF,
            project: { id: '', name: '' },
            release: { id: '', name: '', state: 'active' },
          } as unknown as WireReport,
          policy: policyForm(policy),
          waivers: waivers.map(waiverForm) as readonly WireWaiver[],
        };
        const read = factsOfReport(known.report);
        const demands = threshold === null ? {} : { threshold };
        const request = whatIfRequest(read, amountsOf(read, supposed), demands, AS_OF);
        const here = judge(known, read, request);
        const there = whatIf({ facts, policy, waivers, asOf: NOW }, changesOfRequest(request));
        expect(here.faults).to.deep.equal([]);
        expect(here.answer?.before).to.deep.equal(there.answer?.before);
        expect(here.answer && judgementForm(here.answer.report)).to.deep.equal(
          there.answer && judgementForm(there.answer.report),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('asks nothing while nothing is moved', () => {
    fc.assert(
      fc.property(anyCase, ({ facts }) => {
        expect(whatIfRequest(facts, amountsOf(facts, {}), {}, AS_OF)).to.deep.equal({ facts: {}, policy: {} });
      }),
    );
  });
});

/** 5 of 8 issues done; of 4 bugs 1 resolved, 2 of the open ones critical. */
const FACTS: ReleaseFacts = {
  scope: { done: 5, total: 8 },
  quality: { resolved: 1, total: 4, open: { critical: 2, major: 1, minor: 0, unspecified: 0 } },
  ops: { done: 0, total: 3, openItems: [] },
  verification: null,
  stability: { succeeded: 1, failed: 1, inProgress: 0 },
};

describe('amounts that are supposed', () => {
  it('are those of the release until one is moved', () => {
    expect(amountsOf(FACTS, {})).to.deep.equal({
      done: 5,
      resolved: 1,
      critical: 0,
      items: 0,
      tests: 0,
      passed: 0,
      succeeded: 1,
      failed: 1,
      own: new Map(),
    });
  });

  it('count a resolved bug as a done issue, and a reopened one as an open issue', () => {
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 3))).to.include({ resolved: 3, done: 7 });
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 0))).to.include({ resolved: 0, done: 4 });
  });

  it('resolve bugs where more issues are done than are no bugs', () => {
    expect(amountsOf(FACTS, { done: 8 })).to.include({ done: 8, resolved: 4, critical: 2 });
    expect(amountsOf(FACTS, { done: 0 })).to.include({ done: 0, resolved: 0 });
  });

  it('resolve critical bugs only when they are meant, or no others are left', () => {
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 2))).to.include({ resolved: 2, critical: 0 });
    expect(amountsOf(FACTS, withResolved(FACTS, {}, 3))).to.include({ resolved: 3, critical: 1 });
    expect(amountsOf(FACTS, withCritical(FACTS, {}, 2))).to.include({ resolved: 3, critical: 2, done: 7 });
  });

  it('stay within their bounds, in any order of changes', () => {
    const move = fc.tuple(fc.constantFrom('done', 'resolved', 'critical'), fc.nat(500));
    fc.assert(
      fc.property(anyCase, fc.array(move, { maxLength: 6 }), ({ facts }, moves) => {
        let supposed: Supposed = {};
        for (const [what, value] of moves) {
          if (what === 'done') supposed = { ...supposed, done: value };
          else if (what === 'resolved') supposed = withResolved(facts, supposed, Math.min(value, facts.quality.total));
          else supposed = withCritical(facts, supposed, Math.min(value, facts.quality.open.critical));
        }
        const { done, resolved, critical } = amountsOf(facts, supposed);
        const { scope, quality } = facts;
        expect(done).to.be.within(resolved, scope.total - (quality.total - resolved));
        expect(resolved).to.be.within(0, quality.total);
        expect(critical).to.be.within(0, quality.open.critical);
        expect(quality.open.critical - critical).to.be.at.most(quality.total - resolved);
      }),
    );
  });
});
