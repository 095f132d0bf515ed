import { createHash } from 'node:crypto';
import {
  STATEMENT_TYPE,
  VERDICT_TYPE,
  type VerdictFacts,
  type VerdictKeys,
  type VerdictPredicate,
  type VerdictStatement,
} from '@shipworthy/client/contract';
import type { ReleaseFacts, SourceFacts, Verdict, VerdictKey } from '@shipworthy/domain';
import { verificationFacts } from './axis-reading.js';
import { canonicalJson } from './canonical-json.js';
import { wireReason } from './gate.js';
import { wireMoment, wireMomentOrNull } from './moment.js';
import { wirePolicy } from './policy.js';
import { wireWaiver } from './waiver.js';

/** A full hash of SHA-1 or SHA-256: anything shorter is a name people use, not a digest. */
const FULL_HASH = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

const wireSource = (source: SourceFacts | null) =>
  source && { last_at: wireMoment(source.lastAt), median_ms: source.medianMs };

/** Facts with all that the engine reads. */
export const wireFacts = (facts: ReleaseFacts): VerdictFacts => {
  const { scope, quality, ops, verification, stability, issuesAsOf, issuesPending, testRunSetAside, sources } = facts;
  const { critical, major, minor, unspecified } = quality.open;
  return {
    scope: { done: scope.done, total: scope.total },
    quality: { resolved: quality.resolved, total: quality.total, open: { critical, major, minor, unspecified } },
    ops: { done: ops.done, total: ops.total, open_items: [...ops.openItems] },
    verification: verification && verificationFacts(verification),
    stability: { succeeded: stability.succeeded, failed: stability.failed, in_progress: stability.inProgress },
    ...(issuesAsOf === undefined ? {} : { issues_as_of: wireMomentOrNull(issuesAsOf) }),
    ...(issuesPending === undefined ? {} : { issues_pending: issuesPending }),
    ...(testRunSetAside === undefined ? {} : { test_run_set_aside: testRunSetAside }),
    ...(sources === undefined
      ? {}
      : { sources: { deployments: wireSource(sources.deployments), test_runs: wireSource(sources.testRuns) } }),
  };
};

const predicateOf = ({ readiness, commit, issuedAt }: Verdict, serviceVersion: string): VerdictPredicate => {
  const { project, release, report, basis, frozenAt } = readiness;
  const { formula, score, coverage, gate } = report;
  return {
    formula,
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name, state: release.state },
    as_of: wireMoment(report.asOf),
    frozen_at: wireMomentOrNull(frozenAt),
    commit,
    facts: wireFacts(basis.facts),
    policy: wirePolicy(basis.policy),
    waivers: basis.waivers.map(wireWaiver),
    result: {
      score,
      coverage,
      decision: gate.decision,
      decision_without_waivers: gate.decisionWithoutWaivers,
      reasons: gate.reasons.map(wireReason),
    },
    service_version: serviceVersion,
    issued_at: wireMoment(issuedAt),
  };
};

const digestOf = ({ commit, facts }: VerdictPredicate): VerdictStatement['subject'][number]['digest'] => {
  const hash = commit?.toLowerCase() ?? '';
  if (FULL_HASH.test(hash)) return { gitCommit: hash };
  return { sha256: createHash('sha256').update(canonicalJson(facts), 'utf8').digest('hex') };
};

/** What is signed of a verdict: an in-toto statement about the commit that is about to ship. */
export const wireStatement = (verdict: Verdict, serviceVersion: string): VerdictStatement => {
  const predicate = predicateOf(verdict, serviceVersion);
  const { project, release } = predicate;
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: `${project.name}/${release.name}`, digest: digestOf(predicate) }],
    predicateType: VERDICT_TYPE,
    predicate,
  };
};

/** Public keys as a JWK Set. */
export const wireVerdictKeys = (keys: readonly VerdictKey[]): VerdictKeys => ({
  keys: keys.map(({ keyid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: keyid, use: 'sig', alg: 'EdDSA' })),
});
