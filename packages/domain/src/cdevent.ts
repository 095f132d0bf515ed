import type { Scope } from './access/principal.js';
import type { DeploymentReport, ExternalId } from './deployment.js';
import { DomainError, type Fault, invalid } from './errors.js';
import type { Project } from './project.js';
import { MAX_COUNT } from './readiness/numbers.js';
import { lineOf } from './repository/host.js';
import { suiteOf, type TestRunReport } from './test-run.js';
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
  /** Made of `context.source` and `context.id`, which together identify an event. */
  readonly external: ExternalId;
  /** The external id that earlier versions gave the event, which was not unique; null: the same as now. */
  readonly formerName: string | null;
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

/** A CDEvent as it is read here. `other`: of a kind that is not used; `foreign`: a CloudEvent that is no CDEvent. */
export type CdEvent = ServiceEvent | SuiteRunEvent | { readonly kind: 'other' } | { readonly kind: 'foreign' };

const KINDS: ReadonlySet<string> = new Set<UsedKind>([...SERVICE_KINDS, RUN_KIND]);
const isUsed = (kind: string): kind is UsedKind => KINDS.has(kind);

/**
 * The kind of a `context.type` of any version, such as `dev.cdevents.service.deployed.0.2.0`; null for every other type.
 * Source: https://github.com/cdevents/spec/blob/v0.4.1/spec.md (type)
 */
export const usedKind = (type: string): UsedKind | null => {
  const [, kind = ''] = /^dev\.cdevents\.([a-z]+\.[a-z]+)(?:\.\d|$)/.exec(type) ?? [];
  return isUsed(kind) ? kind : null;
};

/** Whether it is the type of a CDEvent, used here or not, custom ones (`dev.cdeventsx`) included. */
export const isCdEventType = (type: string): boolean => /^dev\.cdeventsx?\./.test(type);

/** The scope a key needs for a record of that kind. */
export const scopeOfKind = (kind: UsedKind): Scope => (kind === RUN_KIND ? 'test-runs:write' : 'deployments:write');

/** Maps the JSON pointer of each field of a report to that of the event's member it comes from. */
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
 * Translates the refusal of a report that was made from an event: its faults then point into the event, which was sent
 * at the JSON pointer `base`. A fault that two fields of the report share is named once.
 */
export const refusalInEvent = (refusal: DomainError, pointers: EventPointers, base: string): DomainError => {
  const faults = faultsOf(refusal).map((fault) => moved(fault, pointers, base));
  if (faults.length === 0) return refusal;
  const once = [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()];
  const message = refusal.code === 'invalid' ? once.map((fault) => fault.message).join('; ') : refusal.message;
  return new DomainError(refusal.code, message, { ...refusal.details, faults: once });
};

/** Stores which source texts of CDEvents name which project. */
export interface EventSourceStore {
  /** The event sources of a project, in the order they were set. */
  ofProject(projectId: string): Promise<readonly string[]>;
  /**
   * Replaces a project's event sources; `sources` holds each text once.
   * DomainError `event-source-taken` when another project of its team has one of them.
   */
  replace(project: Pick<Project, 'id' | 'teamId'>, sources: readonly string[]): Promise<void>;
  /** For each source, in order: the projects of all teams that have it exactly, by id. One query for any number. */
  projectsOf(sources: readonly string[]): Promise<readonly (readonly Project[])[]>;
}

/** The version and commit of a package URL; null: it names none. */
interface Artifact {
  readonly version: string | null;
  /** The commit; where none is named, the SHA-256 digest of the content, 64 hexadecimal characters. */
  readonly commitSha: string | null;
}

const LONGEST_VERSION = 200;
const COMMIT = /^[0-9a-f]{7,64}$/i;
const NOTHING: Artifact = { version: null, commitSha: null };

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const commitIn = (text: string | undefined): string | null =>
  text !== undefined && COMMIT.test(text) ? text.toLowerCase() : null;

/** Returns the version if it can be a commit. Fewer than 40 digits alone are more likely a number or a date. */
const commitInVersion = (version: string | null): string | null =>
  version === null || (/^\d+$/.test(version) && version.length < 40) ? null : commitIn(version);

/** Finds the first SHA-256 digest in the texts; one text, the qualifier `checksum`, may list several digests. */
const digestIn = (texts: readonly (string | null | undefined)[]): string | null => {
  for (const text of texts.flatMap((some) => some?.split(',') ?? [])) {
    const [, digest] = /^sha256:([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
    if (digest !== undefined) return digest.toLowerCase();
  }
  return null;
};

/**
 * Returns what follows the last `@` of an address, without its fragment. Not by a regular expression, which would start
 * anew at every `@` and be slow for long texts.
 */
const revisionIn = (address: string | undefined): string | undefined => {
  const [whole = ''] = address?.split('#', 1) ?? [];
  return whole.includes('@') ? whole.slice(whole.lastIndexOf('@') + 1) : undefined;
};

/** Whether a decoded text can be a version: one line, no character that is invisible or changes the display order. */
const isLabel = (text: string): boolean => text !== '' && lineOf(text, LONGEST_VERSION) === text;

/**
 * Reads version and commit from a package URL. The commit is the qualifier `commit`, or follows the `@` of the
 * qualifier `vcs_url`, or is the version itself; without any of them the SHA-256 digest of the content is used: the
 * version `sha256:...` of an image, or the qualifier `checksum`. Both are null for a text that is no package URL.
 * Source: https://github.com/package-url/purl-spec (components, qualifiers `vcs_url`, `checksum`, type `oci`)
 */
export const readArtifact = (purl: string): Artifact => {
  if (!/^pkg:/i.test(purl)) return NOTHING;
  const [withoutSubpath = ''] = purl.split('#', 1);
  const [path = '', query = ''] = withoutSubpath.split('?', 2);
  const at = path.lastIndexOf('@');
  // An @ before the last slash belongs to a namespace, such as that of an npm scope.
  const text = at > path.lastIndexOf('/') ? decoded(path.slice(at + 1)) : '';
  const version = isLabel(text) ? text : null;
  const qualifiers = new Map(
    query.split('&').map((pair): readonly [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [name.toLowerCase(), decoded(value.join('='))];
    }),
  );
  const commit =
    commitIn(qualifiers.get('commit')) ?? commitIn(revisionIn(qualifiers.get('vcs_url'))) ?? commitInVersion(version);
  return { version, commitSha: commit ?? digestIn([version, qualifiers.get('checksum')]) };
};

const LONGEST_LABEL = 200;

/** The JSON pointer of the member that names the service. */
export const appNamePointer = ({ appName }: ServiceEvent): string =>
  appName === null ? '/subject/id' : '/customData/app_name';

const NO_COMMIT: Fault = {
  pointer: '/customData/commit_sha',
  code: 'required',
  message:
    'customData.commit_sha is required where artifactId names no commit (by the qualifier commit or vcs_url, or as its version) and no digest of its content (sha256: in its version or its qualifier checksum).',
};

/**
 * Makes a deployment of a service event, without its project; it began and ended at `context.timestamp`. A rollback names the
 * artifact that was put back, so it is a success of that artifact, marked as a return.
 * @throws DomainError `invalid` when neither a commit nor a digest is named
 */
export const deploymentOfEvent = (event: ServiceEvent): Omit<DeploymentReport, 'appName' | 'projectId'> => {
  const artifact = event.artifactId === null ? null : readArtifact(event.artifactId);
  const commitSha = event.commitSha ?? artifact?.commitSha ?? null;
  if (commitSha === null) throw invalid([NO_COMMIT]);
  return {
    environment: event.environment,
    commitSha,
    version: artifact?.version ?? null,
    deployedBy: event.source.length <= LONGEST_LABEL ? event.source : null,
    status: 'success',
    isReturn: event.kind === 'service.rolledback',
    url: null,
    startedAt: event.at,
    finishedAt: event.at,
    durationSeconds: null,
    external: event.external,
  };
};

/** The longest event source a project can have, in characters. */
const LONGEST_EVENT_SOURCE = 500;
const LONGEST_NAME = 200;

type Origin = ServiceEvent | SuiteRunEvent;

const lastPart = (text: string): string => text.split('/').findLast((part) => part !== '') ?? '';

/** The last segment of the path of a URI reference; empty where it has no path. */
const lastSegment = (uri: string): string => {
  const [whole = ''] = uri.split(/[?#]/, 1);
  return decoded(lastPart(whole.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '')));
};

/**
 * Whether a text has at most `longest` characters, counted as the contract does, and no control character or lone
 * surrogate, which no name and no database accepts.
 */
const isWithin = (text: string, longest: number): boolean =>
  (text.length <= longest || [...text].length <= longest) && !/[\p{Cc}\p{Cs}]/u.test(text);

const once = (texts: readonly (string | null)[], longest: number): readonly string[] => [
  ...new Set(texts.filter((text): text is string => text !== null && text !== '' && isWithin(text, longest))),
];

/** The name of the service: the last part of `subject.id`; null where no project can have it. */
export const serviceName = ({ subjectId }: ServiceEvent): string | null =>
  once([lastPart(subjectId)], LONGEST_NAME)[0] ?? null;

/** The texts of an event that may be a project's event source: its source, its subject's, its suite or service. */
export const sourcesOf = (event: Origin): readonly string[] => {
  const own = event.kind === 'testsuiterun.finished' ? event.suiteId : event.subjectId;
  return once([event.source, event.subjectSource, own], LONGEST_EVENT_SOURCE);
};

/**
 * The texts of an event that may match a project's name although they were not meant as one: its suite, and the last
 * path segments of its sources.
 */
export const possibleProjectNames = (event: Origin): readonly string[] => {
  const suite = event.kind === 'testsuiterun.finished' ? [event.suiteId, event.suite] : [];
  const segments = [event.subjectSource ?? '', event.source].map(lastSegment);
  return once([...suite, ...segments], LONGEST_NAME);
};

/** Counts a suite without counts of its tests as one test; one that ended with an error neither passed nor failed. */
const uncounted = (outcome: SuiteOutcome): SuiteCounts => ({
  total: 1,
  passed: outcome === 'pass' ? 1 : 0,
  failed: outcome === 'fail' ? 1 : 0,
  skipped: null,
});

/** Adds one error to a suite that did not pass although all its tests did: something outside of them failed. */
const withError = (counts: SuiteCounts): SuiteCounts => ({
  ...counts,
  total: Math.min(counts.total + 1, MAX_COUNT),
  passed: Math.min(counts.passed, MAX_COUNT - 1),
});

const countsOf = ({ counts, outcome }: SuiteRunEvent): SuiteCounts => {
  if (counts === null) return uncounted(outcome);
  const allPassed = counts.failed === 0 && counts.passed === counts.total;
  return outcome !== 'pass' && allPassed ? withError(counts) : counts;
};

/**
 * Makes a test run of a suite's event, for the project's active release; null when the run was canceled, which says nothing
 * about the code.
 */
export const testRunOfEvent = (event: SuiteRunEvent): TestRunReport | null =>
  event.outcome === 'cancel'
    ? null
    : {
        ...countsOf(event),
        releaseId: null,
        suite: suiteOf(event.suite),
        commitSha: event.commitSha,
        url: null,
        durationSeconds: null,
        ranAt: event.at,
        external: event.external,
      };

/** Everything by which the project of an event was looked for in vain. */
export interface Tried {
  readonly kind: UsedKind;
  readonly sources: readonly string[];
  /** The names tried for an event without a service; null: it names a service. */
  readonly guesses: {
    readonly names: readonly string[];
    /** How many projects are at the home of the key. */
    readonly atHome: number;
  } | null;
}

const LONGEST_QUOTE = 80;

const quoted = (texts: readonly string[]): string =>
  texts
    .map((text) => `"${text.length > LONGEST_QUOTE ? `${[...text].slice(0, LONGEST_QUOTE).join('')}…` : text}"`)
    .join(' or ');

const guessed = ({ names, atHome }: NonNullable<Tried['guesses']>): readonly string[] => [
  ...(names.length === 0 ? [] : [`none is named ${quoted(names)}`]),
  atHome === 0 ? "none is at the key's home" : `${atHome} are at the key's home, not one alone`,
];

const tells = ({ sources, guesses }: Tried): string => {
  const ways = [
    'customData names no project',
    `no project at the key's home has the event source ${quoted(sources)}`,
    ...(guesses === null ? [] : guessed(guesses)),
  ];
  return `Tried in vain: ${ways.join('; ')}. Send customData.app_name or customData.project_id, or set one of these texts as an event source of the project: PUT /api/teams/{team_id}/projects/{project_id}/event-sources.`;
};

/**
 * Makes the refusal of an event for which no project was found, with all that was tried. `ofName` is the refusal of the
 * service's name, which is then extended; null: the event names no service.
 */
export const projectNotFoundForEvent = (tried: Tried, ofName: DomainError | null): DomainError => {
  if (ofName !== null) return new DomainError(ofName.code, `${ofName.message} ${tells(tried)}`, ofName.details);
  const pointer = tried.kind === 'testsuiterun.finished' ? '/customData/app_name' : '/subject/id';
  return invalid([{ pointer, code: 'required', message: tells(tried) }]);
};
