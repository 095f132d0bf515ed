import {
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  type IssueState,
  type IssueType,
  issueEvents,
  type Severity,
} from '../issue.js';
import type { Release } from '../release/release.js';
import type { Instant } from '../time.js';
import { type HostIssue, type HostIssueEvent, lineOf, webAddress } from './host.js';
import { DEFAULT_MAPPING, type IssueMapping } from './link.js';
import { releaseName } from './milestone-release.js';

/** The members of an issue that an import sets. */
type IssueContent = Pick<Issue, 'releaseId' | 'title' | 'type' | 'state' | 'severity' | 'url'>;

const folded = (word: string): string => word.trim().toLowerCase();

const MAPPED_TYPES = ['bug', 'feature', 'chore'] as const;
const SEVERITY_ORDER = ['critical', 'major', 'minor'] as const;

/** Whether one of the words is in the list, or in the default one when the list is empty. */
const means = (mapping: IssueMapping, list: keyof IssueMapping, words: readonly string[]): boolean => {
  const meant = new Set((mapping[list].length > 0 ? mapping[list] : DEFAULT_MAPPING[list]).map(folded));
  return words.some((word) => meant.has(folded(word)));
};

/** The host's own type decides before labels do; of several labels the first of bug, feature, chore. */
const typeOf = ({ type, labels }: HostIssue, mapping: IssueMapping): IssueType => {
  const own = type === null ? [] : [type];
  const said = MAPPED_TYPES.find((each) => means(mapping, each, own));
  if (said !== undefined) return said;
  if (type !== null && folded(type) === 'task') return 'task';
  return MAPPED_TYPES.find((each) => means(mapping, each, labels)) ?? 'task';
};

const stateOf = ({ state, closedAs, labels }: HostIssue, mapping: IssueMapping): IssueState => {
  if (state === 'closed') return closedAs === 'not_planned' ? 'canceled' : 'done';
  return means(mapping, 'inProgress', labels) ? 'in_progress' : 'todo';
};

const severityOf = ({ labels }: HostIssue, mapping: IssueMapping): Severity | null =>
  SEVERITY_ORDER.find((each) => means(mapping, each, labels)) ?? null;

/** The members that an import sets, in that release (null: none). Only a bug has a severity, the worst its labels name. */
export const issueContent = (host: HostIssue, mapping: IssueMapping, releaseId: string | null): IssueContent => {
  const type = typeOf(host, mapping);
  return {
    releaseId,
    title: lineOf(host.title) || `#${host.number}`,
    type,
    state: stateOf(host, mapping),
    severity: type === 'bug' ? severityOf(host, mapping) : null,
    url: webAddress(host.url),
  };
};

/** Whether the issue reads like that already. */
export const hasContent = (issue: Issue, content: IssueContent): boolean =>
  issue.releaseId === content.releaseId &&
  issue.title === content.title &&
  issue.type === content.type &&
  issue.state === content.state &&
  issue.severity === content.severity &&
  issue.url === content.url;

/** The content of an issue that the host has no more: canceled, in no release, or still in the closed one it belonged to. */
export const goneContent = ({ title, type, severity, url }: Issue, releaseId: string | null): IssueContent => ({
  releaseId,
  title,
  type,
  state: 'canceled',
  severity,
  url,
});

/** An issue that was read, as it was kept before (null: it is new) and as it becomes. */
interface ReadIssue {
  readonly host: HostIssue;
  readonly before: Issue | null;
  readonly issue: Issue;
  /** The project's releases that milestones are followed by. */
  readonly releases: readonly Release[];
  /** The one of the milestone that the issue has now; null: it has none, or one that is not followed. */
  readonly milestoneRelease: Release | null;
  readonly now: Instant;
}

/** The release that followed a milestone of that title. */
type ReleaseOf = (title: string) => Release | null;

const closedBy = (release: Release | null, at: Instant): boolean => {
  const closedAt = release?.shippedAt ?? release?.canceledAt ?? null;
  return closedAt !== null && closedAt <= at;
};

/** Hosts record the title a milestone had at the time; the last milestone an issue got is its present one, even under a new title. */
const releasesByTitle = ({ host, releases, milestoneRelease }: ReadIssue): ReleaseOf => {
  const last = host.history?.findLast(({ kind }) => kind === 'milestoned');
  const present = last !== undefined && 'milestone' in last && host.milestoneId !== null ? last.milestone : null;
  const named = new Map(releases.map((release) => [release.name, release]));
  return (title) => (title === present ? milestoneRelease : (named.get(releaseName({ title, number: 0 })) ?? null));
};

interface ReplayedIssue {
  readonly issue: Issue;
  readonly release: Release | null;
  readonly milestone: string | null;
  readonly at: Instant;
}

/** An issue in a closed release stays there, and no issue joins a closed release. */
const moved = (state: ReplayedIssue, milestone: string | null, at: Instant, releaseOf: ReleaseOf): ReplayedIssue => {
  if (closedBy(state.release, at)) return { ...state, milestone, at };
  const target = milestone === null ? null : releaseOf(milestone);
  const release = closedBy(target, at) ? null : target;
  return { issue: { ...state.issue, releaseId: release?.id ?? null }, release, milestone, at };
};

const after = (state: ReplayedIssue, event: HostIssueEvent, releaseOf: ReleaseOf): ReplayedIssue => {
  const at = Math.max(event.at, state.at);
  switch (event.kind) {
    case 'milestoned':
      return moved(state, event.milestone, at, releaseOf);
    case 'demilestoned':
      // Hosts may record the new milestone before the end of the old one; only the end of the present milestone counts.
      return event.milestone === state.milestone ? moved(state, null, at, releaseOf) : { ...state, at };
    case 'closed':
      return { ...state, at, issue: { ...state.issue, state: event.as === 'completed' ? 'done' : 'canceled' } };
    case 'reopened':
      return { ...state, at, issue: { ...state.issue, state: 'todo' } };
  }
};

const replayedEvents = (
  read: ReadIssue,
  history: readonly HostIssueEvent[],
  releaseOf: ReleaseOf,
): readonly IssueEvent[] => {
  const { host, issue } = read;
  const events: IssueEvent[] = [];
  let state: ReplayedIssue = {
    issue: { ...issue, releaseId: null, state: 'todo' },
    release: null,
    milestone: null,
    at: Number.NEGATIVE_INFINITY,
  };
  for (const event of history) {
    const next = after(state, event, releaseOf);
    events.push(...issueEvents(state.issue, next.issue, next.at));
    state = next;
  }
  const { release } = state;
  // An issue does not leave a closed release: one that is not in it now never belonged to it here.
  if (release !== null && release.id !== issue.releaseId && closedBy(release, Number.POSITIVE_INFINITY))
    return replayedEvents(read, history, (title) => {
      const found = releaseOf(title);
      return found?.id === release.id ? null : found;
    });
  return [...events, ...issueEvents(state.issue, issue, Math.max(host.updatedAt, state.at))];
};

/** The history of an issue when the host records none: from its creation and closing at first, then from changes between imports. */
const observed = ({ host, before, issue, now }: ReadIssue): readonly IssueEvent[] => {
  if (before !== null) return issueEvents(before, issue, now);
  const begun: Issue = { ...issue, state: 'todo' };
  const closedAt = Math.max(host.closedAt ?? host.updatedAt, host.createdAt);
  return [...issueEvents(null, begun, host.createdAt), ...issueEvents(begun, issue, closedAt)];
};

/**
 * The events of an issue in the releases it concerned: the host's history with the host's moments, as if the issue always had
 * its present type. If that history does not end in the present release and state, events at the issue's last change are added.
 * For a host without history: the changes seen between imports.
 */
export const importedHistory = (read: ReadIssue): Pick<ImportedIssue, 'events' | 'wholeHistory'> =>
  read.host.history === null
    ? { events: observed(read), wholeHistory: false }
    : { events: replayedEvents(read, read.host.history, releasesByTitle(read)), wholeHistory: true };
