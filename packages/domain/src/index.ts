export * from './access/invitation.js';
export * from './access/person.js';
export type * from './access/ports.js';
export * from './access/principal.js';
export * from './analysis/index.js';
export * from './attribution.js';
export * from './badge.js';
export {
  type CdEvent,
  type EventSourceStore,
  isCdEventType,
  type ServiceEvent,
  type SuiteCounts,
  type SuiteOutcome,
  type SuiteRunEvent,
  scopeOfKind,
  type UsedKind,
  usedKind,
} from './cdevent.js';
export {
  type Artifact,
  LONGEST_EVENT_SOURCE,
  namesOf,
  readArtifact,
  serviceName,
  sourcesOf,
} from './cdevent-record.js';
export * from './checklist.js';
export * from './deployment.js';
export * from './errors.js';
export * from './event.js';
export * from './issue.js';
export * from './names.js';
export type * from './page.js';
export {
  externalIdConflict,
  type HeldReceipts,
  heldReceipts,
  type ImportOutcome,
  isLate,
  isMisread,
  type KeptRecordsStore,
  type KeptSince,
  logReceipt,
  type ReceiptLog,
  type RecordKind,
  type RememberAs,
  type Remembered,
  type RemovedPortion,
  type RemovedRecords,
  type Repeated,
  type ReportEntry,
  type Reported,
  type ReportOutcome,
  type ReportQueue,
  type ReportStore,
  remembered,
  settled,
} from './pipeline-report.js';
export type * from './ports.js';
export type * from './project.js';
export * from './readiness/index.js';
export type * from './readiness/policy.js';
export type * from './readiness/verdict-signer.js';
export type {
  covers,
  isInForce,
  REASON_CODES,
  ReasonCode,
  WAIVABLE_CODES,
  WaivableCode,
  Waiver,
  WaiverStore,
} from './readiness/waiver.js';
export * from './release/change-log.js';
export * from './release/facts.js';
export {
  type DirtyRelease,
  type HistoryPoint,
  type HistoryStore,
  type Knowledge,
  type KnownReport,
  type Moves,
  type NewestPoint,
  passedLimits,
  pointsSince,
  type RecordedPoint,
  readsTheSame,
  type Snapshot,
  scoresTheSame,
  type TrendPoint,
} from './release/history.js';
export {
  activate,
  cancel,
  edit,
  isClosed,
  park,
  RELEASE_STATES,
  type Release,
  type ReleaseEdit,
  type ReleaseState,
  type ReleaseStore,
  type ReleaseWindow,
  requireOpen,
  requireStarted,
  ship,
  windowOf,
} from './release/release.js';
export type * from './repository/connection.js';
export {
  type AdoptRequest,
  type Approval,
  type ApprovalRequest,
  type ConfiguredHost,
  type Grant,
  type HookDelivery,
  type HookNotice,
  type HostAccess,
  type HostAccount,
  type HostAuthorization,
  type HostBudget,
  type HostClosing,
  type HostDeployment,
  type HostDeploymentState,
  type HostHooks,
  type HostIssue,
  type HostIssueEvent,
  type HostMilestone,
  type HostReading,
  type HostReadRequest,
  type HostRepository,
  type HostTestRun,
  IMPORT_PARTS,
  type ImportPart,
  type RedeemRequest,
  type RepositoryHost,
  type RepositoryName,
  type RepositorySearch,
  TEST_RUN_SOURCES,
  type TestRunSource,
} from './repository/host.js';
export {
  ATTEMPTS_PER_PAGE,
  budgetPause,
  FOLLOW_DEPLOYMENTS_FOR,
  freshImport,
  type Hurry,
  IMPORT_STAGES,
  type ImportCheckpoint,
  type ImportCounts,
  type ImportFailure,
  type ImportStage,
  type ImportState,
  isGoneCheckDue,
  type LinkedRepository,
  LOOK_FOR_GONE_EVERY,
  type ReadMark,
  type RepositoryLinkStore,
  type RepositoryOrigin,
  RUN_EVERY,
  retryDue,
} from './repository/import-state.js';
export * from './repository/imported-issue.js';
export * from './repository/imported-records.js';
export * from './repository/link.js';
export * from './repository/milestone-release.js';
export * from './slices.js';
export * from './team.js';
export * from './test-run.js';
export * from './time.js';
export {
  authenticateKey,
  authenticateSession,
  type ChangePassword,
  changePassword,
  type KeyAuthentication,
  type OpenedSession,
  openSession,
  type SessionAuthentication,
  type SetUp,
  type SignIn,
  type SignOut,
  setUp,
  signIn,
  signOut,
} from './use-cases/account.js';
export * from './use-cases/analysis.js';
export * from './use-cases/api-key.js';
export * from './use-cases/badge.js';
export {
  type CdEventReceipt,
  type ReceiveCdEvent,
  receiveCdEvent,
  type SetEventSources,
  setEventSources,
} from './use-cases/cdevent.js';
export type { InTeam } from './use-cases/change.js';
export {
  type ChangePorts,
  findProject,
  findRelease,
  type InProject,
  type InRelease,
  type ProjectPath,
  type ReleasePath,
  requireVersion,
} from './use-cases/change.js';
export {
  type AddChecklistItem,
  type AddEvidence,
  addChecklistItem,
  addEvidence,
  type ChangeChecklistTemplate,
  type ConfirmChecklistItem,
  changeChecklistTemplate,
  confirmChecklistItem,
  type EditChecklistItem,
  type EvidenceAdded,
  editChecklistItem,
  type InItem,
  type RemoveChecklistItem,
  type RemoveEvidence,
  type RestoreChecklistItem,
  removeChecklistItem,
  removeEvidence,
  restoreChecklistItem,
} from './use-cases/checklist.js';
export {
  type FinishDeployment,
  finishDeployment,
  type ImportDeployments,
  importDeployments,
  type ReadDeployment,
  type RecordDeployment,
  readDeployment,
  recordDeployment,
  weighDeployment,
} from './use-cases/deployment.js';
export { type ReadDifference, type ReleaseDifference, readDifference } from './use-cases/difference.js';
export * from './use-cases/history.js';
export * from './use-cases/host-connection.js';
export {
  HOST_ANSWERS_WITHIN,
  type HostPorts,
  RENEW_WITHIN,
  REVOKE_AGAIN_AFTER,
  revokeDue,
  withAccess,
} from './use-cases/host-grant.js';
export type { ImportPorts } from './use-cases/import/page.js';
export { type ImportFromHost, importFromHost } from './use-cases/import/worker.js';
export * from './use-cases/invitation.js';
export { type AddIssue, addIssue, type EditIssue, editIssue } from './use-cases/issue.js';
export * from './use-cases/person.js';
export * from './use-cases/policy.js';
export * from './use-cases/project.js';
export {
  type GateReading,
  type Readiness,
  type ReadReadiness,
  type ReadReadinessAt,
  type ReadWhatIf,
  readGate,
  readReadiness,
  readReadinessAt,
  readWhatIf,
  type WhatIfReading,
} from './use-cases/readiness.js';
export {
  type ActivateRelease,
  activateRelease,
  type CreateRelease,
  cancelRelease,
  createRelease,
  type EditRelease,
  editRelease,
  parkRelease,
  parkWithin,
  type Shipped,
  type ShipRelease,
  shipRelease,
  shipWithin,
} from './use-cases/release.js';
export {
  type LinkRepository,
  type ListedRepositories,
  type ListRepositories,
  linkRepository,
  listRepositories,
  type MilestoneRow,
  type MilestoneRows,
  type ReadMilestones,
  type ReceivedHook,
  readLink,
  readMilestones,
  readWebhook,
  receiveHook,
  requestImport,
  unlinkRepository,
  type WebhookSetup,
} from './use-cases/repository-link.js';
export * from './use-cases/retention.js';
export * from './use-cases/team.js';
export {
  type ImportTestRuns,
  importTestRuns,
  type ReadTestRun,
  type RecordTestRun,
  readTestRun,
  recordTestRun,
  restoreTestRun,
  type SetTestRunAside,
  setTestRunAside,
  type TestRunPath,
  weighTestRun,
} from './use-cases/test-run.js';
export * from './use-cases/verdict.js';
export * from './use-cases/waiver.js';
export {
  type CreateWebhook,
  createWebhook,
  type EditWebhook,
  editWebhook,
  type InWebhook,
  removeWebhook,
  requireAddress,
  rotateWebhookSecret,
  type WebhookWithSecret,
} from './use-cases/webhook.js';
export {
  type DeliverEvents,
  deliverEvents,
  type ReplayDelivery,
  replayDelivery,
  testWebhook,
} from './use-cases/webhook-delivery.js';
export * from './webhook.js';
