import type { Fault } from '../errors.js';
import type { Instant } from '../time.js';
import {
  type ConfiguredHost,
  type HostIssue,
  type HostRepository,
  TEST_RUN_SOURCES,
  type TestRunSource,
} from './host.js';

/** Tells the issues of several projects of one repository apart; an issue must meet every part that is given. */
interface HostIssueFilter {
  /** The issue must have at least one of these labels, in any case; empty: no condition. */
  readonly labels: readonly string[];
  /** The title (`packages/pay: fix rounding`) or a label must name this path or one below it; null: no condition. */
  readonly pathPrefix: string | null;
}

/**
 * Which of the host's types and labels mean what; compared in any case, the host's type before labels. An empty list
 * means its defaults.
 */
export interface IssueMapping {
  readonly bug: readonly string[];
  readonly feature: readonly string[];
  readonly chore: readonly string[];
  readonly inProgress: readonly string[];
  readonly critical: readonly string[];
  readonly major: readonly string[];
  readonly minor: readonly string[];
}

/** What is imported from a linked repository, and how. */
export interface LinkSettings {
  readonly filter: HostIssueFilter;
  readonly mapping: IssueMapping;
  /** Which milestones become releases: all open ones, none, or those of these numbers. */
  readonly milestones: 'all' | 'none' | readonly number[];
  readonly deployments: boolean;
  readonly testRuns: 'none' | TestRunSource;
}

/** A project's repository, read with the connection of the person who linked it. A project has one at most. */
export interface RepositoryLink {
  readonly id: string;
  readonly projectId: string;
  readonly host: string;
  readonly userId: string;
  readonly repository: Omit<HostRepository, 'private' | 'archived'>;
  readonly settings: LinkSettings;
  readonly linkedAt: Instant;
  /** Name of the person. */
  readonly linkedBy: string;
}

/** Longest label or path prefix, in Unicode code points. */
export const LONGEST_LABEL = 200;
/** Most labels of one list. */
export const MOST_LABELS = 50;
/** Most milestones that can be chosen by number. */
export const MOST_MILESTONES = 200;

const CONTROL = /\p{Cc}/u;
const PARTS: Readonly<Record<keyof IssueMapping, string>> = {
  bug: 'bug',
  feature: 'feature',
  chore: 'chore',
  inProgress: 'in_progress',
  critical: 'critical',
  major: 'major',
  minor: 'minor',
};

const textFaults = (text: string, pointer: string, noun: string): readonly Fault[] => {
  const length = [...text].length;
  const sized = length >= 1 && length <= LONGEST_LABEL;
  return [
    ...(sized ? [] : [{ pointer, code: 'length', message: `${noun} must be 1 to ${LONGEST_LABEL} characters` }]),
    ...(CONTROL.test(text)
      ? [{ pointer, code: 'control_characters', message: `${noun} must have no control characters` }]
      : []),
  ];
};

const hostLabelFaults = (labels: readonly string[], pointer: string): readonly Fault[] => [
  ...(labels.length > MOST_LABELS
    ? [{ pointer, code: 'too_many', message: `The labels must be ${MOST_LABELS} at most` }]
    : []),
  ...labels.flatMap((label, index) => textFaults(label, `${pointer}/${index}`, 'A label')),
];

const prefixFaults = (prefix: string | null): readonly Fault[] => {
  if (prefix === null) return [];
  const pointer = '/issue_filter/path_prefix';
  const sized = textFaults(prefix, pointer, 'The path prefix');
  if (prefix.startsWith('/'))
    return [...sized, { pointer, code: 'leading_slash', message: 'The path prefix must not begin with a slash' }];
  if (prefix === '' || !prefix.split('/').includes('')) return sized;
  return [
    ...sized,
    { pointer, code: 'empty_segment', message: 'The path prefix must have a name between its slashes' },
  ];
};

const milestoneFaults = (chosen: LinkSettings['milestones']): readonly Fault[] => {
  if (typeof chosen === 'string') return [];
  const pointer = '/milestones';
  const seen = new Set<number>();
  const faults: Fault[] = [];
  if (chosen.length > MOST_MILESTONES)
    faults.push({ pointer, code: 'too_many', message: `The milestones must be ${MOST_MILESTONES} at most` });
  chosen.forEach((number, index) => {
    const at = { pointer: `${pointer}/${index}` };
    if (!Number.isSafeInteger(number) || number < 1)
      faults.push({ ...at, code: 'out_of_range', message: 'A milestone must be a whole number from 1' });
    else if (seen.has(number))
      faults.push({ ...at, code: 'duplicate', message: `The milestone ${number} is named twice` });
    seen.add(number);
  });
  return faults;
};

const unsupported = (pointer: string, what: string): Fault => ({
  pointer,
  code: 'unsupported',
  message: `This repository host gives no ${what}`,
});

/**
 * Every fault of a link's settings, none for valid ones; `gives`: what the host can give at all. Pointers are into the wire
 * form (`/issue_filter/labels/0`, `/mapping/in_progress/3`). Codes: `length`, `control_characters`, `too_many`,
 * `leading_slash`, `empty_segment`, `out_of_range`, `duplicate`, `unsupported`.
 */
export const linkFaults = (
  { filter, mapping, milestones, deployments, testRuns }: LinkSettings,
  gives: ConfiguredHost['gives'],
): readonly Fault[] => [
  ...hostLabelFaults(filter.labels, '/issue_filter/labels'),
  ...prefixFaults(filter.pathPrefix),
  ...(Object.keys(PARTS) as (keyof IssueMapping)[]).flatMap((part) =>
    hostLabelFaults(mapping[part], `/mapping/${PARTS[part]}`),
  ),
  ...milestoneFaults(milestones),
  ...(deployments && !gives.deployments ? [unsupported('/deployments', 'deployments')] : []),
  ...(testRuns !== 'none' && !gives.testRuns.includes(testRuns) ? [unsupported('/test_runs', testRuns)] : []),
];

/** A label with a prefix in the spellings repository hosts and their tools use: `type: bug`, `type:bug`, `type/bug`, `type::bug`. */
const spelled = (prefix: string, words: readonly string[]): readonly string[] =>
  words.flatMap((word) => [`${prefix}: ${word}`, `${prefix}:${word}`, `${prefix}/${word}`, `${prefix}::${word}`]);

const typed = (...words: readonly string[]): readonly string[] => [
  ...spelled('type', words),
  ...spelled('kind', words),
];

const graded = (...words: readonly string[]): readonly string[] => [
  ...spelled('severity', words),
  ...spelled('priority', words),
];

/** What types and labels mean unless a project says otherwise: the usual names at repository hosts, compared in any case. */
export const DEFAULT_MAPPING: IssueMapping = {
  bug: ['bug', 'defect', 'regression', 'incident', ...typed('bug', 'defect', 'regression')],
  feature: ['feature', 'enhancement', 'feature request', ...typed('feature', 'enhancement')],
  chore: ['chore', 'maintenance', 'dependencies', 'refactoring', ...typed('chore', 'maintenance')],
  inProgress: [
    ...['in progress', 'in-progress', 'doing', 'wip', 'work in progress'],
    ...spelled('status', ['in progress', 'in-progress']),
    ...spelled('state', ['in progress', 'in-progress']),
    ...spelled('workflow', ['in progress', 'in dev']),
  ],
  critical: [
    'critical',
    'blocker',
    'p0',
    'sev0',
    'sev1',
    'severity::1',
    'priority::1',
    ...graded('critical', 'blocker'),
  ],
  major: ['major', 'p1', 'sev2', 'severity::2', 'priority::2', ...graded('major', 'high')],
  minor: ['minor', 'p2', 'p3', 'sev3', 'severity::3', 'severity::4', ...graded('minor', 'low')],
};

const segmentsOf = (path: string): readonly string[] =>
  path
    .trim()
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');

/** Compares whole segments: `net/http` holds `net/http/httptest`, not `net/httputil`. */
const isWithin = (path: string, prefix: readonly string[]): boolean => {
  const segments = segmentsOf(path);
  return prefix.every((segment, index) => segments[index] === segment);
};

/** The paths before a title's first colon, separated by commas; a colon in an ordinary sentence yields no path. */
const leadingPaths = (title: string): readonly string[] => {
  const colon = title.indexOf(':');
  if (colon === -1) return [];
  const paths = title
    .slice(0, colon)
    .split(',')
    .map((path) => path.trim());
  return paths.some((path) => /\s/u.test(path)) ? [] : paths.filter((path) => path !== '');
};

const hasLabel = (labels: readonly string[], wanted: readonly string[]): boolean => {
  const given = new Set(labels.map((label) => label.trim().toLowerCase()));
  return wanted.some((label) => given.has(label.trim().toLowerCase()));
};

/**
 * Checks whether an issue belongs to the project: it has one of the labels of the filter, and a path at or below its
 * prefix, each only where the filter sets it; in any case.
 */
export const meetsFilter = (
  { title, labels }: Pick<HostIssue, 'title' | 'labels'>,
  filter: HostIssueFilter,
): boolean => {
  if (filter.labels.length > 0 && !hasLabel(labels, filter.labels)) return false;
  if (filter.pathPrefix === null) return true;
  const prefix = segmentsOf(filter.pathPrefix);
  return prefix.length === 0 || [...leadingPaths(title), ...labels].some((path) => isWithin(path, prefix));
};

/** The external id here of a milestone or an issue of that host. */
export const hostExternalId = (host: string, id: string): string => `${host}:${id}`;

/** The prefix of the external ids of all deployments of that host. */
export const deploymentPrefix = (host: string): string => `${host}:deployment:`;

/** The external id of a test run that is imported from checks or a workflow of that host. */
export const testRunExternalId = (host: string, source: TestRunSource, id: string): string => `${host}:${source}:${id}`;

const IMPORTED_NAME = new RegExp(`^[a-z]+:(deployment|${TEST_RUN_SOURCES.join('|')}):`);

/**
 * Refuses a report whose external id has the form of an imported one. Otherwise a pipeline could report a deployment or
 * check of the host first, and the import would take that record for its own. Names of all hosts are refused, whether
 * or not one is set up.
 */
export const importedNameFaults = (external: { readonly id: string } | null): readonly Fault[] => {
  const [prefix] = IMPORTED_NAME.exec(external?.id ?? '') ?? [];
  if (prefix === undefined) return [];
  const message = `external_id must not begin with ${prefix}, as what is imported from a repository host is named.`;
  return [{ pointer: '/external_id', code: 'reserved', message }];
};

/** The host's own id in an external id that begins with the prefix; null: it does not begin with it. */
export const hostIdIn = (name: string | null, prefix: string): string | null =>
  name?.startsWith(prefix) ? name.slice(prefix.length) : null;
