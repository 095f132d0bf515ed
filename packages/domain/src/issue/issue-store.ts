import type { Page, PageRequest } from '../page.js';
import type { Issue, IssueEvent, IssueState, IssueType } from './issue.js';

export interface IssueFilter {
  readonly projectId: string;
  readonly releaseId?: string;
  readonly type?: IssueType;
  readonly state?: IssueState;
}

export interface IssueStore {
  /** Stores the issue and its events and marks the release it belongs to as changed. */
  create(issue: Issue, events: readonly IssueEvent[]): Promise<void>;
  byId(issueId: string): Promise<Issue | undefined>;
  /** Stores `next` if the stored version is `next.version - 1`, appends the events, and marks the releases it left and joined as changed. */
  replace(next: Issue, events: readonly IssueEvent[]): Promise<boolean>;
  /** Open ones (todo, in_progress) first, then newest first (createdAt, then id). */
  page(filter: IssueFilter, page: PageRequest): Promise<Page<Issue>>;
}
