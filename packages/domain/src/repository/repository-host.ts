import type { Instant } from '../instant.js';
import type { HostAccess, HostAccount } from './host-account.js';
import type { HostAuthorization } from './host-authorization.js';
import type { HostHooks } from './host-hooks.js';
import type { HostDeployment, HostIssue, HostMilestone, HostRepository, HostTestRun } from './host-records.js';

export const TEST_RUN_SOURCES = ['checks', 'workflows'] as const;
/** What at the host may stand in for test runs: the checks of the default branch's newest commit, or its workflows. */
export type TestRunSource = (typeof TEST_RUN_SOURCES)[number];

/** What the host still allows with this grant; null: it did not say. */
export interface HostBudget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant;
}

/** Asks for the rows that changed. */
export interface HostReadRequest {
  /** Only what changed at or after this moment of the host's clock; null: everything. */
  readonly since: Instant | null;
  /** Continues a reading; null: begins one. */
  readonly page: string | null;
  /** What the last complete reading began with: the host may then answer that nothing changed. Only when `page` is null. */
  readonly validator: string | null;
}

/** A page of rows, or that nothing changed since the validator was given out. */
export type HostReading<Row> =
  | { readonly unchanged: true; readonly budget: HostBudget | null }
  | {
      readonly unchanged: false;
      readonly rows: readonly Row[];
      /** null: this was the last page. */
      readonly next: string | null;
      /** Only on the first page; null: the host gives none. */
      readonly validator: string | null;
      readonly budget: HostBudget | null;
    };

/** The identity of a repository in calls: hosts know it by one or the other. */
export type RepositoryName = Pick<HostRepository, 'id' | 'path' | 'defaultBranch'>;

export interface RepositorySearch {
  /** Part of the path, in any case; null: all. */
  readonly text: string | null;
  /** 1-100. */
  readonly limit: number;
  readonly page: string | null;
}

/**
 * Reading at the repository host; nothing here ever writes to it. At most one request per 100 rows, beside a constant few.
 * Throws DomainError `host-rejected` only when the host itself refused the grant; `host-unavailable` (details: `cause`,
 * `retryAt?`) when it was slow, failing, limiting or answered something else than its interface; `not-found` for a repository
 * that does not exist or cannot be read with this grant.
 */
export interface RepositoryHost {
  /** Whose grant it is: the cheapest proof that it still works. */
  account(access: HostAccess): Promise<HostAccount>;
  /** Whether the grant would also let its holder write, by what the host says of it; null: the host does not say. */
  mayWrite(access: HostAccess): Promise<boolean | null>;
  /** Readable repositories, by path. */
  repositories(
    access: HostAccess,
    search: RepositorySearch,
  ): Promise<{ readonly rows: readonly HostRepository[]; readonly next: string | null }>;
  /** By path; by id also when it goes by another path now, and when its old one is another repository's. */
  repository(access: HostAccess, name: string | Pick<HostRepository, 'id'>): Promise<HostRepository>;
  /** Open and closed ones. Always all of them: hosts do not tell which milestones changed. */
  milestones(
    access: HostAccess,
    repository: RepositoryName,
    request: HostReadRequest,
  ): Promise<HostReading<HostMilestone>>;
  /** Least recently changed first, so that what changes during a reading comes again. */
  issues(access: HostAccess, repository: RepositoryName, request: HostReadRequest): Promise<HostReading<HostIssue>>;
  /** Those of the ids (100 at most) that still are issues of this repository; in any order. */
  issuesById(access: HostAccess, repository: RepositoryName, ids: readonly string[]): Promise<readonly HostIssue[]>;
  deployments(
    access: HostAccess,
    repository: RepositoryName,
    request: HostReadRequest,
  ): Promise<HostReading<HostDeployment>>;
  /** Those of the ids (100 at most) that the host still knows; in any order. */
  deploymentsById(
    access: HostAccess,
    repository: RepositoryName,
    ids: readonly string[],
  ): Promise<readonly HostDeployment[]>;
  /** Finished ones of the default branch. */
  testRuns(
    access: HostAccess,
    repository: RepositoryName,
    source: TestRunSource,
    request: HostReadRequest,
  ): Promise<HostReading<HostTestRun>>;
}

/** The repository host a service is set up with. */
export interface ConfiguredHost {
  /** In paths: lower case letters, `github`. */
  readonly name: string;
  /** For people: `GitHub`. */
  readonly title: string;
  /** What this host can give at all; what it cannot is refused when a repository is linked. */
  readonly gives: { readonly deployments: boolean; readonly testRuns: readonly TestRunSource[] };
  readonly authorization: HostAuthorization;
  readonly repositories: RepositoryHost;
  readonly hooks: HostHooks;
}
