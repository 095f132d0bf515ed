import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, previewPolicy, type RecordedRelease } from '../../src/readiness/index.js';
import { anyCase, anyPolicy } from './arbitrary-release.js';
import { deployments, NOW, policy, READY, ready, waiver } from './sample-release.js';

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
