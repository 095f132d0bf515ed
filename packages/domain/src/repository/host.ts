import { plainName } from '../names.js';
import type { Instant } from '../time.js';

export const TEST_RUN_SOURCES = ['checks', 'workflows'] as const;
/** What at the host may be imported as test runs: the checks of the default branch's newest commit, or its workflows. */
export type TestRunSource = (typeof TEST_RUN_SOURCES)[number];

/** How many calls the host still allows with a grant: `remaining` of `limit` until `resetAt`. */
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
  /**
   * The validator of the first page of the last complete reading, so that the host may answer that nothing changed. Only when
   * `page` is null.
   */
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

/** What names a repository in a call: some hosts use its id, others its path. */
export type RepositoryIdentity = Pick<HostRepository, 'id' | 'path' | 'defaultBranch'>;

export interface RepositorySearch {
  /** Part of the path, in any case; null: all. */
  readonly text: string | null;
  /** 1-100. */
  readonly limit: number;
  readonly page: string | null;
}

/**
 * Reads from the repository host; nothing here writes to it. Makes few requests: one per 100 rows where the host has lists,
 * else one or two per row. Throws DomainError `host-rejected` only when the host itself refused the grant;
 * `host-unavailable` (details: `cause`, `retryAt?`) when it was slow, failing, limiting, or gave an answer that does not fit
 * its interface; `not-found` for a repository that does not exist or cannot be read with this grant.
 */
export interface RepositoryHost {
  /** The account of the grant; the cheapest check that the grant still works. */
  account(access: HostAccess): Promise<HostAccount>;
  /** Whether the grant would also let its holder write, by what the host says of it; null: the host does not say. */
  mayWrite(access: HostAccess): Promise<boolean | null>;
  /** Readable repositories, by path. */
  repositories(
    access: HostAccess,
    search: RepositorySearch,
  ): Promise<{ readonly rows: readonly HostRepository[]; readonly next: string | null }>;
  /** Finds a repository by path, or by id even when its path changed or now belongs to another repository. */
  repository(access: HostAccess, name: string | Pick<HostRepository, 'id'>): Promise<HostRepository>;
  /** Open and closed milestones. Always all of them: hosts do not tell which milestones changed. */
  milestones(
    access: HostAccess,
    repository: RepositoryIdentity,
    request: HostReadRequest,
  ): Promise<HostReading<HostMilestone>>;
  /** Least recently changed first, so that an issue that changes during the reading is read again. */
  issues(access: HostAccess, repository: RepositoryIdentity, request: HostReadRequest): Promise<HostReading<HostIssue>>;
  /** The issues among the ids (100 at most) that still belong to this repository; in any order. */
  issuesById(
    access: HostAccess,
    repository: RepositoryIdentity,
    ids: readonly string[],
  ): Promise<{ readonly rows: readonly HostIssue[]; readonly budget: HostBudget | null }>;
  deployments(
    access: HostAccess,
    repository: RepositoryIdentity,
    request: HostReadRequest,
  ): Promise<HostReading<HostDeployment>>;
  /** The deployments among the ids (100 at most) that the host still knows; in any order. */
  deploymentsById(
    access: HostAccess,
    repository: RepositoryIdentity,
    ids: readonly string[],
  ): Promise<{ readonly rows: readonly HostDeployment[]; readonly budget: HostBudget | null }>;
  /** Finished test runs of the default branch. */
  testRuns(
    access: HostAccess,
    repository: RepositoryIdentity,
    source: TestRunSource,
    request: HostReadRequest,
  ): Promise<HostReading<HostTestRun>>;
}

/** The repository host a service is set up with. */
export interface ConfiguredHost {
  /** The name in paths: lower case letters, such as `github`. */
  readonly name: string;
  /** The name for people, such as `GitHub`. */
  readonly title: string;
  /** The kinds of records this host can give; a link that asks for others is refused. */
  readonly gives: { readonly deployments: boolean; readonly testRuns: readonly TestRunSource[] };
  readonly authorization: HostAuthorization;
  readonly reader: RepositoryHost;
  readonly hooks: HostHooks;
}

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
export type HostIssueClosing = 'completed' | 'not_planned';

/** An event of an issue in the host's history. A milestone is named by its title: hosts store nothing else. */
export type HostIssueEvent =
  | { readonly at: Instant; readonly kind: 'milestoned' | 'demilestoned'; readonly milestone: string }
  | { readonly at: Instant; readonly kind: 'closed'; readonly as: HostIssueClosing }
  | { readonly at: Instant; readonly kind: 'reopened' };

export interface HostIssue {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly state: 'open' | 'closed';
  /** null while it is open. */
  readonly closedAs: HostIssueClosing | null;
  /** The host's own type of issue; null: none. */
  readonly type: string | null;
  readonly labels: readonly string[];
  readonly milestoneId: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt: Instant | null;
  /** Oldest first; null: this host gives no history. */
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
  /** When the last of these checks finished. */
  readonly ranAt: Instant;
}

/** Control characters, lone surrogates, line ends, and characters that reorder the text around them (UAX #9). */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** A character that can be seen; the five letters and symbols that are excluded are drawn as blanks. */
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
/** An http or https address without user and password: no @ before its path. */
const HTTP = /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/iu;
const LONGEST_URL = 2048;

/**
 * Returns one line of at most `limit` characters: each unfit character becomes a space, and no character is cut in two.
 * Empty when nothing in it can be seen.
 */
export const lineOf = (text: string, limit = 200): string => {
  const line = [...text.replace(UNFIT, ' ').trim()].slice(0, limit).join('').trimEnd();
  return VISIBLE.test(line) ? line : '';
};

/** Returns the text as `lineOf` does; null when it is null or nothing of it can be seen. */
export const lineOrNull = (text: string | null, limit = 200): string | null =>
  text === null ? null : lineOf(text, limit) || null;

/**
 * Returns the account with a name of one line, without characters that cannot be seen or that reorder others. When
 * nothing of the name is left, the id takes its place.
 */
export const plainAccount = ({ id, name }: HostAccount): HostAccount => ({
  id,
  name: plainName(lineOf(name)).trim() || id,
});

/** The address, if it is one of the web, holds no user or password, and is of at most 2048 characters; else null. */
export const webAddress = (url: string | null): string | null =>
  url !== null && url.length <= LONGEST_URL && HTTP.test(url) && url.search(UNFIT) === -1 ? url : null;

/** A webhook request from the host, as it arrived. */
export interface HookDelivery {
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The project in the address that the delivery was sent to; null: the address names none. */
  readonly projectId: string | null;
}

export const IMPORT_PARTS = ['milestones', 'issues', 'deployments', 'test_runs'] as const;
/** What is imported from a repository. */
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** A notice that something changed at the host. It carries no data: what changed is read from the host itself. */
export interface HookNotice {
  /** The same for every repetition of a delivery. */
  readonly deliveryId: string;
  /** null: concerns no repository. */
  readonly repositoryId: string | null;
  /** The parts that may have changed; empty: nothing that is imported. */
  readonly parts: readonly ImportPart[];
  /** Issues that may have been removed at the host. */
  readonly suspectIssueIds: readonly string[];
}

/** The host's webhooks, as people set them up in a repository's settings at the host. */
export interface HostHooks {
  /** The names of the events to choose at the host. */
  readonly events: readonly string[];
  /**
   * The secret of the webhook for a project's link to a repository; always the same for one link, and different for each link.
   */
  secretOf(repositoryId: string, projectId: string): string;
  /**
   * Reads what a delivery says.
   * @throws DomainError `wrong-signature` when it was not signed with the secret of its repository and project;
   * `invalid` when it is no delivery of this host
   */
  read(delivery: HookDelivery): HookNotice;
}

/** An approval that has begun: the person goes to `url`, and comes back with `state` and a code. */
interface Approval {
  /** The host's page on which the person approves read access. */
  readonly url: string;
  /** Unguessable, for one use. */
  readonly state: string;
  /** The PKCE verifier (RFC 7636), sealed for the owner. */
  readonly sealedVerifier: string;
}

interface ApprovalRequest {
  /** The person who will own the grant. */
  readonly ownerId: string;
  /** Where the host sends the person back to, exactly. */
  readonly redirectUrl: string;
}

interface RedeemRequest extends ApprovalRequest {
  readonly code: string;
  readonly sealedVerifier: string;
  readonly deadline: Instant;
}

/** A token that a person made at the host, for chosen repositories. */
interface AdoptRequest {
  /** The person who will own the grant. */
  readonly ownerId: string;
  readonly token: string;
  readonly deadline: Instant;
}

/**
 * How a person lets the service read at the repository host: OAuth 2 authorization code with PKCE, or a token that the
 * person made there. Every method but `begin` throws DomainError `host-rejected` only when the host itself refused the
 * code or the grant, and `host-unavailable` (details: `cause`, `retryAt?`) for every other failure.
 */
export interface HostAuthorization {
  begin(request: ApprovalRequest): Promise<Approval>;
  /** Exchanges the code for a grant and asks whose it is. */
  redeem(request: RedeemRequest): Promise<{ readonly grant: Grant; readonly account: HostAccount }>;
  /** Makes a grant of a person's own token, once the host said whose it is. It is never renewed, nor ended at the host. */
  adopt(request: AdoptRequest): Promise<{ readonly grant: Grant; readonly account: HostAccount }>;
  /** Exchanges a grant for a new one; the old grant can no longer be used. */
  refresh(access: HostAccess): Promise<Grant>;
  /** Ends the grant at the host; one that is no longer valid, or a person's own token, counts as ended. */
  revoke(access: HostAccess): Promise<void>;
}

/** A person's account at the repository host. */
export interface HostAccount {
  readonly id: string;
  readonly name: string;
}

/** The tokens a person's approval yielded, sealed by the adapter: only the adapter can read them, and only for that person. */
export interface Grant {
  readonly sealed: string;
  /** When it ends unless it is refreshed; null: it lasts until it is revoked. */
  readonly expiresAt: Instant | null;
}

/** The access with which a call to the host is made. */
export interface HostAccess {
  /** The owner of the grant; a grant can be unsealed for its owner only. */
  readonly ownerId: string;
  readonly grant: Grant;
  /** The moment, on the service's clock, by which the call must return or throw DomainError `host-unavailable`. */
  readonly deadline: Instant;
}
