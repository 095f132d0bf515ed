import type { ServiceEvent, SuiteCounts, SuiteOutcome, SuiteRunEvent, UsedKind } from './cdevent.js';
import type { DeploymentReport } from './deployment.js';
import { DomainError, type Fault, invalid } from './errors.js';
import { MAX_COUNT } from './readiness/numbers.js';
import type { TestRunReport } from './test-run.js';

/** What a package URL says of the code in it; null: it does not say. */
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

/** Digits alone are a number or a date more often than a shortened commit. */
const commitInVersion = (version: string | null): string | null =>
  version === null || (/^\d+$/.test(version) && version.length < 40) ? null : commitIn(version);

/** Of an image its version, elsewhere one of the qualifier `checksum`, which may list several. */
const digestIn = (texts: readonly (string | null | undefined)[]): string | null => {
  for (const text of texts.flatMap((some) => some?.split(',') ?? [])) {
    const [, digest] = /^sha256:([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
    if (digest !== undefined) return digest.toLowerCase();
  }
  return null;
};

const isLabel = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_VERSION && !/[\p{Cc}\p{Cs}]/u.test(text);

/**
 * Reads version and commit from a package URL. The commit is the qualifier `commit`, or stands behind the `@` of the qualifier
 * `vcs_url`, or is the version itself; without any of them the SHA-256 digest of the content stands in its place: the version
 * `sha256:...` of an image, or the qualifier `checksum`. What is not a package URL says nothing.
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
  const vcs = /@([^@/#]+)(?:#.*)?$/.exec(qualifiers.get('vcs_url') ?? '')?.[1];
  const commit = commitIn(qualifiers.get('commit')) ?? commitIn(vcs) ?? commitInVersion(version);
  return { version, commitSha: commit ?? digestIn([version, qualifiers.get('checksum')]) };
};

const LONGEST_LABEL = 200;

/** Where the name of the service is read from. */
export const appNamePointer = ({ appName }: ServiceEvent): string =>
  appName === null ? '/subject/id' : '/customData/app_name';

const NO_COMMIT: Fault = {
  pointer: '/customData/commit_sha',
  code: 'required',
  message:
    'customData.commit_sha is required where artifactId names no commit (by the qualifier commit or vcs_url, or as its version) and no digest of its content (sha256: in its version or its qualifier checksum).',
};

/**
 * The deployment a service event tells of, of whichever project; it began and ended at `context.timestamp`. A rollback names
 * the artifact that was put back, so it is a success of that artifact, marked as a return.
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

/** Characters are counted as in the contract; what was decoded may hold some that no name and no database can. */
const isWithin = (text: string, longest: number): boolean =>
  (text.length <= longest || [...text].length <= longest) && !/[\p{Cc}\p{Cs}]/u.test(text);

const once = (texts: readonly (string | null)[], longest: number): readonly string[] => [
  ...new Set(texts.filter((text): text is string => text !== null && text !== '' && isWithin(text, longest))),
];

/** The name of the service: the last part of `subject.id`; null where no project can have it. */
export const serviceName = ({ subjectId }: ServiceEvent): string | null =>
  once([lastPart(subjectId)], LONGEST_NAME)[0] ?? null;

/** The texts of an event that may be the event source of a project: its source, the one of its subject, its suite or service. */
export const sourcesOf = (event: Origin): readonly string[] => {
  const own = event.kind === 'testsuiterun.finished' ? event.suiteId : event.subjectId;
  return once([event.source, event.subjectSource, own], LONGEST_EVENT_SOURCE);
};

/** The texts of an event that may be the name of a project, where nothing in it was made to be one. */
export const namesOf = (event: Origin): readonly string[] => {
  const suite = event.kind === 'testsuiterun.finished' ? [event.suiteId, event.suite] : [];
  const segments = [event.subjectSource ?? '', event.source].map(lastSegment);
  return once([...suite, ...segments], LONGEST_NAME);
};

/** A suite that does not count its tests counts as one; one that broke neither passed nor failed. */
const uncounted = (outcome: SuiteOutcome): SuiteCounts => ({
  total: 1,
  passed: outcome === 'pass' ? 1 : 0,
  failed: outcome === 'fail' ? 1 : 0,
  skipped: null,
});

/** Tests that all passed in a suite that did not: something outside of them went wrong, which counts as one error. */
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
 * The test run a suite's event tells of, for the project's active release; null when the run was canceled, which says
 * nothing of the code.
 */
export const testRunOfEvent = (event: SuiteRunEvent): TestRunReport | null =>
  event.outcome === 'cancel'
    ? null
    : {
        ...countsOf(event),
        releaseId: null,
        suite: event.suite,
        commitSha: event.commitSha,
        url: null,
        durationSeconds: null,
        ranAt: event.at,
        external: event.external,
      };

/** By what the project of an event was looked for in vain. */
export interface Tried {
  readonly kind: UsedKind;
  readonly sources: readonly string[];
  /** What an event that names no service may be guessed by; null: it names one. */
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

/** The refusal of an event that leads to no project; of a service event that of its name, if it has one, with all that was tried. */
export const untraced = (tried: Tried, ofName: DomainError | null): DomainError => {
  if (ofName !== null) return new DomainError(ofName.code, `${ofName.message} ${tells(tried)}`, ofName.details);
  const pointer = tried.kind === 'testsuiterun.finished' ? '/customData/app_name' : '/subject/id';
  return invalid([{ pointer, code: 'required', message: tells(tried) }]);
};
