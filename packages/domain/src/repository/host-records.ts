import type { Instant } from '../instant.js';

/** A repository as the host shows it. */
export interface HostRepository {
  /** Stays when the repository is renamed or moved. */
  readonly id: string;
  /** Owner and name: `acme/shop`. */
  readonly path: string;
  readonly url: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly defaultBranch: string;
}

export interface HostMilestone {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly dueAt: Instant | null;
  readonly url: string;
}

/** How an issue was closed. */
export type HostClosing = 'completed' | 'not_planned';

/** What happened to an issue, as the host remembers it. Milestones go by title: hosts keep no more. */
export type HostIssueEvent =
  | { readonly at: Instant; readonly kind: 'milestoned' | 'demilestoned'; readonly milestone: string }
  | { readonly at: Instant; readonly kind: 'closed'; readonly as: HostClosing }
  | { readonly at: Instant; readonly kind: 'reopened' };

export interface HostIssue {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly state: 'open' | 'closed';
  /** null while it is open. */
  readonly closedAs: HostClosing | null;
  /** The host's own type of issue; null: none. */
  readonly type: string | null;
  readonly labels: readonly string[];
  readonly milestoneId: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt: Instant | null;
  /** Oldest first; null: this host does not tell. */
  readonly history: readonly HostIssueEvent[] | null;
}

/** A state of a deployment in the words of this service; `queued`: not begun; `other`: says nothing about how it went. */
export type HostDeploymentState = 'queued' | 'started' | 'success' | 'failure' | 'other';

export interface HostDeployment {
  readonly id: string;
  readonly environment: string;
  readonly commitSha: string;
  /** Branch or tag. */
  readonly ref: string | null;
  readonly deployedBy: string | null;
  readonly url: string | null;
  readonly createdAt: Instant;
  /** Each state with the moment it was entered, oldest first. */
  readonly states: readonly { readonly state: HostDeploymentState; readonly at: Instant }[];
}

/** Results of checks or of a workflow, counted like tests: what was canceled or skipped is neither passed nor failed. */
export interface HostTestRun {
  readonly id: string;
  readonly suite: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly commitSha: string;
  readonly url: string | null;
  /** When the last of them really finished. */
  readonly ranAt: Instant;
}
