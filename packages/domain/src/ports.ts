import type { InvitationStore, SessionStore, SignInStore, UserStore } from './access/person.js';
import type { IdempotencyStore, Secrets } from './access/ports.js';
import type { ApiKeyStore, AuditStore, Author } from './access/principal.js';
import type { AxisReportStore } from './axis-report.js';
import type { BadgeStore } from './badge.js';
import type { EventSourceStore } from './cdevent.js';
import type { ChecklistStore } from './checklist.js';
import type { Deployment, DeploymentStore } from './deployment.js';
import { DomainError } from './errors.js';
import type { EventFeed, EventStore } from './event.js';
import type { IssueStore } from './issue.js';
import type { KeptRecordsStore, ReceiptLog, ReportQueue, ReportStore } from './pipeline-report.js';
import type { NamedProject, NameLookup, Project, ProjectAt, ProjectMoment, ProjectStore } from './project.js';
import type { PolicyStore } from './readiness/policy.js';
import type { FrozenReport } from './readiness/report.js';
import type { WaiverStore } from './readiness/waiver.js';
import type { ActiveRevision, ReleaseFactsStore, ReleaseInputs, ReleaseRevision } from './release/facts.js';
import type { GateChangeStore, HistoryStore } from './release/history.js';
import type { ReleaseStore } from './release/release.js';
import type { HostConnectionStore } from './repository/connection.js';
import type { ConfiguredHost } from './repository/host.js';
import type { RepositoryLinkStore } from './repository/import-state.js';
import type { SearchStore } from './search.js';
import type { TeamStore } from './team.js';
import type { PreviousRunLookup, TargetLookup, TestRun, TestRunStore, TestRunTarget } from './test-run.js';
import type { Instant } from './time.js';
import type { DeliveryLog, WebhookSender, WebhookStore } from './webhook.js';

/** The stores as one bundle; either all outside a transaction or all inside the same one. */
export interface Stores {
  readonly teams: TeamStore;
  readonly projects: ProjectStore;
  readonly releases: ReleaseStore;
  readonly issues: IssueStore;
  readonly checklists: ChecklistStore;
  readonly deployments: DeploymentStore;
  readonly testRuns: TestRunStore;
  readonly axisReports: AxisReportStore;
  readonly facts: ReleaseFactsStore;
  readonly policies: PolicyStore;
  readonly waivers: WaiverStore;
  readonly history: HistoryStore;
  readonly gateChanges: GateChangeStore;
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly apiKeys: ApiKeyStore;
  readonly invitations: InvitationStore;
  readonly signIns: SignInStore;
  readonly audit: AuditStore;
  readonly idempotency: IdempotencyStore;
  readonly reports: ReportStore;
  readonly keptRecords: KeptRecordsStore;
  readonly hostConnections: HostConnectionStore;
  readonly repositoryLinks: RepositoryLinkStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly badges: BadgeStore;
  readonly eventSources: EventSourceStore;
  readonly search: SearchStore;
  /**
   * Runs the work on stores that share one transaction: all of its changes are stored, or none. Inside a transaction it
   * joins that one. An error thrown by the work undoes everything and is thrown on; DomainError `unavailable` when the
   * database cannot be reached or the outcome is unknown.
   * After a deadlock the work is done again, so it must change nothing but these stores.
   * A store that refuses with another DomainError, or answers false, has changed nothing; the transaction stays usable.
   * @param by the author of everything in it that moves a report; missing: the author of the transaction that it joins
   */
  transaction<Result>(work: (stores: Stores) => Promise<Result>, by?: Author): Promise<Result>;
}

/** Stores outside any transaction, and the feed of the events of all instances that share their data. */
export interface StoresWithFeed extends Stores {
  readonly feed: EventFeed;
}

/** The service's clock. */
export type Clock = () => Instant;

/** Waits that many milliseconds. */
export type Pause = (ms: number) => Promise<void>;

/** A new UUIDv7, lower case. */
export type NewId = () => string;

/** Long work of one request in slices: between two of them the event loop serves other requests. */
export interface Slices {
  /**
   * Does the work on each item, in order, and returns the results. Stops and throws when the work throws, or when the
   * result is no longer needed.
   */
  map<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result): Promise<readonly Result[]>;
}

/** Does all work at once: for work that is always short. */
export const inOnePiece: Slices = {
  map: async (items, work) => items.map(work),
};

/** A signed text in an envelope of DSSE, version 1: what was signed, and by whom. */
export interface SignedEnvelope {
  readonly payloadType: 'application/vnd.in-toto+json';
  /** The text in UTF-8 as base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string /** Base64. */; readonly sig: string }[];
}

/** A public key of Ed25519 as people fetch it. */
export interface VerdictKey {
  /** Its thumbprint (RFC 7638), which the signatures name. */
  readonly keyid: string;
  /** The 32 bytes as base64url. */
  readonly x: string;
}

/** Signs what the service says, so that others can verify it without asking the service. */
export interface VerdictSigner {
  /** Signs an in-toto statement and returns it in its envelope. */
  sign(statement: string): Promise<SignedEnvelope>;
  /** The current key first, then the former ones. */
  keys(): Promise<readonly VerdictKey[]>;
}

// Accounts, teams and what was done in them

export type { InvitationStore, SessionStore, SignInStore, UserStore } from './access/person.js';
export type { IdempotencyStore, IdempotentRequest, PasswordAsker, RememberedReply, Secrets } from './access/ports.js';
export type { ApiKeyStore, AuditFilter, AuditStore } from './access/principal.js';
export type { TeamStore } from './team.js';

// Projects and releases

export type { BadgeStore } from './badge.js';
export type { NameLookup, ProjectAt, ProjectMoment, ProjectStore } from './project.js';
export type { PolicyStore } from './readiness/policy.js';
export type { WaiverStore } from './readiness/waiver.js';
export type { ReleaseFactsStore } from './release/facts.js';
export type {
  DirtyRelease,
  GateChangeStore,
  HistoryStore,
  Knowledge,
  Moves,
  NewestPoint,
  RecordedPoint,
  Snapshot,
} from './release/history.js';
export type { ReleaseFilter, ReleaseStore } from './release/release.js';
export type { SearchStore } from './search.js';

// Records and what is reported

export type { AxisReportFilter, AxisReportStore, LatestReportLookup } from './axis-report.js';
export type { EventSourceStore } from './cdevent.js';
export type { ChecklistStore } from './checklist.js';
export type { DeploymentFilter, DeploymentStore, FirstDeployments } from './deployment.js';
export type { IssueFilter, IssueStore } from './issue.js';
export type {
  KeptRecordsStore,
  ReceiptLog,
  RemovedPortion,
  RemovedRecords,
  ReportEntry,
  ReportOutcome,
  ReportQueue,
  ReportStore,
} from './pipeline-report.js';
export type { PreviousRunLookup, TargetLookup, TestRunFilter, TestRunStore } from './test-run.js';

// Repository hosts

export type {
  ClaimedConnection,
  ConnectionState,
  FormerGrant,
  HostConnectionStore,
  PendingApproval,
} from './repository/connection.js';
export {
  type ConfiguredHost,
  type Grant,
  type HookDelivery,
  type HookNotice,
  type HostAccess,
  type HostAccount,
  type HostAuthorization,
  type HostBudget,
  type HostDeployment,
  type HostDeploymentState,
  type HostHooks,
  type HostIssue,
  type HostIssueClosing,
  type HostIssueEvent,
  type HostMilestone,
  type HostReading,
  type HostReadRequest,
  type HostRepository,
  type HostTestRun,
  IMPORT_PARTS,
  type ImportPart,
  type RepositoryHost,
  type RepositoryIdentity,
  TEST_RUN_SOURCES,
  type TestRunSource,
  webAddress,
} from './repository/host.js';
export type { RepositoryLinkStore } from './repository/import-state.js';

// Events and webhooks

export type { EventFeed, EventStore } from './event.js';
export type {
  ClaimedWebhook,
  DeliveryLog,
  WebhookAnswer,
  WebhookChoice,
  WebhookFailure,
  WebhookMessage,
  WebhookSender,
  WebhookStore,
} from './webhook.js';

/** Frequent reads of one thing each. Reads that arrive together share one query of the store method named at each. */
export interface Lookups {
  /** `projects.named` */
  namedProject(lookup: NameLookup): Promise<readonly NamedProject[]>;
  /** `projects.at` */
  projectAt(moment: ProjectMoment): Promise<ProjectAt | undefined>;
  /** `projects.ofTeams` */
  teamProjects(teamId: string): Promise<readonly Project[]>;
  /** `eventSources.projectsOf` */
  sourceProjects(source: string): Promise<readonly Project[]>;
  /** `testRuns.targets` */
  testRunTarget(lookup: TargetLookup): Promise<TestRunTarget | undefined>;
  /** `deployments.byIds` */
  deployment(deploymentId: string): Promise<Deployment | undefined>;
  /** `testRuns.byIds` */
  testRun(testRunId: string): Promise<TestRun | undefined>;
  /** `testRuns.before` */
  runBefore(lookup: PreviousRunLookup): Promise<TestRun | undefined>;
  /** `facts.factsFor` */
  releaseInputs(releaseId: string): Promise<ReleaseInputs | undefined>;
  /** `releases.frozenOf` */
  frozen(releaseId: string): Promise<FrozenReport | undefined>;
  /** `facts.revisions` */
  revision(releaseId: string): Promise<ReleaseRevision | undefined>;
  /** `facts.activeRevisions` */
  activeRevision(projectId: string): Promise<ActiveRevision | undefined>;
}

/** Everything the use cases need from outside. */
export interface Ports {
  readonly stores: Stores;
  readonly reports: ReportQueue;
  readonly lookups: Lookups;
  readonly receipts: ReceiptLog;
  readonly feed: EventFeed;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Splits work that grows with the request into slices. */
  readonly slices: Slices;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly hookSender: WebhookSender;
  readonly deliveryLog: DeliveryLog;
  readonly verdicts: VerdictSigner;
  /** null: no repository host is configured. */
  readonly repositoryHost: ConfiguredHost | null;
}

/** The stores that a service can do without, in groups: a bundle has all stores of a group or none. */
export const STORE_GROUPS = {
  audit: ['audit'],
  badges: ['badges'],
  cdevents: ['eventSources'],
  'gate-changes': ['gateChanges'],
  history: ['history'],
  host: ['hostConnections', 'repositoryLinks'],
  invitations: ['invitations'],
  'own-axes': ['axisReports'],
  retention: ['keptRecords'],
  search: ['search'],
  webhooks: ['events', 'webhooks'],
} as const satisfies Readonly<Record<string, readonly (keyof Stores)[]>>;

export type StoreGroup = keyof typeof STORE_GROUPS;

type OptionalName = (typeof STORE_GROUPS)[StoreGroup][number];

/** The stores that every service needs: accounts, access, teams, projects, releases, and the records of their axes. */
export interface CoreStores extends Omit<Stores, OptionalName | 'transaction'> {
  /** Like `Stores.transaction`, on all stores of the bundle. */
  transaction<Result>(work: (stores: OfferedStores) => Promise<Result>, by?: Author): Promise<Result>;
}

/** The core stores and any of the groups. The feed belongs to the group `webhooks`. */
export interface OfferedStores extends CoreStores, Partial<Pick<StoresWithFeed, OptionalName | 'feed'>> {}

const GROUPS = Object.keys(STORE_GROUPS) as readonly StoreGroup[];

const membersOf = (group: StoreGroup): readonly (OptionalName | 'feed')[] =>
  group === 'webhooks' ? [...STORE_GROUPS.webhooks, 'feed'] : STORE_GROUPS[group];

/** The groups that a bundle does not have. @throws TypeError when it has only a part of a group */
export const absentGroups = (offered: OfferedStores): readonly StoreGroup[] =>
  GROUPS.filter((group) => {
    const members = membersOf(group);
    const missing = members.filter((name) => offered[name] === undefined);
    if (missing.length > 0 && missing.length < members.length)
      throw new TypeError(`The stores of the group ${group} come together: ${missing.join(', ')} is missing.`);
    return missing.length > 0;
  });

/** Makes a store in place of an absent one: the functions in `emptyReads` answer that it is empty, all others refuse. */
const emptyStore = <Store extends object>(group: StoreGroup, emptyReads: NoInfer<Partial<Store>>): Store =>
  new Proxy(emptyReads, {
    get: (target, name) => {
      const known = Reflect.get(target, name);
      // An object with a `then` would be awaited like a promise.
      if (known !== undefined || typeof name === 'symbol' || name === 'then') return known;
      return async () => {
        throw new DomainError('not-offered', `This service has no stores of the group ${group}.`);
      };
    },
  }) as Store;

const zero = async (): Promise<number> => 0;
const none = async (): Promise<undefined> => undefined;
const nothingDone = async (): Promise<void> => {};
const empty = async (): Promise<readonly never[]> => [];
const emptyPage = async () => ({ rows: [], next: null });
const emptyEach = async (ids: readonly string[]): Promise<readonly (readonly never[])[]> => ids.map(() => []);

/**
 * The stores that replace those of each absent group. The core reads them as empty, and its own changes work without
 * them: no audit entry is noted and no event is sent.
 */
const EMPTY_STORES: { readonly [Group in StoreGroup]: Pick<Stores, (typeof STORE_GROUPS)[Group][number]> } = {
  audit: { audit: emptyStore('audit', { append: nothingDone }) },
  badges: { badges: emptyStore('badges', {}) },
  cdevents: { eventSources: emptyStore('cdevents', {}) },
  'gate-changes': {
    gateChanges: emptyStore('gate-changes', { append: nothingDone, removeBefore: zero }),
  },
  history: {
    history: emptyStore('history', {
      claim: empty,
      last: emptyEach,
      trends: emptyEach,
      newest: async (ids) => ids.map(() => undefined),
      latest: async (ids) => ids.map(() => undefined),
    }),
  },
  host: {
    hostConnections: emptyStore('host', { of: none, removeExpired: zero }),
    repositoryLinks: emptyStore('host', { ofProject: none, lastOf: none, removeDeliveries: zero }),
  },
  invitations: {
    invitations: emptyStore('invitations', { pending: empty, received: empty, revokeMadeBy: nothingDone }),
  },
  'own-axes': {
    axisReports: emptyStore('own-axes', {
      page: emptyPage,
      lastRecorded: async (ids) => ids.map(() => undefined),
      latest: async (lookups) => lookups.map(() => undefined),
    }),
  },
  retention: {
    keptRecords: emptyStore('retention', {
      since: async () => ({ deployments: null, testRuns: null, axisReports: null }),
    }),
  },
  search: { search: emptyStore('search', {}) },
  webhooks: {
    events: emptyStore('webhooks', { append: nothingDone }),
    webhooks: emptyStore('webhooks', { ofProject: empty, removeDeliveries: zero }),
  },
};

const silentFeed: EventFeed = { subscribe: () => () => undefined };

/**
 * Returns a complete bundle. The stores of a group that is not offered are empty, and refuse to store with the
 * DomainError `not-offered`. A bundle with all groups is returned as it is.
 */
export const completeStores = (offered: OfferedStores): StoresWithFeed => {
  const absent = absentGroups(offered);
  if (absent.length === 0) return offered as StoresWithFeed;
  const emptyStores = Object.assign({}, ...absent.map((group) => EMPTY_STORES[group])) as Pick<Stores, OptionalName>;
  const completed = (stores: OfferedStores): Stores => ({
    ...stores,
    ...emptyStores,
    transaction: (work, by) => stores.transaction((inside) => work(completed(inside)), by),
  });
  return { ...completed(offered), feed: offered.feed ?? silentFeed };
};
