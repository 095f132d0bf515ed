// The interface as a whole: its table, its schemas, its document.

export { FORMATS, MAX_INTEGER } from './field.js';
export { openApiDocument } from './open-api.js';
export {
  type BodyOf,
  OPERATION_GROUPS,
  type Operation,
  type OperationGroup,
  type PathOf,
  problemsOf,
  type QueryOf,
  type ResponseOf,
  type Role,
  type Scope,
  statusOf,
  TAGS,
  type Tag,
} from './operation.js';
export { DEFAULT_HOST, type OperationId, type Operations, operations, operationsOf } from './operations.js';
export { parsedUrl } from './path.js';
export { PROBLEMS, Problem, type ProblemType } from './problem.js';
export type { FromSchema, Schema, SchemaType } from './schema.js';

// People, and what they may see and do.

export {
  acceptInvitation,
  acceptReceivedInvitation,
  addMember,
  Caller,
  changePassword,
  createInvitation,
  declineReceivedInvitation,
  Invitation,
  InvitationPurpose,
  JoinedTeam,
  joinTeam,
  listInvitations,
  listReceivedInvitations,
  PendingInvitation,
  ReceivedInvitation,
  readInvitation,
  readSession,
  revokeInvitation,
  setUp,
  signIn,
  signOut,
  User,
  whoAmI,
} from './account.js';
export {
  ApiKey,
  barApiKey,
  createApiKey,
  listApiKeys,
  listTeamApiKeys,
  NewApiKey,
  revokeApiKey,
  TeamApiKey,
} from './api-key.js';
export {
  disablePerson,
  enablePerson,
  listOwnerlessTeams,
  listPeople,
  listServiceInvitations,
  nameOwner,
  OwnerlessTeam,
  Person,
  revokeServiceInvitation,
  ServiceInvitation,
  vouchForPerson,
} from './people.js';
export {
  ActiveRelease,
  AuditEntry,
  archiveTeam,
  changeMemberRole,
  createTeam,
  exportAuditEntries,
  listAuditEntries,
  listMembers,
  listTeams,
  Member,
  removeDemo,
  removeMember,
  renameTeam,
  restoreTeam,
  Team,
} from './team.js';

// What is released.

export {
  Badge,
  BadgeState,
  hideBadge,
  readBadge,
  readBadgeImage,
  readBadgeState,
  ShownBadge,
  showBadge,
} from './badge.js';
export {
  addChecklistItem,
  addEvidence,
  ChecklistItem,
  ChecklistTemplate,
  changeChecklistItem,
  confirmChecklistItem,
  Evidence,
  listChecklist,
  RemovedItem,
  readChecklistTemplate,
  removeChecklistItem,
  removeEvidence,
  replaceChecklistTemplate,
  restoreChecklistItem,
} from './checklist.js';
export { changeIssue, createIssue, exportIssues, Issue, listIssues, readIssue } from './issue.js';
export {
  archiveProject,
  createProject,
  exportPortfolio,
  listProjects,
  PortfolioEntry,
  PortfolioPage,
  Project,
  readPortfolio,
  readProject,
  renameProject,
  restoreProject,
  SearchResult,
  search,
} from './project.js';
export { Activation, Nothing, Release, ReleaseState } from './release.js';

// What pipelines report, and what it counts for.

export { AxisReport, AxisReportRequest, CountedFrom } from './axis-report.js';
export {
  CDEVENTS_AT_MOST,
  CdEvent,
  CdEventReceipt,
  CdEventResult,
  CdOtherEvent,
  CdServiceEvent,
  CdSuiteRunEvent,
  CloudEvent,
  OtherCloudEvent,
  readEventSources,
  receiveCdEvent,
  replaceEventSources,
} from './cdevent.js';
export { Deployment, DeploymentFinish, DeploymentRequest, DeploymentStatus } from './deployment.js';
export { type DeploymentNotCounted, listNotCounted, NotCounted, type TestRunNotCounted } from './not-counted.js';
export {
  BATCH_BYTES,
  BATCH_RECORDS,
  BatchResult,
  DeploymentAttribution,
  TestRunAttribution,
} from './pipeline-report.js';
export { TestRun, TestRunRequest } from './test-run.js';

// The judgement of a release.

export { exportAnalysis, ReleaseAnalysis, ReleaseSummary, readAnalysis } from './analysis.js';
export {
  AxisName,
  AxisReading,
  type AxisReportRow,
  AxisRow,
  type ChecklistRow,
  type DeploymentRow,
  type IssueRow,
  OpsFacts,
  OwnAxisReading,
  QualityFacts,
  ScopeFacts,
  type TestRunRow,
  VerificationFacts,
} from './axis.js';
export {
  Decision,
  Gate,
  GateChange,
  listGateChanges,
  listWaivers,
  NextStep,
  Reason,
  readGateChanges,
  Waiver,
  waiveReason,
  withdrawWaiver,
} from './gate.js';
export { Cause, Difference, DifferenceQuery, HistoryPoint, MovingRecord } from './history.js';
export {
  listPolicyVersions,
  OwnAxis,
  OwnAxisRequest,
  Policy,
  PolicyPreview,
  PolicyRequest,
  PolicyVersion,
  previewPolicy,
  readPolicy,
  replacePolicy,
} from './policy.js';
export {
  AsOf,
  askWhatIf,
  Coverage,
  GateReport,
  ReadinessReport,
  SilentSource,
  View,
  WhatIf,
  WhatIfRequest,
} from './readiness.js';
export {
  readVerdictKeys,
  VerdictEnvelope,
  VerdictFacts,
  VerdictKeys,
  VerdictPredicate,
  VerdictStatement,
} from './verdict.js';
export { STATEMENT_TYPE, VERDICT_TYPE } from './verdict-names.js';

// Other services.

export {
  checkHostConnection,
  connectHost,
  connectHostByToken,
  disconnectHost,
  finishHostConnection,
  HostConnection,
  HostRepository,
  listRepositories,
  readHostConnection,
  receiveHook,
} from './repository-host.js';
export {
  importIssues,
  linkRepository,
  listMilestones,
  Milestone,
  RepositoryLink,
  RepositoryRequest,
  readRepositoryLink,
  readRepositoryWebhook,
  unlinkRepository,
} from './repository-link.js';
export {
  Delivery,
  listDeliveries,
  replayDelivery,
  testWebhook,
  Webhook,
  WebhookWithSecret,
} from './webhook.js';

// The types of large schemas, so that declarations of other packages can name them.

export type {
  AxisReadingSchema,
  AxisReportRowSchema,
  AxisRowSchema,
  ChecklistRowSchema,
  DeploymentRowSchema,
  IssueRowSchema,
  OwnAxisReadingSchema,
  TestRunRowSchema,
} from './axis.js';
export type { AxisReportSchema } from './axis-report.js';
export type {
  CdEventReceiptSchema,
  CdEventResultSchema,
  CdOtherEventSchema,
  CdServiceEventSchema,
  CdSuiteRunEventSchema,
  CloudEventSchema,
  OtherCloudEventSchema,
} from './cdevent.js';
export type { DeploymentSchema } from './deployment.js';
export type { PolicySchema, PolicyVersionSchema } from './policy.js';
export type { ReadinessReportSchema, WhatIfRequestSchema, WhatIfSchema } from './readiness.js';
export type { RecordSchema } from './schema.js';
export type { TestRunSchema } from './test-run.js';
export type { VerdictFactsSchema, VerdictPredicateSchema } from './verdict.js';
