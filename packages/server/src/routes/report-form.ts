import { createHash } from 'node:crypto';
import {
  type GateReport,
  STATEMENT_TYPE,
  VERDICT_TYPE,
  type VerdictFacts,
  type VerdictKeys,
  type VerdictPredicate,
  type VerdictStatement,
  type HistoryPoint as WireHistoryPoint,
  type ReadinessReport as WireReport,
} from '@shipworthy/client/contract';
import type { Cause, HistoryPoint, Instant, Release } from '@shipworthy/domain';
import type { VerdictKey } from '@shipworthy/domain/ports';
import {
  gateForm,
  judgementForm,
  type ReadinessReport,
  type ReleaseFacts,
  reasonForm,
  reportedForm,
  type SourceFacts,
  verificationForm,
  waiverForm,
} from '@shipworthy/domain/readiness';
import type { Verdict } from '@shipworthy/domain/use-cases';
import { entityTag } from '../http/answer.js';
import type { Routes } from '../http/route.js';
import { canonicalJson, wireMoment, wireMomentOrNull } from '../wire.js';
import { wirePolicy } from './policies.js';

/** The release that a report judges. */
export interface Judged {
  readonly project: { readonly id: string; readonly name: string };
  readonly release: Pick<Release, 'id' | 'name' | 'state'>;
  /** When the release shipped, in the report frozen then; null: the live one. */
  readonly frozenAt: Instant | null;
  readonly report: ReadinessReport;
}

const times = ({ report, frozenAt }: Judged) => ({
  as_of: wireMoment(report.asOf),
  ...(frozenAt === null ? {} : { frozen_at: wireMoment(frozenAt) }),
});

/** The whole report. */
export const wireReport = (judged: Judged): WireReport => {
  const { project, release, report } = judged;
  const { own_axes, ...judgement } = judgementForm(report);
  return {
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name, state: release.state },
    ...times(judged),
    ...judgement,
    // The type of the union does not say which facts go with which axis.
    axes: judgement.axes as WireReport['axes'],
    ...(own_axes === undefined ? {} : { own_axes: own_axes as NonNullable<WireReport['own_axes']> }),
  };
};

/** The gate's part of a report, with its times, in wire form. */
export const wireGateReport = (judged: Judged): GateReport => ({ ...times(judged), ...gateForm(judged.report.gate) });

/** A cause of a change, with its author where it is known. */
export const wireCause = ({ kind, id, at, by }: Cause): WireHistoryPoint['causes'][number] => ({
  kind,
  id,
  at: wireMoment(at),
  ...(by && { by: { kind: by.kind, name: by.name, ...(by.userId === undefined ? {} : { user_id: by.userId }) } }),
});

/** One point of the trend. */
export const wireHistoryPoint = (point: HistoryPoint): WireHistoryPoint => ({
  at: wireMoment(point.at),
  score: point.score,
  coverage: point.coverage,
  decision: point.decision,
  axes: point.axes.map(({ axis, score }) => ({ axis, score })),
  ...(point.ownAxes === undefined ? {} : { own_axes: point.ownAxes.map(({ axis, score }) => ({ axis, score })) }),
  causes: point.causes.map(wireCause),
  cause_count: point.causeCount,
});

/** A full hash of SHA-1 or SHA-256: anything shorter is a name people use, not a digest. */
const FULL_HASH = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

const wireSource = (source: SourceFacts | null) =>
  source && { last_at: wireMoment(source.lastAt), median_ms: source.medianMs };

/** Facts with all that the engine reads. */
const wireFacts = (facts: ReleaseFacts): VerdictFacts => {
  const { scope, quality, ops, verification, stability, issuesAsOf, issuesPending, testRunSetAside, sources } = facts;
  const own = Object.entries(facts.ownAxes ?? {});
  const { critical, major, minor, unspecified } = quality.open;
  return {
    scope: { done: scope.done, total: scope.total },
    quality: { resolved: quality.resolved, total: quality.total, open: { critical, major, minor, unspecified } },
    ops: { done: ops.done, total: ops.total, open_items: [...ops.openItems] },
    verification: verification && verificationForm(verification),
    stability: { succeeded: stability.succeeded, failed: stability.failed, in_progress: stability.inProgress },
    ...(issuesAsOf === undefined ? {} : { issues_as_of: wireMomentOrNull(issuesAsOf) }),
    ...(issuesPending === undefined ? {} : { issues_pending: issuesPending }),
    ...(testRunSetAside === undefined ? {} : { test_run_set_aside: testRunSetAside }),
    ...(sources === undefined
      ? {}
      : { sources: { deployments: wireSource(sources.deployments), test_runs: wireSource(sources.testRuns) } }),
    ...(own.length === 0 ? {} : { own_axes: own.map(([axis, report]) => ({ axis, ...reportedForm(report) })) }),
  };
};

const predicateOf = ({ readiness, commit, evidence, issuedAt }: Verdict, serviceVersion: string): VerdictPredicate => {
  const { project, release, report, basis, frozenAt } = readiness;
  const { formula, score, coverage, gate } = report;
  return {
    formula,
    project: { id: project.id, name: project.name },
    release: { id: release.id, name: release.name, state: release.state },
    as_of: wireMoment(report.asOf),
    frozen_at: wireMomentOrNull(frozenAt),
    commit,
    evidence_commits: { deployed: evidence.deployed, tested: evidence.tested },
    facts: wireFacts(basis.facts),
    policy: wirePolicy(basis.policy),
    waivers: basis.waivers.map(waiverForm),
    result: {
      score,
      coverage,
      decision: gate.decision,
      decision_without_waivers: gate.decisionWithoutWaivers,
      reasons: gate.reasons.map(reasonForm),
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

/** The signed statement of a verdict: an in-toto statement about the commit that is about to ship. */
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

/** The public keys of signed verdicts. */
export const verdictKeyRoutes = {
  readVerdictKeys: async (_, { ports }) => {
    const text = JSON.stringify(wireVerdictKeys(await ports.verdicts.keys()));
    return { status: 200, text, etag: entityTag(text) };
  },
} as const satisfies Partial<Routes>;
