import type { Scope } from '../access/principal.js';
import type { ExternalId } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';

const SERVICE_KINDS = ['service.deployed', 'service.upgraded', 'service.rolledback'] as const;
type ServiceKind = (typeof SERVICE_KINDS)[number];
const RUN_KIND = 'testsuiterun.finished';

/** The kinds of CDEvents that become records. */
export type UsedKind = ServiceKind | typeof RUN_KIND;

/** What every CDEvent that becomes a record says; null: not said. */
interface UsedEvent {
  /** `context.source`: who sent it first. */
  readonly source: string;
  /** `subject.source`. */
  readonly subjectSource: string | null;
  /** `context.timestamp`. */
  readonly at: Instant;
  /** Made of `context.source` and `context.id`, which together name an event once and for ever. */
  readonly external: ExternalId;
  /** `customData.app_name`, `customData.project_id`, `customData.commit_sha`. */
  readonly appName: string | null;
  readonly projectId: string | null;
  readonly commitSha: string | null;
}

/** A service was deployed, upgraded or rolled back. */
export interface ServiceEvent extends UsedEvent {
  readonly kind: ServiceKind;
  readonly subjectId: string;
  /** `subject.content.environment.id`. */
  readonly environment: string;
  /** A package URL. */
  readonly artifactId: string | null;
}

/** How a run of a test suite ended. */
export type SuiteOutcome = 'pass' | 'fail' | 'cancel' | 'error';

/** Tests by how they ended, as `customData` counts them. */
export interface SuiteCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number | null;
}

/** A run of a test suite ended. */
export interface SuiteRunEvent extends UsedEvent {
  readonly kind: typeof RUN_KIND;
  readonly outcome: SuiteOutcome;
  /** `subject.content.testSuite.name`, or its id. */
  readonly suite: string | null;
  /** `subject.content.testSuite.id`. */
  readonly suiteId: string | null;
  /** null: only the outcome is known. */
  readonly counts: SuiteCounts | null;
}

/** A CDEvent as far as a record can be made of it; `other`: of none of the kinds used here; `foreign`: a CloudEvent that is none. */
export type CdEvent = ServiceEvent | SuiteRunEvent | { readonly kind: 'other' } | { readonly kind: 'foreign' };

const KINDS: ReadonlySet<string> = new Set<UsedKind>([...SERVICE_KINDS, RUN_KIND]);
const isUsed = (kind: string): kind is UsedKind => KINDS.has(kind);

/**
 * The kind a `context.type` stands for, whatever its version, as in `dev.cdevents.service.deployed.0.2.0`;
 * null for every other type. Source: https://github.com/cdevents/spec/blob/v0.4.1/spec.md (type)
 */
export const usedKind = (type: string): UsedKind | null => {
  const [, kind = ''] = /^dev\.cdevents\.([a-z]+\.[a-z]+)(?:\.\d|$)/.exec(type) ?? [];
  return isUsed(kind) ? kind : null;
};

/** Whether it is the type of a CDEvent, used here or not, custom ones (`dev.cdeventsx`) included. */
export const isCdEventType = (type: string): boolean => /^dev\.cdeventsx?\./.test(type);

/** The scope a key needs for a record of that kind. */
export const scopeOfKind = (kind: UsedKind): Scope => (kind === RUN_KIND ? 'test-runs:write' : 'deployments:write');
