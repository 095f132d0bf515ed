// What the product is about: the nouns with their rules. The other entries: `/ports` (what adapters fulfil), `/use-cases` (what can
// be done), `/readiness` (the score and the gate) and `/analysis` (how a release came to be what it is).

// Failures, moments and pages of lists

export { DomainError, type ErrorCode, type Fault, invalid, notFound } from './errors.js';
export type { ListOrder, Page, PageKey, PageRequest } from './page.js';
export { ALLOWED_CLOCK_LEAD, contains, type Instant, type Interval } from './time.js';

// Who calls, and what they may do

export {
  addressKey,
  type Invitation,
  invitationState,
  mixesScripts,
  namesOfUser,
  type PendingInvitation,
  type ReceivedInvitation,
  type Session,
  type SignInAttempt,
  type SignInCounts,
  sessionPrincipal,
} from './access/person.js';
export {
  type Actor,
  type ApiKey,
  type AuditEntry,
  type Author,
  atHome,
  expiresSoon,
  namesOfKey,
  networkOf,
  type Principal,
  passesAuditFilter,
  type ReachingKey,
  SCOPES,
  type Scope,
  seesProject,
  type TeamActor,
  teamsInSight,
  type User,
} from './access/principal.js';
export { atLeast, type Member, type Membership, ROLES, type Role, type Team, type TeamOverview } from './team.js';

// Projects

export type { Badge, BadgeOptIn } from './badge.js';
export { nearestNames } from './names.js';
export type { Project } from './project.js';

// Releases, their trend and what moved them

export {
  axisReportMove,
  type Cause,
  type CountedIssue,
  type CountedItem,
  deploymentMove,
  evidenceMove,
  type Happening,
  issueMoves,
  itemMove,
  type Move,
  pendingMove,
  policyMove,
  projectMove,
  releaseMove,
  testRunMove,
  timeLimitMove,
  waiverMove,
} from './release/change-log.js';
export {
  type ActiveRevision,
  type KnownStanding,
  liveReport,
  type ReleaseInputs,
  type ReleaseRevision,
} from './release/facts.js';
export {
  type GateChange,
  type HistoryPoint,
  type KnownReport,
  type ListedGateChange,
  namesOfGateChange,
  type TrendPoint,
} from './release/history.js';
export {
  isClosed,
  type Release,
  type ReleaseEdit,
  type ReleaseOrder,
  type ReleaseSort,
  type ReleaseState,
  type ReleaseWindow,
  USUAL_RELEASE_ORDER,
  windowOf,
} from './release/release.js';

// Records of a release

export {
  type AxisReport,
  type AxisReportReason,
  type AxisReportView,
  isLaterReport,
  type SentAxisReport,
} from './axis-report.js';
export {
  type ChecklistItem,
  type ChecklistState,
  type ChecklistTemplate,
  countedState,
  DEFAULT_TEMPLATE,
  type Evidence,
  type ItemOrigin,
  type NotApplicableMark,
  RESTORABLE_MS,
  type Removal,
  type RemovedItem,
  restorableUntil,
} from './checklist.js';
export {
  type CountDifference,
  countsAsReturn,
  type DailyCount,
  type Deployment,
  type DeploymentReport,
  type DeploymentStatus,
  type ExternalId,
  type FinalStatus,
  namesOfDeployment,
} from './deployment.js';
export {
  type ImportedIssue,
  type Issue,
  type IssueEvent,
  type IssueOrder,
  type IssueSort,
  type IssueState,
  type IssueType,
  issueEvents,
  type Severity,
  USUAL_ISSUE_ORDER,
} from './issue.js';
export {
  isLater,
  namesOfTestRun,
  type RunOrder,
  suiteOf,
  type TestRun,
  type TestRunReport,
  type TestRunTarget,
} from './test-run.js';

// What is found by its name

export {
  BETWEEN_WORDS,
  type FoundRecord,
  holdsWords,
  inAnyCase,
  MATCHES,
  matcherOf,
  restWithin,
  type SearchText,
  searchTextOf,
  spellingsOf,
} from './search.js';

// Whether a record counts, and how a pipeline's report ends

export {
  type Attribution,
  arrivedAfter,
  type ChecklistItemCountStatus,
  type CountStatus,
  checklistItemCountStatus,
  type DeploymentView,
  deploymentAttribution,
  deploymentView,
  issueCountStatus,
  missedShipping,
  notCountedReason,
  type ReleaseAttribution,
  receiptCountStatus,
  type TestRunView,
  testRunAttribution,
  testRunCountStatus,
  testRunView,
} from './attribution.js';
export {
  type CdEvent,
  isCdEventType,
  type SuiteCounts,
  type SuiteOutcome,
  scopeOfKind,
  type UsedKind,
  usedKind,
} from './cdevent.js';
export {
  heldReceipts,
  type ImportOutcome,
  type KeptSince,
  type Remembered,
  type RepeatableReport,
  type Reported,
  releasesDiffer,
} from './pipeline-report.js';

// Repository hosts

export type { HostConnection } from './repository/connection.js';
export {
  freshImport,
  type ImportState,
  keptRequests,
  LEAST_PAUSE,
  type LinkedRepository,
  type RepositoryOrigin,
} from './repository/import-state.js';
export type { IssueMapping, LinkSettings, RepositoryLink } from './repository/link.js';

// Events and webhooks

export { eventMessage, type ReleaseEvent } from './event.js';
export {
  type Attempt,
  type Backlog,
  type Delivery,
  type DisabledReason,
  disabledBy,
  type FormerSecret,
  newDelivery,
  type Webhook,
  type WebhookState,
} from './webhook.js';

// The bundle of stores that an embedder hands in or wraps; its parts are in `/ports`

export type { Stores, StoresWithFeed } from './ports.js';
export {
  absentGroups,
  type CoreStores,
  completeStores,
  type OfferedStores,
  STORE_GROUPS,
  type StoreGroup,
} from './ports.js';
