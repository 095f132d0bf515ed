import type { Policy as WirePolicy, ReadinessReport as WireReport, Waiver as WireWaiver } from '@shipworthy/client';
import {
  assessRelease,
  changesOfRequest,
  judgementForm,
  type Policy,
  waiverForm,
  whatIf,
} from '@shipworthy/domain/readiness';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import { factsOfReport } from '../../../../src/screens/scorecard/what-if/facts-of-report.js';
import { judge } from '../../../../src/screens/scorecard/what-if/judge.js';
import { requestOf } from '../../../../src/screens/scorecard/what-if/request-of.js';
import { amountsOf, type Supposed } from '../../../../src/screens/scorecard/what-if/supposed.js';

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
        const request = requestOf(read, amountsOf(read, supposed), demands, AS_OF);
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
        expect(requestOf(facts, amountsOf(facts, {}), {}, AS_OF)).to.deep.equal({ facts: {}, policy: {} });
      }),
    );
  });
});
