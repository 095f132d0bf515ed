import type { Instant } from '../instant.js';
import type { HostRepository } from './host-records.js';
import type { TestRunSource } from './repository-host.js';

/** Tells the issues of several projects of one repository apart; an issue must meet every part that is given. */
export interface HostIssueFilter {
  /** At least one of these labels, in any case; empty: whatever the labels. */
  readonly labels: readonly string[];
  /** A path the issue's title (`packages/pay: fix rounding`) or a label names, at it or below it; null: whatever the path. */
  readonly pathPrefix: string | null;
}

/** Which of the host's types and labels mean what; compared in any case, the host's type before labels. Empty: the defaults. */
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
