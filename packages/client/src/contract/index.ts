export { exportAnalysis, ReleaseAnalysis, ReleaseSummary, readAnalysis } from './analysis.js';
export {
  ApiKey,
  barApiKey,
  createApiKey,
  listApiKeys,
  listTeamApiKeys,
  NewApiKey,
  revokeApiKey,
  ScopeName,
  TeamApiKey,
} from './api-key.js';
export { ContributionQuery, DeploymentAttribution, NotCountedReason, TestRunAttribution } from './attribution.js';
export { AuditEntry, listAuditEntries } from './audit.js';
export {
  AXIS_NAMES,
  AxisName,
  AxisReading,
  OpsFacts,
  QualityFacts,
  ScopeFacts,
  VerificationFacts,
} from './axis-reading.js';
export { AxisRow, type ChecklistRow, type DeploymentRow, type IssueRow, type TestRunRow } from './axis-row.js';
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
export { BATCH_BYTES, BATCH_RECORDS, BatchResult, BatchResults } from './batch.js';
export {
  CdEvent,
  CdOtherEvent,
  CdServiceEvent,
  CdSuiteRunEvent,
  ForeignName,
  matching,
  openRecord,
} from './cdevent.js';
export {
  CDEVENTS_AT_MOST,
  CDEVENTS_BYTES,
  CdEventDelivery,
  CloudEvent,
  OtherCloudEvent,
  receiveCdEvent,
} from './cdevent-operations.js';
export { CdEventReceipt, CdEventResult } from './cdevent-receipt.js';
export {
  addChecklistItem,
  addEvidence,
  ChecklistItem,
  changeChecklistItem,
  confirmChecklistItem,
  Evidence,
  listChecklist,
  RemovedItem,
  removeChecklistItem,
  removeEvidence,
  restoreChecklistItem,
} from './checklist.js';
export { ChecklistTemplate, readChecklistTemplate, replaceChecklistTemplate } from './checklist-template.js';
export { Deployment, DeploymentFinish, DeploymentRequest, DeploymentStatus } from './deployment.js';
export { Cause, Difference, DifferenceQuery, HistoryPoint, MovingRecord } from './difference.js';
export { EVENT_SOURCES_BYTES, EventSources, readEventSources, replaceEventSources } from './event-source.js';
export { EmailVerified, MixedScripts } from './field.js';
export { FORMATS } from './format.js';
export { Decision, Gate, gateMembers, NextStep, Reason } from './gate.js';
export { HookReceipt, receiveHook } from './hook.js';
export {
  acceptInvitation,
  acceptReceivedInvitation,
  addMember,
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
  revokeInvitation,
} from './invitation.js';
export { changeIssue, createIssue, Issue, listIssues, readIssue } from './issue.js';
export { changeMemberRole, listMembers, Member, RoleName, removeMember } from './member.js';
export { type DeploymentNotCounted, listNotCounted, NotCounted, type TestRunNotCounted } from './not-counted.js';
export { openApiDocument } from './open-api/document.js';
export type { Auth, BodyOf, Method, Operation, PathOf, QueryOf, ResponseOf, Role, Scope } from './operation.js';
export { DEFAULT_HOST, type OperationId, type Operations, operations, operationsOf } from './operations.js';
export { parsedUrl } from './parsed-url.js';
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
export { Policy, PolicyRequest, policyMembers, readPolicy, replacePolicy } from './policy.js';
export { listPolicyVersions, PolicyPreview, PolicyVersion, previewPolicy } from './policy-change.js';
export { PortfolioEntry, readPortfolio } from './portfolio.js';
export { PROBLEMS, type ProblemType } from './problem.js';
export { Problem } from './problem-body.js';
export { problemsOf, statusOf } from './problems-of.js';
export { createProject, listProjects, Project, readProject, renameProject } from './project.js';
export { AsOf, Coverage, GateReport, ReadinessReport, ReportAsOf, View } from './readiness.js';
export { Activation, Nothing, Release, ReleaseChange, ReleaseRequest, ReleaseState, Shipment } from './release.js';
export {
  checkHostConnection,
  connectHost,
  connectHostByToken,
  disconnectHost,
  finishHostConnection,
  HostCheck,
  HostConnection,
  HostRepository,
  HostToken,
  listRepositories,
  readHostConnection,
} from './repository-host.js';
export {
  importIssues,
  linkRepository,
  listMilestones,
  Milestone,
  RepositoryImport,
  RepositoryLink,
  readRepositoryLink,
  readRepositoryWebhook,
  unlinkRepository,
} from './repository-link.js';
export { linkSettings, RepositoryRequest } from './repository-settings.js';
export type { FromSchema, Schema, SchemaType } from './schema.js';
export { changePassword, readSession, setUp, signIn, signOut, User } from './session.js';
export { SilentSource } from './silent-source.js';
export { TAGS, type Tag } from './tag.js';
export {
  ActiveRelease,
  createTeam,
  IsDemo,
  listTeams,
  ReleaseName,
  removeDemo,
  renameTeam,
  Slug,
  Team,
} from './team.js';
export { SetAsideRequest, TestRun, TestRunRequest } from './test-run.js';
export { VerdictEnvelope, VerdictFacts, VerdictPredicate, VerdictStatement } from './verdict.js';
export { readVerdictKeys, VerdictKeys } from './verdict-keys.js';
export { STATEMENT_MEDIA_TYPE, STATEMENT_TYPE, VERDICT_TYPE } from './verdict-names.js';
export { listWaivers, ReasonCode, Waiver, waiveReason, withdrawWaiver } from './waiver.js';
export { EventType, EventTypes, Webhook, WebhookWithSecret } from './webhook.js';
export { Delivery, DeliveryAttempt, listDeliveries, replayDelivery, testWebhook } from './webhook-delivery.js';
export { askWhatIf, WhatIf, WhatIfRequest } from './what-if.js';
export { Caller, whoAmI } from './whoami.js';
