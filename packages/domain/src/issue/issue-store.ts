import type { Page, PageRequest } from '../page.js';
import type { Issue, IssueEvent, IssueState, IssueType } from './issue.js';

export interface IssueFilter {
  readonly projectId: string;
  readonly releaseId?: string;
  readonly type?: IssueType;
  readonly state?: IssueState;
}

/** An issue as an import leaves it. */
export interface ImportedIssue {
  /** The stored one it replaces; null: it is new. */
  readonly before: Issue | null;
  readonly issue: Issue;
  readonly events: readonly IssueEvent[];
  /** Whether the events are its whole history, in place of what was kept; else they are added. */
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
  /** Open ones (todo, in_progress) first, then newest first (createdAt, then id). */
  page(filter: IssueFilter, page: PageRequest): Promise<Page<Issue>>;
  /**
   * What happened in a release, by moment, and to one issue in the same moment in the order it was stored. Of issues that have
   * left it too. Pages may be of any size. One query.
   */
  eventsOf(releaseId: string, page: PageRequest): Promise<Page<IssueEvent>>;
  /** In the order asked; undefined where there is none. One query. */
  byExternalIds(projectId: string, externalIds: readonly string[]): Promise<readonly (Issue | undefined)[]>;
  /**
   * Stores imported issues of one project, under its lock, in a constant number of statements, and marks the releases they
   * left and joined as changed. All or none: DomainError `version-mismatch` when one is not stored as its `before` says,
   * `external-id-conflict`.
   */
  import(changes: readonly ImportedIssue[]): Promise<void>;
  /** Imported issues of open releases and of none, by external id: those that may still leave. */
  importedPage(projectId: string, page: PageRequest): Promise<Page<Issue>>;
  /** Makes all imported issues of the project its own, closed releases' too; nothing is marked, since nothing counts otherwise. Answers how many. */
  letGo(projectId: string): Promise<number>;
}
