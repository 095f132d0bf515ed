import type { Scope } from './access/principal.js';
import type { ExternalId } from './deployment.js';
import { DomainError, type Fault } from './errors.js';
import type { Project } from './project.js';
import type { Instant } from './time.js';

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

/** Where in the event each field of a report comes from, both as JSON pointers. */
type EventPointers = Readonly<Record<string, string>>;

/** The fields whose place is the same in every event. */
export const EVENT_POINTERS: EventPointers = {
  '/project_id': '/customData/project_id',
  '/started_at': '/context/timestamp',
  '/finished_at': '/context/timestamp',
  '/ran_at': '/context/timestamp',
  '/total': '/customData/total',
};

const NAME_REFUSALS: readonly string[] = ['unknown-app-name', 'app-name-mismatch'];

const faultsOf = ({ code, message, details }: DomainError): readonly Fault[] => {
  if (Array.isArray(details.faults)) return details.faults;
  return NAME_REFUSALS.includes(code) ? [{ pointer: '/app_name', code, message }] : [];
};

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

const moved = (fault: Fault, pointers: EventPointers, base: string): Fault => {
  const pointer = pointers[fault.pointer];
  if (pointer === undefined) return { ...fault, pointer: `${base}${fault.pointer}` };
  const field = dotted(fault.pointer);
  const message = fault.message.startsWith(`${field} `)
    ? `${dotted(pointer)}${fault.message.slice(field.length)}`
    : fault.message;
  return { ...fault, pointer: `${base}${pointer}`, message };
};

/**
 * The refusal of a report in the words of the event it was made of: its faults point into what was sent, where the event
 * itself lies at `base`. A fault that two fields of the report have in common is named once.
 */
export const refusalInEvent = (refusal: DomainError, pointers: EventPointers, base: string): DomainError => {
  const faults = faultsOf(refusal).map((fault) => moved(fault, pointers, base));
  if (faults.length === 0) return refusal;
  const once = [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()];
  const message = refusal.code === 'invalid' ? once.map((fault) => fault.message).join('; ') : refusal.message;
  return new DomainError(refusal.code, message, { ...refusal.details, faults: once });
};

/** Which texts of events stand for which project. */
export interface EventSourceStore {
  /** The event sources of a project, in the order they were set. */
  ofProject(projectId: string): Promise<readonly string[]>;
  /**
   * Sets a project's event sources, each given once, in the place of those it had.
   * DomainError `event-source-taken` when another project of its team has one of them.
   */
  replace(project: Pick<Project, 'id' | 'teamId'>, sources: readonly string[]): Promise<void>;
  /** For each source, in order: the projects that have exactly it, in all teams, by id. One query for any number. */
  projectsOf(sources: readonly string[]): Promise<readonly (readonly Project[])[]>;
}
