import { type Policy, type ReleaseFacts, verificationForm, waiverForm } from '@shipworthy/domain/readiness';
import { anyCase } from '@shipworthy/domain/test-release';
import { expect } from 'chai';
import fc from 'fast-check';
import { readBasis } from '../src/offline.js';
import { standIn } from './stand-in.js';

const AT = Date.UTC(2026, 10, 21, 9, 30);
const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

const sentFacts = ({
  ops,
  verification,
  stability,
  issuesAsOf,
  issuesPending,
  testRunSetAside,
  ...facts
}: ReleaseFacts) => ({
  ...facts,
  ops: { done: ops.done, total: ops.total, open_items: ops.openItems },
  verification: verification && verificationForm(verification),
  stability: { succeeded: stability.succeeded, failed: stability.failed, in_progress: stability.inProgress },
  ...(issuesAsOf === undefined ? {} : { issues_as_of: issuesAsOf && new Date(issuesAsOf).toISOString() }),
  ...(issuesPending === undefined ? {} : { issues_pending: issuesPending }),
  ...(testRunSetAside === undefined ? {} : { test_run_set_aside: testRunSetAside }),
});

const sentPolicy = (policy: Policy) => ({
  weights: policy.weights,
  threshold: policy.threshold,
  minimums: policy.minimums,
  required_axes: policy.requiredAxes,
  environments: policy.environments,
  freshness_hours: policy.freshnessHours,
  verification: policy.verification,
  max_open_critical_bugs: policy.maxOpenCriticalBugs,
  min_finished_deployments: policy.minFinishedDeployments,
  stability_bound: policy.stabilityBound,
  silence_hours: policy.silenceHours,
});

describe('readBasis', () => {
  it('reads everything the engine can judge as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ facts, policy, waivers }) => {
        const stdin = JSON.stringify({
          facts: sentFacts(facts),
          policy: sentPolicy(policy),
          waivers: waivers.map((waiver) => ({ ...waiverForm(waiver), id: ID })),
          as_of: new Date(AT).toISOString(),
        });
        const world = await standIn({ stdin });
        const basis = await readBasis(world, '-').finally(() => world.remove());
        const { sources, ...read } = basis.facts;
        expect(sources).to.equal(undefined);
        expect(read).to.deep.equal(facts);
        expect(basis.policy).to.deep.equal({ stabilityBound: 'rate', silenceHours: null, ...policy });
        expect(basis.waivers).to.deep.equal(waivers.map((waiver) => ({ ...waiver, id: ID, releaseId: '' })));
        expect(basis.asOf).to.equal(AT);
      }),
      { numRuns: 60 },
    );
  });
});
