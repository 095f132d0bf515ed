import type { Instant } from '../instant.js';
import type { ReleaseFacts } from '../readiness/facts.js';
import type { CountingRules, PolicyVersion } from '../readiness/policy.js';
import type { Waiver } from '../readiness/waiver.js';
import type { Release } from './release.js';

/** How far a release has changed: `revision` counts every change of anything its report is made of. */
export interface ReleaseRevision {
  readonly revision: number;
  readonly changedAt: Instant;
}

/** The same of a project's active release. */
export interface ActiveRevision extends ReleaseRevision {
  readonly releaseId: string;
}

/** All that a release's report is made of, as one consistent reading. */
export interface ReleaseDossier {
  readonly release: Release;
  readonly project: { readonly id: string; readonly teamId: string; readonly name: string };
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  /** Those not withdrawn, oldest first (createdAt, then id); expired ones too, since a passed expiry is a time limit of the report. */
  readonly waivers: readonly Waiver[];
  readonly revision: ReleaseRevision;
}

export interface ReleaseFactsStore {
  /** In the order asked; undefined where there is no such release. One round trip for any number of releases. */
  factsFor(releaseIds: readonly string[]): Promise<readonly (ReleaseDossier | undefined)[]>;
  /**
   * The same facts as another policy would count them: which deployments and which test runs there are. In the order asked;
   * undefined where there is no such release. One round trip for any number of releases.
   */
  factsUnder(releaseIds: readonly string[], rules: CountingRules): Promise<readonly (ReleaseFacts | undefined)[]>;
  /** In the order asked; the cheapest way to learn that nothing changed. One query for any number. */
  revisions(releaseIds: readonly string[]): Promise<readonly (ReleaseRevision | undefined)[]>;
  /** The same of projects' active releases; undefined where none is active. One query for any number. */
  activeRevisions(projectIds: readonly string[]): Promise<readonly (ActiveRevision | undefined)[]>;
}
