import * as account from './account.js';
import * as analysis from './analysis.js';
import * as apiKey from './api-key.js';
import * as axis from './axis.js';
import * as axisReport from './axis-report.js';
import * as badge from './badge.js';
import * as cdEvent from './cdevent.js';
import * as checklist from './checklist.js';
import * as deployment from './deployment.js';
import * as gate from './gate.js';
import * as history from './history.js';
import * as issue from './issue.js';
import * as notCounted from './not-counted.js';
import type { Operation } from './operation.js';
import { pathAt } from './path.js';
import * as people from './people.js';
import * as policy from './policy.js';
import * as project from './project.js';
import * as readiness from './readiness.js';
import * as release from './release.js';
import * as host from './repository-host.js';
import * as repository from './repository-link.js';
import * as service from './service.js';
import * as team from './team.js';
import * as testRun from './test-run.js';
import * as verdict from './verdict.js';
import * as webhook from './webhook.js';

/** The operations among the exports of a file of the contract. */
type OperationsIn<File> = { readonly [Name in keyof File as File[Name] extends Operation ? Name : never]: File[Name] };

/**
 * The type of all operations by name. Made of the types of the files, so that declarations name those instead of
 * repeating every schema.
 */
export type Operations = OperationsIn<typeof account> &
  OperationsIn<typeof analysis> &
  OperationsIn<typeof apiKey> &
  OperationsIn<typeof axis> &
  OperationsIn<typeof axisReport> &
  OperationsIn<typeof badge> &
  OperationsIn<typeof cdEvent> &
  OperationsIn<typeof checklist> &
  OperationsIn<typeof deployment> &
  OperationsIn<typeof gate> &
  OperationsIn<typeof history> &
  OperationsIn<typeof issue> &
  OperationsIn<typeof notCounted> &
  OperationsIn<typeof people> &
  OperationsIn<typeof policy> &
  OperationsIn<typeof project> &
  OperationsIn<typeof readiness> &
  OperationsIn<typeof release> &
  OperationsIn<typeof host> &
  OperationsIn<typeof repository> &
  OperationsIn<typeof service> &
  OperationsIn<typeof team> &
  OperationsIn<typeof testRun> &
  OperationsIn<typeof verdict> &
  OperationsIn<typeof webhook>;

/** The whole interface, one line per operation. */
export const operations: Operations = {
  setUp: account.setUp,
  signIn: account.signIn,
  readSession: account.readSession,
  signOut: account.signOut,
  changePassword: account.changePassword,
  whoAmI: account.whoAmI,
  createInvitation: account.createInvitation,
  readInvitation: account.readInvitation,
  acceptInvitation: account.acceptInvitation,
  joinTeam: account.joinTeam,
  listReceivedInvitations: account.listReceivedInvitations,
  acceptReceivedInvitation: account.acceptReceivedInvitation,
  declineReceivedInvitation: account.declineReceivedInvitation,
  listInvitations: account.listInvitations,
  exportInvitations: account.exportInvitations,
  revokeInvitation: account.revokeInvitation,
  listPeople: people.listPeople,
  exportPeople: people.exportPeople,
  disablePerson: people.disablePerson,
  enablePerson: people.enablePerson,
  vouchForPerson: people.vouchForPerson,
  listServiceInvitations: people.listServiceInvitations,
  exportServiceInvitations: people.exportServiceInvitations,
  revokeServiceInvitation: people.revokeServiceInvitation,
  listOwnerlessTeams: people.listOwnerlessTeams,
  nameOwner: people.nameOwner,
  listTeams: team.listTeams,
  createTeam: team.createTeam,
  renameTeam: team.renameTeam,
  archiveTeam: team.archiveTeam,
  restoreTeam: team.restoreTeam,
  removeDemo: team.removeDemo,
  listMembers: team.listMembers,
  exportMembers: team.exportMembers,
  addMember: account.addMember,
  changeMemberRole: team.changeMemberRole,
  removeMember: team.removeMember,
  listAuditEntries: team.listAuditEntries,
  exportAuditEntries: team.exportAuditEntries,
  search: project.search,
  readPortfolio: project.readPortfolio,
  exportPortfolio: project.exportPortfolio,
  listProjects: project.listProjects,
  exportProjects: project.exportProjects,
  createProject: project.createProject,
  readProject: project.readProject,
  renameProject: project.renameProject,
  archiveProject: project.archiveProject,
  restoreProject: project.restoreProject,
  readPolicy: policy.readPolicy,
  replacePolicy: policy.replacePolicy,
  listPolicyVersions: policy.listPolicyVersions,
  exportPolicyVersions: policy.exportPolicyVersions,
  previewPolicy: policy.previewPolicy,
  readEventSources: cdEvent.readEventSources,
  replaceEventSources: cdEvent.replaceEventSources,
  readBadgeState: badge.readBadgeState,
  showBadge: badge.showBadge,
  hideBadge: badge.hideBadge,
  readBadge: badge.readBadge,
  readBadgeImage: badge.readBadgeImage,
  listReleases: release.listReleases,
  exportReleases: release.exportReleases,
  createRelease: release.createRelease,
  readRelease: release.readRelease,
  changeRelease: release.changeRelease,
  activateRelease: release.activateRelease,
  parkRelease: release.parkRelease,
  shipRelease: release.shipRelease,
  cancelRelease: release.cancelRelease,
  readActiveReadiness: readiness.readActiveReadiness,
  readReadiness: readiness.readReadiness,
  listHistory: history.listHistory,
  readDifference: history.readDifference,
  exportDifference: history.exportDifference,
  listAxisRows: axis.listAxisRows,
  exportAxisRows: axis.exportAxisRows,
  readGate: readiness.readGate,
  askWhatIf: readiness.askWhatIf,
  readAnalysis: analysis.readAnalysis,
  exportAnalysis: analysis.exportAnalysis,
  listGateChanges: gate.listGateChanges,
  exportGateChanges: gate.exportGateChanges,
  readGateChanges: gate.readGateChanges,
  listWaivers: gate.listWaivers,
  exportWaivers: gate.exportWaivers,
  waiveReason: gate.waiveReason,
  withdrawWaiver: gate.withdrawWaiver,
  listChecklist: checklist.listChecklist,
  exportChecklist: checklist.exportChecklist,
  addChecklistItem: checklist.addChecklistItem,
  changeChecklistItem: checklist.changeChecklistItem,
  removeChecklistItem: checklist.removeChecklistItem,
  restoreChecklistItem: checklist.restoreChecklistItem,
  confirmChecklistItem: checklist.confirmChecklistItem,
  readChecklistTemplate: checklist.readChecklistTemplate,
  replaceChecklistTemplate: checklist.replaceChecklistTemplate,
  addEvidence: checklist.addEvidence,
  removeEvidence: checklist.removeEvidence,
  listIssues: issue.listIssues,
  exportIssues: issue.exportIssues,
  createIssue: issue.createIssue,
  readIssue: issue.readIssue,
  changeIssue: issue.changeIssue,
  recordDeployment: deployment.recordDeployment,
  importDeployments: deployment.importDeployments,
  finishDeployment: deployment.finishDeployment,
  readDeployment: deployment.readDeployment,
  listDeployments: deployment.listDeployments,
  exportDeployments: deployment.exportDeployments,
  recordTestRun: testRun.recordTestRun,
  importTestRuns: testRun.importTestRuns,
  listTestRuns: testRun.listTestRuns,
  exportTestRuns: testRun.exportTestRuns,
  readTestRun: testRun.readTestRun,
  setTestRunAside: testRun.setTestRunAside,
  restoreTestRun: testRun.restoreTestRun,
  recordAxisReport: axisReport.recordAxisReport,
  recordReleaseAxisReport: axisReport.recordReleaseAxisReport,
  importAxisReports: axisReport.importAxisReports,
  listAxisReports: axisReport.listAxisReports,
  exportAxisReports: axisReport.exportAxisReports,
  readAxisReport: axisReport.readAxisReport,
  listNotCounted: notCounted.listNotCounted,
  exportNotCounted: notCounted.exportNotCounted,
  followEvents: webhook.followEvents,
  receiveCdEvent: cdEvent.receiveCdEvent,
  readHostConnection: host.readHostConnection,
  checkHostConnection: host.checkHostConnection,
  connectHost: host.connectHost,
  connectHostByToken: host.connectHostByToken,
  finishHostConnection: host.finishHostConnection,
  disconnectHost: host.disconnectHost,
  listRepositories: host.listRepositories,
  readRepositoryLink: repository.readRepositoryLink,
  linkRepository: repository.linkRepository,
  unlinkRepository: repository.unlinkRepository,
  listMilestones: repository.listMilestones,
  readRepositoryWebhook: repository.readRepositoryWebhook,
  importIssues: repository.importIssues,
  receiveHook: host.receiveHook,
  listWebhooks: webhook.listWebhooks,
  createWebhook: webhook.createWebhook,
  readWebhook: webhook.readWebhook,
  changeWebhook: webhook.changeWebhook,
  removeWebhook: webhook.removeWebhook,
  rotateWebhookSecret: webhook.rotateWebhookSecret,
  testWebhook: webhook.testWebhook,
  listDeliveries: webhook.listDeliveries,
  exportDeliveries: webhook.exportDeliveries,
  replayDelivery: webhook.replayDelivery,
  listApiKeys: apiKey.listApiKeys,
  exportApiKeys: apiKey.exportApiKeys,
  createApiKey: apiKey.createApiKey,
  revokeApiKey: apiKey.revokeApiKey,
  listTeamApiKeys: apiKey.listTeamApiKeys,
  exportTeamApiKeys: apiKey.exportTeamApiKeys,
  barApiKey: apiKey.barApiKey,
  readOpenApi: service.readOpenApi,
  readDocs: service.readDocs,
  readAbout: service.readAbout,
  checkAlive: service.checkAlive,
  checkReady: service.checkReady,
  readVerdictKeys: verdict.readVerdictKeys,
  readMetrics: service.readMetrics,
};

export type OperationId = keyof Operations;

/** The name of the repository host in the table's own paths. */
export const DEFAULT_HOST = 'github';

/**
 * Returns the table of operations with the paths of a server whose repository host has that name.
 * @throws TypeError for a name that is not 1-30 lower case letters
 */
export const operationsOf = (hostName: string): Operations =>
  // Only the text of the paths differs; their types stay those of the default name.
  Object.fromEntries(
    Object.entries<Operation>(operations).map(([id, operation]) => [
      id,
      { ...operation, path: pathAt(operation.path, hostName) },
    ]),
  ) as unknown as Operations;
