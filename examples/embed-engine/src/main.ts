import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '@shipworthy/domain/readiness';

// Take the counts from where you keep them; the engine needs nothing else.
const facts: ReleaseFacts = {
  scope: { done: 18, total: 20 },
  quality: { resolved: 5, total: 6, open: { critical: 0, major: 1, minor: 0, unspecified: 0 } },
  ops: { done: 2, total: 3, openItems: ['Rollback'] },
  verification: { passed: 410, total: 412, ranAt: Date.UTC(2026, 10, 20, 9), suite: 'unit', commitSha: null, runs: 1 },
  stability: { succeeded: 9, failed: 1, inProgress: 0 },
};

const report = assessRelease(facts, { ...DEFAULT_POLICY, threshold: 85 }, Date.UTC(2026, 10, 20, 12));

console.log(`score ${report.score}, coverage ${report.coverage}, gate ${report.gate.decision}`);
for (const { axis, explanation } of report.axes) console.log(`  ${axis}: ${explanation}`);
for (const { message } of report.gate.reasons) console.log(`because: ${message}`);
for (const { message, gain } of report.gate.nextSteps) console.log(`next: ${message} (+${gain})`);
