import type { Instant } from '../instant.js';
import type { ReleaseFacts } from './facts.js';
import type { PolicyVersion } from './policy.js';
import type { ReadinessReport } from './readiness-report.js';
import type { Waiver } from './waiver.js';

/** The judgement a release shipped with and everything it was computed from. */
export interface FrozenReport {
  readonly frozenAt: Instant;
  /** The release's revision it was made at; missing where that was not kept yet. */
  readonly revision?: number;
  readonly report: ReadinessReport;
  readonly facts: ReleaseFacts;
  readonly policy: PolicyVersion;
  readonly waivers: readonly Waiver[];
}
