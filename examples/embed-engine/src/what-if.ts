import { DEFAULT_POLICY, previewPolicy, type ReleaseFacts, whatIf } from '@shipworthy/domain/readiness';

const asOf = Date.UTC(2026, 10, 20, 12);

const releaseWith = (succeeded: number, failed: number): ReleaseFacts => ({
  scope: { done: 20, total: 20 },
  quality: { resolved: 6, total: 6, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 3, total: 3, openItems: [] },
  verification: { passed: 412, total: 412, ranAt: asOf, suite: 'unit', commitSha: null, runs: 1 },
  stability: { succeeded, failed, inProgress: 0 },
});

// What if the next two deployments fail, and stability had to be proven rather than counted?
const basis = { facts: releaseWith(18, 0), policy: DEFAULT_POLICY, waivers: [], asOf };
const { answer, faults } = whatIf(basis, {
  facts: { stability: { succeeded: 18, failed: 2, inProgress: 0 } },
  policy: { stabilityBound: 'upper_bound', minimums: { stability: 80 } },
});

for (const { pointer, message } of faults) console.log(`${pointer}: ${message}`);
if (answer !== null) {
  console.log(`was ${answer.before.score} ${answer.before.decision}`);
  console.log(`would be ${answer.report.score} ${answer.report.gate.decision}`);
  for (const { message } of answer.report.gate.reasons) console.log(`because: ${message}`);
  for (const { message } of answer.report.gate.nextSteps) console.log(`next: ${message}`);
}

// Which decisions would a stricter policy have changed, and which releases would it have held?
const recorded = [releaseWith(19, 1), releaseWith(6, 4), releaseWith(20, 0)].map((facts, index) => ({
  ...basis,
  release: `2.${index}`,
  facts,
  shipped: true,
  failedDeployments: facts.stability.failed,
}));
const stricter = { ...DEFAULT_POLICY, minimums: { ...DEFAULT_POLICY.minimums, stability: 90 } };
const { releases, flips, wouldHaveHeld } = previewPolicy(recorded, stricter);

for (const { release, before, after } of releases) console.log(`${release}: ${before.decision} -> ${after.decision}`);
console.log(`${flips} of ${releases.length} decisions flip; it would have held ${wouldHaveHeld.join(', ')}`);
