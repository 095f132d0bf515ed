import type { Page, PageRequest } from './page.js';
import type { Instant } from './time.js';

export const ISSUE_TYPES = ['feature', 'bug', 'task', 'chore'] as const;
export type IssueType = (typeof ISSUE_TYPES)[number];

export const ISSUE_STATES = ['todo', 'in_progress', 'done', 'canceled'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

export const SEVERITIES = ['critical', 'major', 'minor'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A piece of work; counts in scope, and in quality too when it is a bug. Canceled issues count nowhere. */
export interface Issue {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string | null;
  readonly title: string;
  readonly type: IssueType;
  readonly state: IssueState;
  /** A bug without severity is not critical. */
  readonly severity: Severity | null;
  readonly url: string | null;
  /** Its id at the repository host, unique within the project; null: it was added here, or is imported no longer. */
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What happened to an issue, kept for the release analysis. */
export interface IssueEvent {
  readonly issueId: string;
  readonly releaseId: string | null;
  readonly at: Instant;
  readonly kind: 'added' | 'removed' | 'done' | 'reopened' | 'canceled';
  readonly type: IssueType;
}

const ended = (issue: Issue): 'done' | 'canceled' | null =>
  issue.state === 'done' || issue.state === 'canceled' ? issue.state : null;

const event = (issue: Issue, kind: IssueEvent['kind'], at: Instant): IssueEvent => ({
  issueId: issue.id,
  releaseId: issue.releaseId,
  at,
  kind,
  type: issue.type,
});

const joined = (issue: Issue, at: Instant): readonly IssueEvent[] => {
  const end = ended(issue);
  return [event(issue, 'added', at), ...(end === null ? [] : [event(issue, end, at)])];
};

/**
 * Returns the issue events that a change causes in the releases it concerns; empty when none is concerned. An issue
 * that joins a release when it has ended is `added`, then ended. A changed type is `removed` with the old type and
 * `added` with the new one, so that bugs over time stay true.
 */
export const issueEvents = (before: Issue | null, after: Issue, at: Instant): readonly IssueEvent[] => {
  const was = before?.releaseId == null ? null : before;
  const is = after.releaseId === null ? null : after;
  if (was === null) return is === null ? [] : joined(is, at);
  if (is === null) return [event(was, 'removed', at)];
  if (was.releaseId !== is.releaseId || was.type !== is.type) return [event(was, 'removed', at), ...joined(is, at)];
  const [endedBefore, endedNow] = [ended(was), ended(is)];
  return endedBefore === endedNow ? [] : [event(is, endedNow ?? 'reopened', at)];
};

export interface IssueFilter {
  readonly projectId: string;
  readonly releaseId?: string;
  readonly type?: IssueType;
  readonly state?: IssueState;
  readonly severity?: Severity;
  /** The title holds all of the words, in any case, or the number is that of the issue at its host. */
  readonly text?: { readonly words: readonly string[]; readonly number: string | null };
}

/** What issues can be sorted by: open ones (todo, in_progress) before the others, or a moment. */
export type IssueSort = 'open' | 'created' | 'updated';

/** How a list of issues is sorted; equal ones by when they were created, then by id, in the same direction. */
export interface IssueOrder {
  readonly by: IssueSort;
  readonly descending: boolean;
}

/** Open ones first, then newest first. */
export const USUAL_ISSUE_ORDER: IssueOrder = { by: 'open', descending: true };

/** An issue that an import stores. */
export interface ImportedIssue {
  /** The stored one it replaces; null: it is new. */
  readonly before: Issue | null;
  readonly issue: Issue;
  readonly events: readonly IssueEvent[];
  /** True: the events replace the stored history of the issue. False: they are added to it. */
  readonly wholeHistory: boolean;
}

export interface IssueStore {
  /** Stores the issue and its events and marks the release it belongs to as changed; DomainError `external-id-conflict`. */
  create(issue: Issue, events: readonly IssueEvent[]): Promise<void>;
  byId(issueId: string): Promise<Issue | undefined>;
  /** In the order asked; undefined where there is none. One query. */
  byIds(issueIds: readonly string[]): Promise<readonly (Issue | undefined)[]>;
  /** Stores `next` if the stored version is `next.version - 1`, appends the events, and marks the releases it left and joined as changed; DomainError `external-id-conflict`. */
  replace(next: Issue, events: readonly IssueEvent[]): Promise<boolean>;
  /** In `USUAL_ISSUE_ORDER` unless another order is given. */
  page(filter: IssueFilter, page: PageRequest, order?: IssueOrder): Promise<Page<Issue>>;
  /**
   * The issue events of a release by moment, and those of one issue and moment in the order they were stored; also of
   * issues that have left it. A page may hold more than 200 rows. One query.
   */
  eventsOf(releaseId: string, page: PageRequest): Promise<Page<IssueEvent>>;
  /** In the order asked; undefined where there is none. One query. */
  byExternalIds(projectId: string, externalIds: readonly string[]): Promise<readonly (Issue | undefined)[]>;
  /**
   * Stores imported issues of one project, under its lock, in a constant number of statements, and marks the releases
   * they left and joined as changed. All or none: DomainError `version-mismatch` when a stored issue has another
   * version than its `before`, `external-id-conflict`.
   */
  import(changes: readonly ImportedIssue[]): Promise<void>;
  /** Imported issues that are in an open release or in none, by external id: they may still change their release. */
  importedPage(projectId: string, page: PageRequest): Promise<Page<Issue>>;
  /**
   * Removes the external ids of all imported issues of the project, also in closed releases. Marks no release as
   * changed, since nothing counts differently. Returns how many issues.
   */
  detachFromHost(projectId: string): Promise<number>;
}
