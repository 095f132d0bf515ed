import type { DeploymentReport, FinalStatus } from '../deployment.js';
import {
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  type IssueState,
  type IssueType,
  issueEvents,
  type Severity,
} from '../issue.js';
import { plainLabel, plainName } from '../names.js';
import { edit, isClosed, type Release } from '../release/release.js';
import { suiteOf, type TestRunReport } from '../test-run.js';
import type { Instant } from '../time.js';
import {
  type HostDeployment,
  type HostDeploymentState,
  type HostIssue,
  type HostIssueEvent,
  type HostMilestone,
  type HostTestRun,
  lineOf,
  lineOrNull,
  webAddress,
} from './host.js';
import { DEFAULT_MAPPING, type IssueMapping, type LinkSettings } from './link.js';

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

/** The host's own type decides before labels do; among labels, bug comes before feature, and feature before chore. */
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

/** Checks whether the stored issue already has this content. */
export const hasContent = (issue: Issue, content: IssueContent): boolean =>
  issue.releaseId === content.releaseId &&
  issue.title === content.title &&
  issue.type === content.type &&
  issue.state === content.state &&
  issue.severity === content.severity &&
  issue.url === content.url;

/** The content of an issue that the host no longer has: canceled, in no release or still in its closed one. */
export const goneContent = ({ title, type, severity, url }: Issue, releaseId: string | null): IssueContent => ({
  releaseId,
  title,
  type,
  state: 'canceled',
  severity,
  url,
});

/** An issue that was read from the host: `before` as stored (null: it is new), `issue` as it will be stored. */
interface ReadIssue {
  readonly host: HostIssue;
  readonly before: Issue | null;
  readonly issue: Issue;
  /** The releases of the project that follow a milestone. */
  readonly releases: readonly Release[];
  /** The release of the present milestone of the issue; null: it has no milestone, or no release follows it. */
  readonly milestoneRelease: Release | null;
  readonly now: Instant;
}

/** The release that followed a milestone of that title. */
type ReleaseOf = (title: string) => Release | null;

const closedBy = (release: Release | null, at: Instant): boolean => {
  const closedAt = release?.shippedAt ?? release?.canceledAt ?? null;
  return closedAt !== null && closedAt <= at;
};

/**
 * Hosts record the title that a milestone had at the time. The last milestone an issue got is its present one, even if
 * it was renamed since.
 */
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
  // An issue never leaves a closed release: if it is not in that release now, it never belonged to it here, so the
  // history is read without that release.
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

/** The change that a milestone requires. */
export type MilestonePlan =
  /** A new release. */
  | { readonly kind: 'create'; readonly name: string; readonly targetAt: Instant | null }
  /**
   * The release as it will be stored. `edit`, `detach`: the milestone's release, which `detach` detaches from the
   * milestone. `adopt`: a release of the milestone's name, which follows it from now on.
   */
  | { readonly kind: 'adopt' | 'edit' | 'detach'; readonly release: Release }
  /** The name belongs to an open release of another milestone, which may still be renamed. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'nothing' };

const NOTHING: MilestonePlan = { kind: 'nothing' };

const isChosen = (milestone: HostMilestone, chosen: LinkSettings['milestones'], known: boolean): boolean => {
  if (chosen === 'all') return known || milestone.state === 'open';
  return chosen !== 'none' && chosen.includes(milestone.number);
};

/** The name of a milestone's release. */
export const releaseName = ({ title, number }: Pick<HostMilestone, 'title' | 'number'>): string =>
  plainName(lineOf(title)).trim() || `#${number}`;

const isNameTaken = (named: Release | undefined): boolean =>
  named !== undefined && named.externalId !== null && !isClosed(named);

/** A milestone without a due date leaves the target date of its release as it is. */
const targetOf = ({ dueAt }: HostMilestone, { targetAt }: Release): Release['targetAt'] => dueAt ?? targetAt;

const planKnown = (milestone: HostMilestone, own: Release, releases: readonly Release[]): MilestonePlan => {
  const wanted = releaseName(milestone);
  const taken = releases.find((other) => other.id !== own.id && other.name === wanted);
  const name = taken === undefined ? wanted : own.name;
  const targetAt = targetOf(milestone, own);
  if (name !== own.name || targetAt !== own.targetAt) return { kind: 'edit', release: edit(own, { name, targetAt }) };
  return isNameTaken(taken) ? { kind: 'wait' } : NOTHING;
};

const planNew = (milestone: HostMilestone, externalId: string, releases: readonly Release[]): MilestonePlan => {
  const name = releaseName(milestone);
  const named = releases.find((release) => release.name === name);
  if (named === undefined) return { kind: 'create', name, targetAt: milestone.dueAt };
  if (isClosed(named)) return NOTHING;
  if (isNameTaken(named)) return { kind: 'wait' };
  return { kind: 'adopt', release: { ...edit(named, { targetAt: targetOf(milestone, named) }), externalId } };
};

/**
 * Plans the change that a milestone requires in the project's releases. Closed releases stay as they are, and closing a
 * milestone ships nothing. A release whose milestone is no longer chosen stays in the project and follows no milestone.
 */
export const planMilestone = (
  milestone: HostMilestone,
  externalId: string,
  chosen: LinkSettings['milestones'],
  releases: readonly Release[],
): MilestonePlan => {
  const own = releases.find((release) => release.externalId === externalId);
  if (own !== undefined && isClosed(own)) return NOTHING;
  if (isChosen(milestone, chosen, own !== undefined))
    return own === undefined ? planNew(milestone, externalId, releases) : planKnown(milestone, own, releases);
  if (own === undefined) return NOTHING;
  return { kind: 'detach', release: { ...own, externalId: null, version: own.version + 1 } };
};

/** A milestone with the external id of its release (`hostExternalId`). */
interface IdentifiedMilestone {
  readonly milestone: HostMilestone;
  readonly externalId: string;
}

/**
 * A release in a ring of milestones that each wait for the name of the next one's release, such as two that swapped their
 * titles: one of them needs a temporary name first. undefined: there is no ring.
 */
export const releaseInNameRing = (
  milestones: readonly IdentifiedMilestone[],
  chosen: LinkSettings['milestones'],
  releases: readonly Release[],
): Release | undefined => {
  const holders = new Map<string, string | undefined>();
  for (const { milestone, externalId } of milestones) {
    const own = releases.find((release) => release.externalId === externalId);
    if (own === undefined || planMilestone(milestone, externalId, chosen, releases).kind !== 'wait') continue;
    holders.set(own.id, releases.find((release) => release.name === releaseName(milestone))?.id);
  }
  return releases.find(({ id }) => {
    let holder = holders.get(id);
    for (let steps = 1; holder !== undefined && holder !== id && steps < holders.size; steps += 1)
      holder = holders.get(holder);
    return holder === id;
  });
};

const COMMIT = /^[0-9a-f]{7,64}$/iu;

/** The commit, if it is named by 7-64 hexadecimal characters; else null. */
const commitOf = (sha: string): string | null => (COMMIT.test(sha) ? sha : null);

const isFinal = (state: HostDeploymentState): state is FinalStatus => state === 'success' || state === 'failure';

/** How a deployment went, up to its first end: what came later (deactivated, deployed again) is ignored. */
const courseOf = ({
  states,
  createdAt,
}: HostDeployment): (Pick<DeploymentReport, 'status' | 'finishedAt'> & { readonly startedAt: Instant }) | null => {
  const endsAt = states.findIndex(({ state }) => isFinal(state));
  const started = (endsAt === -1 ? states : states.slice(0, endsAt)).find(({ state }) => state === 'started');
  const startedAt = started?.at ?? createdAt;
  const end = states[endsAt];
  if (end !== undefined && isFinal(end.state))
    return { status: end.state, startedAt, finishedAt: Math.max(end.at, startedAt) };
  const goesOn = started !== undefined && states.at(-1)?.state !== 'other';
  return goesOn ? { status: 'started', startedAt, finishedAt: null } : null;
};

/**
 * The deployment of the host as a report with `name` as its external id; null when it never began as far as the host
 * tells, was given up on its way (canceled, inactive), or names no commit or no environment. It began with its first
 * `started` state, or when it was created if it went straight to its end; it ended with its first final state, at the
 * moment of that state.
 */
export const importedDeployment = (
  host: HostDeployment,
  name: string,
  project: { readonly id: string; readonly name: string },
): DeploymentReport | null => {
  const course = courseOf(host);
  const commitSha = commitOf(host.commitSha);
  const environment = plainLabel(lineOf(host.environment));
  if (course === null || commitSha === null || environment === '') return null;
  return {
    ...course,
    appName: project.name,
    projectId: project.id,
    environment,
    commitSha,
    version: host.ref === host.commitSha ? null : lineOrNull(host.ref),
    deployedBy: lineOrNull(host.deployedBy),
    isReturn: false,
    url: webAddress(host.url),
    durationSeconds: null,
    external: { id: name, fingerprint: `${course.status}@${course.finishedAt ?? course.startedAt}` },
  };
};

/** Checks whether the deployment has not begun but still may, so that it must be read again. */
export const mayStillBegin = ({ states }: Pick<HostDeployment, 'states'>): boolean => {
  const last = states.at(-1)?.state ?? 'queued';
  return last === 'queued' && !states.some(({ state }) => state === 'started' || isFinal(state));
};

/**
 * The checks of the host as a test run report with `name` as its external id, which names no release; null when no
 * check passed or failed, so nothing was verified.
 */
export const importedTestRun = (host: HostTestRun, name: string): TestRunReport | null => {
  const { passed, failed, skipped, ranAt } = host;
  if (passed + failed === 0) return null;
  return {
    releaseId: null,
    suite: suiteOf(lineOrNull(host.suite)),
    total: passed + failed,
    passed,
    failed,
    skipped,
    commitSha: commitOf(host.commitSha),
    url: webAddress(host.url),
    durationSeconds: null,
    ranAt,
    external: { id: name, fingerprint: `${passed}/${failed}/${skipped}@${ranAt}` },
  };
};
