import type { ApiKeyStore } from './access/api-key-store.js';
import type { AuditStore } from './access/audit-store.js';
import type { IdempotencyStore } from './access/idempotency-store.js';
import type { InvitationStore } from './access/invitation-store.js';
import type { Secrets } from './access/secrets.js';
import type { SessionStore } from './access/session-store.js';
import type { SignInStore } from './access/sign-in-store.js';
import type { UserStore } from './access/user-store.js';
import type { BadgeStore } from './badge/badge-store.js';
import type { EventSourceStore } from './cdevent/event-source-store.js';
import type { ChecklistStore } from './checklist/checklist-store.js';
import type { Deployment } from './deployment/deployment.js';
import type { DeploymentStore } from './deployment/deployment-store.js';
import type { EventFeed, EventStore } from './event/event-store.js';
import type { Instant } from './instant.js';
import type { IssueStore } from './issue/issue-store.js';
import type { Project } from './project/project.js';
import type { NamedProject, NameLookup, ProjectAt, ProjectMoment, ProjectStore } from './project/project-store.js';
import type { FrozenReport } from './readiness/frozen-report.js';
import type { PolicyStore } from './readiness/policy-store.js';
import type { WaiverStore } from './readiness/waiver-store.js';
import type { HistoryStore } from './release/history-store.js';
import type {
  ActiveRevision,
  ReleaseDossier,
  ReleaseFactsStore,
  ReleaseRevision,
} from './release/release-facts-store.js';
import type { ReleaseStore } from './release/release-store.js';
import type { KeptRecordsStore } from './report/kept-records-store.js';
import type { ReceiptLog } from './report/receipt-log.js';
import type { ReportQueue, ReportStore } from './report/report-store.js';
import type { HostConnectionStore } from './repository/host-connection-store.js';
import type { ConfiguredHost } from './repository/repository-host.js';
import type { RepositoryLinkStore } from './repository/repository-link-store.js';
import type { Slices } from './slices.js';
import type { TeamStore } from './team/team-store.js';
import type { TestRun } from './test-run/test-run.js';
import type { PlaceLookup, TargetLookup, TestRunStore, TestRunTarget } from './test-run/test-run-store.js';
import type { VerdictSigner } from './verdict/verdict-signer.js';
import type { DeliveryLog } from './webhook/delivery-log.js';
import type { HookSender } from './webhook/hook-sender.js';
import type { WebhookStore } from './webhook/webhook-store.js';

/** The stores as one bundle; either all outside a transaction or all inside the same one. */
export interface Stores {
  readonly teams: TeamStore;
  readonly projects: ProjectStore;
  readonly releases: ReleaseStore;
  readonly issues: IssueStore;
  readonly checklists: ChecklistStore;
  readonly deployments: DeploymentStore;
  readonly testRuns: TestRunStore;
  readonly facts: ReleaseFactsStore;
  readonly policies: PolicyStore;
  readonly waivers: WaiverStore;
  readonly history: HistoryStore;
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
  /**
   * Runs the work on stores that share one transaction: all of it is there afterwards, or nothing.
   * Inside a transaction it joins that one. An error thrown by the work undoes everything and is thrown on;
   * DomainError `unavailable` when the database cannot be reached or the outcome is unknown.
   * Where the database undid it only because two transactions waited for each other, the work is done again: it must change
   * nothing but these stores.
   * What a store refuses with another DomainError, or answers with false, changed nothing and leaves the transaction usable.
   */
  transaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>;
}

/** Stores outside any transaction, with the feed of what is told on their data, by whichever instance. */
export interface StoresWithFeed extends Stores {
  readonly feed: EventFeed;
}

/** The service's clock. */
export type Clock = () => Instant;

/** Lets that many milliseconds pass. */
export type Pause = (ms: number) => Promise<void>;

/** A new UUIDv7, lower case. */
export type NewId = () => string;

/** The hot reads one at a time; those that arrive together are answered by one query of the store method they name. */
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
  runBefore(lookup: PlaceLookup): Promise<TestRun | undefined>;
  /** `facts.factsFor` */
  dossier(releaseId: string): Promise<ReleaseDossier | undefined>;
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
  /** Of work that grows with what is asked for. */
  readonly slices: Slices;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly hookSender: HookSender;
  readonly deliveryLog: DeliveryLog;
  readonly verdicts: VerdictSigner;
  /** null: the service is not set up to connect one. */
  readonly repositoryHost: ConfiguredHost | null;
}
