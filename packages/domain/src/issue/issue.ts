import type { Instant } from '../instant.js';

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
  /** Its name at the repository host it is imported from, unique within the project; null: it was added here. */
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
