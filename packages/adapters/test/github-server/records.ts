/** Moments are milliseconds since 1970, whole seconds: the host keeps no finer ones. */
export type Moment = number;

export interface Account {
  readonly id: number;
  readonly nodeId: string;
  readonly login: string;
  readonly kind: 'User' | 'Organization';
}

export interface Milestone {
  readonly id: number;
  readonly nodeId: string;
  readonly number: number;
  readonly repository: Repository;
  readonly creator: Account;
  title: string;
  state: 'open' | 'closed';
  dueOn: Moment | null;
  readonly createdAt: Moment;
  updatedAt: Moment;
  closedAt: Moment | null;
}

export type StateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened';

/** One entry of an issue's timeline. */
export type TimelineItem = { readonly nodeId: string; readonly at: Moment; readonly actor: Account } & (
  | { readonly kind: 'MilestonedEvent' | 'DemilestonedEvent'; readonly milestoneTitle: string }
  | { readonly kind: 'ClosedEvent'; readonly stateReason: StateReason }
  | { readonly kind: 'ReopenedEvent' }
  | { readonly kind: 'LabeledEvent' | 'UnlabeledEvent'; readonly label: string }
  | { readonly kind: 'RenamedTitleEvent'; readonly previousTitle: string; readonly currentTitle: string }
  | { readonly kind: 'TransferredEvent'; readonly from: Repository }
);

/** An issue, or a pull request, which REST lists among issues. */
export interface Issue {
  readonly id: number;
  nodeId: string;
  number: number;
  repository: Repository;
  readonly author: Account;
  readonly pullRequest: boolean;
  title: string;
  state: 'open' | 'closed';
  stateReason: StateReason | null;
  type: string | null;
  labels: readonly string[];
  milestone: Milestone | null;
  readonly createdAt: Moment;
  updatedAt: Moment;
  closedAt: Moment | null;
  readonly timeline: TimelineItem[];
}

export type DeploymentStatusState =
  | 'error'
  | 'failure'
  | 'inactive'
  | 'in_progress'
  | 'pending'
  | 'queued'
  | 'success'
  | 'waiting';

export interface DeploymentStatus {
  readonly id: number;
  readonly nodeId: string;
  readonly state: DeploymentStatusState;
  readonly creator: Account;
  readonly logUrl: string | null;
  readonly createdAt: Moment;
  readonly deployment: Deployment;
}

export interface Deployment {
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly environment: string;
  readonly sha: string;
  readonly ref: string;
  readonly creator: Account;
  readonly createdAt: Moment;
  updatedAt: Moment;
  /** Oldest first. */
  readonly statuses: DeploymentStatus[];
}

export type CheckConclusion =
  | 'action_required'
  | 'cancelled'
  | 'failure'
  | 'neutral'
  | 'skipped'
  | 'stale'
  | 'startup_failure'
  | 'success'
  | 'timed_out';

export interface CheckSuite {
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly sha: string;
  readonly branch: string;
  readonly runs: CheckRun[];
}

export interface CheckRun {
  readonly id: number;
  readonly nodeId: string;
  readonly name: string;
  readonly suite: CheckSuite;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: CheckConclusion | null;
  readonly startedAt: Moment;
  completedAt: Moment | null;
}

export interface WorkflowRun {
  readonly id: number;
  readonly nodeId: string;
  readonly number: number;
  readonly workflowId: number;
  readonly name: string;
  readonly suite: CheckSuite;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: CheckConclusion | null;
  readonly createdAt: Moment;
  updatedAt: Moment;
}

export interface Repository {
  readonly id: number;
  readonly nodeId: string;
  owner: Account;
  name: string;
  readonly private: boolean;
  archived: boolean;
  readonly defaultBranch: string;
  /** Logins that may read it; null: every account. */
  readonly readers: readonly string[] | null;
  readonly createdAt: Moment;
  nextNumber: number;
  readonly milestones: Milestone[];
  /** By number. */
  readonly issues: Issue[];
  readonly deployments: Deployment[];
  readonly suites: CheckSuite[];
  readonly workflowRuns: WorkflowRun[];
  /** Newest commit of each branch. */
  readonly heads: Map<string, string>;
  /** Counts changes of issues, so that sorted views are made anew only then. */
  issueChanges: number;
}

/** Owner and name, as people write a repository. */
export const fullName = ({ owner, name }: Repository): string => `${owner.login}/${name}`;
