// The use cases: each is a function of its ports and its command.

// Accounts and who calls

export {
  authenticateKey,
  authenticateSession,
  changePassword,
  type OpenedSession,
  openSession,
  setUp,
  signIn,
  signOut,
} from './account.js';
export { barApiKey, type CreatedApiKey, createApiKey, revokeApiKey } from './api-key.js';
export {
  acceptInvitation,
  type CreatedInvitation,
  invite,
  type ReadInvitation,
  readInvitation,
  revokeInvitation,
} from './invitation.js';
export {
  appointOwner,
  disablePerson,
  enablePerson,
  type OwnerlessTeam,
  ownerlessTeams,
  vouchForPerson,
} from './person.js';
export {
  acceptReceived,
  archiveTeam,
  changeRole,
  createTeam,
  declineReceived,
  type JoinedTeam,
  joinByLink,
  readTeams,
  receivedInvitations,
  removeDemo,
  removeMember,
  renameTeam,
  restoreTeam,
} from './team.js';

// Projects

export { changePolicy, type PolicyPreviewReading, readPolicyPreview } from './policy.js';
export {
  archiveProject,
  createProject,
  hideBadge,
  readBadge,
  renameProject,
  restoreProject,
  showBadge,
} from './project.js';

// Releases

export { readAnalysis } from './analysis.js';
export type { InRelease } from './change.js';
export {
  gateChangesInSight,
  type KnownTrend,
  listGateChanges,
  markGateChangesRead,
  movesBetween,
  type ReleaseDifference,
  readDifference,
  recordHistory,
} from './history.js';
export {
  type PortfolioFilter,
  type PortfolioOrder,
  type PortfolioReading,
  type PortfolioRow,
  readPortfolio,
} from './portfolio.js';
export {
  judgedBy,
  type Readiness,
  type ReadReadiness,
  readReadiness,
  readReadinessAt,
  readWhatIf,
  type WhatIfReading,
} from './readiness.js';
export { activateRelease, cancelRelease, createRelease, editRelease, parkRelease, shipRelease } from './release.js';
export { signVerdict, type Verdict } from './verdict.js';
export { waiveReason, withdrawWaiver } from './waiver.js';

// Records of a release

export {
  addAxisReportContribution,
  countedRecords,
  importAxisReports,
  listAxisReports,
  readAxisReport,
  recordAxisReport,
} from './axis-report.js';
export { type CdEventReceipt, receiveCdEvent, setEventSources } from './cdevent.js';
export {
  addChecklistItem,
  addEvidence,
  changeChecklistTemplate,
  confirmChecklistItem,
  editChecklistItem,
  removeChecklistItem,
  removeEvidence,
  restoreChecklistItem,
} from './checklist.js';
export {
  addDeploymentContribution,
  finishDeployment,
  importDeployments,
  readDeployment,
  recordDeployment,
} from './deployment.js';
export { type AddIssue, addIssue, type EditIssue, editIssue } from './issue.js';
export { namesOnce } from './project.js';
export { type RemovedCount, removeOldRecords } from './retention.js';
export {
  addTestRunContribution,
  importTestRuns,
  readTestRun,
  recordTestRun,
  restoreTestRun,
  setTestRunAside,
} from './test-run.js';

// Search

export { type SearchResult, search } from './search.js';

// Repository hosts

export {
  beginApproval,
  checkHostConnection,
  connectByToken,
  disconnectHost,
  finishApproval,
  readHostConnection,
} from './host-connection.js';
export { type ImportFromHost, importFromHost } from './import/worker.js';
export {
  linkRepository,
  listRepositories,
  readIncomingHookSetup,
  readLink,
  readMilestones,
  receiveHook,
  requestImport,
  unlinkRepository,
} from './repository-link.js';

// Webhooks

export {
  createDeliveryLanes,
  createWebhook,
  type DeliverEvents,
  deliverEvents,
  editWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  type WebhookWithSecret,
} from './webhook.js';
