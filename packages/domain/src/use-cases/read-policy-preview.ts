import { invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import { recountedFacts, sameCounting } from '../readiness/counting-rules.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { FrozenReport } from '../readiness/frozen-report.js';
import type { Policy } from '../readiness/policy.js';
import { policyFaults } from '../readiness/policy-rules.js';
import { type PolicyPreview, previewPolicy, type RecordedRelease } from '../readiness/preview-policy.js';
import type { Release } from '../release/release.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';
import { findProject, type ProjectPath } from './in-project.js';

/** How many releases a preview looks at. */
export const PREVIEWED_RELEASES = 500;

export interface ReadPolicyPreview extends ProjectPath {
  readonly policy: Policy;
}

export interface PolicyPreviewReading extends PolicyPreview<Release> {
  /** How many releases were judged again. */
  readonly considered: number;
  /** How many older ones were not. */
  readonly leftOut: number;
}

/**
 * Which decisions another policy would change, over the newest 500 releases of a project that are not canceled: open ones
 * by what is known now, shipped ones by what was frozen when they shipped, against the policy they shipped under. Where
 * it counts other environments or other test runs than that policy, those are counted anew from the records of the
 * window, which closed with it. Five queries at most, whatever their number. Role viewer.
 * @throws DomainError `not-found`, `invalid`
 */
export const readPolicyPreview =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ policy: next, ...path }: ReadPolicyPreview): Promise<PolicyPreviewReading> => {
    await findProject(stores, path);
    const faults = policyFaults(next);
    if (faults.length > 0) throw invalid(faults);
    const states = ['planned', 'active', 'shipped'] as const;
    const { releases, total } = await stores.releases.newest(path.projectId, states, PREVIEWED_RELEASES);
    const found = await stores.facts.factsFor(releases.map(({ id }) => id));
    // A release may have been canceled since it was listed.
    const dossiers = found.filter((one) => one !== undefined).filter(({ release }) => release.state !== 'canceled');
    const ids = dossiers.map(({ release }) => release.id);
    const counts = dossiers.every(({ policy }) => sameCounting(policy.policy, next));
    const recounted = counts ? dossiers.map(({ facts }) => facts) : await stores.facts.factsUnder(ids, next);
    const frozen = await stores.releases.frozenOf(ids);
    const now = clock();
    const recorded = dossiers.map((dossier, index) =>
      recordedRelease(dossier, frozen[index], recounted[index] ?? dossier.facts, next, now),
    );
    const considered = recorded.length;
    return { ...previewPolicy(recorded, next), considered, leftOut: total - releases.length };
  };

const recordedRelease = (
  dossier: ReleaseDossier,
  frozen: FrozenReport | undefined,
  recounted: ReleaseFacts,
  next: Policy,
  now: Instant,
): RecordedRelease<Release> => {
  const { release } = dossier;
  const shipped = release.state === 'shipped';
  const { facts, policy, waivers } = (shipped ? frozen : undefined) ?? dossier;
  return {
    release,
    facts,
    factsUnderNext: recountedFacts(facts, policy.policy, recounted, next),
    policy: policy.policy,
    waivers,
    asOf: shipped ? (frozen?.frozenAt ?? now) : now,
    shipped,
    failedDeployments: recounted.stability.failed,
  };
};
