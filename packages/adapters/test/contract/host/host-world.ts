import type { Instant } from '@shipworthy/domain';
import type {
  HostDeploymentState,
  HostIssueClosing,
  RepositoryIdentity,
  TestRunSource,
} from '@shipworthy/domain/ports';

/** Names a thing to the stage that made it; not the id that the host reports for it. */
export type Handle = string;

export interface RepositorySeed {
  /** Owner and name. */
  readonly path: string;
  readonly private?: boolean;
  readonly archived?: boolean;
  /** `main` unless given. */
  readonly defaultBranch?: string;
  /** Exists, but cannot be read by the account that approves on this stage. */
  readonly hidden?: boolean;
}

export interface MilestoneSeed {
  readonly title: string;
  readonly dueAt?: Instant;
  readonly closed?: boolean;
}

export interface IssueSeed {
  readonly title: string;
  readonly at: Instant;
  readonly labels?: readonly string[];
  readonly milestone?: Handle;
  /** The host's own type of issue, where `gives.types`. */
  readonly type?: string;
}

export interface DeploymentSeed {
  readonly environment: string;
  readonly commitSha: string;
  readonly ref: string;
  readonly at: Instant;
}

/** How one check of a test run ended; `running`: it has not. */
export type CheckOutcome = 'passed' | 'failed' | 'skipped' | 'canceled' | 'running';

export interface TestRunSeed {
  /** Name of the workflow, where the source has several. */
  readonly suite: string;
  readonly commitSha: string;
  readonly checks: readonly { readonly name: string; readonly outcome: CheckOutcome; readonly finishedAt: Instant }[];
}

/**
 * Changes what is at the host, in words that fit any host. Every change bears the moment it is given, on the host's clock, to
 * the second; what depends on the order of changes gives moments that differ by a second at least.
 */
export interface HostWorld {
  repository(seed: RepositorySeed): RepositoryIdentity;
  /** Gives the repository another path; the old one leads to it. */
  renameRepository(repository: RepositoryIdentity, path: string): RepositoryIdentity;

  milestone(repository: RepositoryIdentity, seed: MilestoneSeed): Handle;

  issue(repository: RepositoryIdentity, seed: IssueSeed): Handle;
  /** A proposal to merge code, which some hosts list among issues though it is none. */
  changeRequest(repository: RepositoryIdentity, title: string, at: Instant): void;
  close(issue: Handle, as: HostIssueClosing, at: Instant): void;
  reopen(issue: Handle, at: Instant): void;
  /** To a milestone, or out of its milestone. */
  move(issue: Handle, milestone: Handle | null, at: Instant): void;
  retitle(issue: Handle, title: string, at: Instant): void;
  label(issue: Handle, labels: readonly string[], at: Instant): void;
  deleteIssue(issue: Handle): void;
  transferIssue(issue: Handle, to: RepositoryIdentity, at: Instant): void;

  deployment(repository: RepositoryIdentity, seed: DeploymentSeed): Handle;
  enterState(deployment: Handle, state: HostDeploymentState, at: Instant): void;
  /** Touches the deployment without a change of state, as hosts do: its `updated_at` moves. */
  touchDeployment(deployment: Handle, at: Instant): void;

  /** Results at the newest commit of the default branch, or of a workflow that ran for it. */
  testRun(repository: RepositoryIdentity, source: TestRunSource, seed: TestRunSeed): void;
}
