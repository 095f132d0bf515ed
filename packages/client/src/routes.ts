import type { Method, Operation } from './contract/operation.js';
import type { OperationId, Operations } from './contract/operations.js';
import { HOST_HOOKS, HOST_SETTINGS, PROJECT, RELEASE, REPOSITORY, TEAM, WEBHOOK } from './contract/path.js';

/**
 * What sets an operation apart when it is called: `keyed` takes an idempotency key, `repeatable` may be sent again without one,
 * `paged` answers pages, `pageable` does so only where `limit` is sent, `text` answers no JSON.
 */
export type Trait = 'keyed' | 'repeatable' | 'paged' | 'pageable' | 'text';

type TraitOf<O extends Operation> = O extends { idempotent: true }
  ? ['keyed']
  : O extends { repeatable: true }
    ? ['repeatable']
    : O extends { query: { properties: { cursor: unknown } } }
      ? O extends { pagedByLimit: true }
        ? ['pageable']
        : ['paged']
      : O extends { success: { contentType: string } }
        ? ['text']
        : [];

/** The operations that are called and answer. Streams are followed by what reads server-sent events, such as `EventSource`. */
export type CalledId = {
  [Id in OperationId]: Operations[Id] extends { stream: true } ? never : Id;
}[OperationId];

/** An operation as the client needs it at run time: method, path and what sets it apart. */
export type Route = readonly [method: Method, path: string, trait?: Trait];

type RouteOf<O extends Operation> = readonly [O['method'], O['path'], ...TraitOf<O>];

/**
 * The table of operations without its schemas, which would make up most of a bundle.
 * The type refuses a line that is missing, surplus or differs from its operation.
 */
export const ROUTES = {
  setUp: ['POST', '/api/setup'],
  signIn: ['POST', '/api/session'],
  readSession: ['GET', '/api/session'],
  signOut: ['DELETE', '/api/session'],
  changePassword: ['PUT', '/api/session/password'],
  whoAmI: ['GET', '/api/whoami'],
  createInvitation: ['POST', '/api/invitations'],
  readInvitation: ['POST', '/api/invitations/read', 'repeatable'],
  acceptInvitation: ['POST', '/api/invitations/accept'],
  joinTeam: ['POST', '/api/invitations/join'],
  listReceivedInvitations: ['GET', '/api/invitations'],
  acceptReceivedInvitation: ['POST', '/api/invitations/{invitation_id}/accept'],
  declineReceivedInvitation: ['POST', '/api/invitations/{invitation_id}/decline'],
  listInvitations: ['GET', `${TEAM}/invitations`],
  revokeInvitation: ['DELETE', `${TEAM}/invitations/{invitation_id}`],
  listPeople: ['GET', '/api/people', 'paged'],
  disablePerson: ['POST', '/api/people/{user_id}/disable', 'repeatable'],
  enablePerson: ['POST', '/api/people/{user_id}/enable', 'repeatable'],
  vouchForPerson: ['POST', '/api/people/{user_id}/vouch', 'repeatable'],
  listServiceInvitations: ['GET', '/api/service-invitations'],
  revokeServiceInvitation: ['DELETE', '/api/service-invitations/{invitation_id}'],
  listOwnerlessTeams: ['GET', '/api/people/ownerless-teams'],
  nameOwner: ['POST', '/api/people/{user_id}/ownership'],
  listTeams: ['GET', '/api/teams'],
  createTeam: ['POST', '/api/teams', 'keyed'],
  renameTeam: ['PATCH', TEAM],
  archiveTeam: ['POST', `${TEAM}/archive`, 'repeatable'],
  restoreTeam: ['POST', `${TEAM}/restore`, 'repeatable'],
  removeDemo: ['DELETE', '/api/demo'],
  listMembers: ['GET', `${TEAM}/members`],
  addMember: ['POST', `${TEAM}/members`],
  changeMemberRole: ['PATCH', `${TEAM}/members/{user_id}`],
  removeMember: ['DELETE', `${TEAM}/members/{user_id}`],
  listAuditEntries: ['GET', `${TEAM}/audit`, 'paged'],
  exportAuditEntries: ['GET', `${TEAM}/audit.csv`, 'text'],
  search: ['GET', '/api/search'],
  readPortfolio: ['GET', '/api/portfolio', 'pageable'],
  exportPortfolio: ['GET', '/api/portfolio.csv', 'text'],
  listProjects: ['GET', `${TEAM}/projects`],
  createProject: ['POST', `${TEAM}/projects`, 'keyed'],
  readProject: ['GET', PROJECT],
  renameProject: ['PATCH', PROJECT],
  archiveProject: ['POST', `${PROJECT}/archive`, 'repeatable'],
  restoreProject: ['POST', `${PROJECT}/restore`, 'repeatable'],
  readPolicy: ['GET', `${PROJECT}/policy`],
  replacePolicy: ['PUT', `${PROJECT}/policy`],
  listPolicyVersions: ['GET', `${PROJECT}/policy/versions`, 'paged'],
  previewPolicy: ['POST', `${PROJECT}/policy/preview`, 'repeatable'],
  readEventSources: ['GET', `${PROJECT}/event-sources`],
  replaceEventSources: ['PUT', `${PROJECT}/event-sources`, 'repeatable'],
  readBadgeState: ['GET', `${PROJECT}/badge`],
  showBadge: ['PUT', `${PROJECT}/badge`],
  hideBadge: ['DELETE', `${PROJECT}/badge`],
  readBadge: ['GET', `${PROJECT}/badge.json`],
  readBadgeImage: ['GET', `${PROJECT}/badge.svg`, 'text'],
  listReleases: ['GET', `${PROJECT}/releases`, 'paged'],
  exportReleases: ['GET', `${PROJECT}/releases.csv`, 'text'],
  createRelease: ['POST', `${PROJECT}/releases`, 'keyed'],
  readRelease: ['GET', RELEASE],
  changeRelease: ['PATCH', RELEASE],
  activateRelease: ['POST', `${RELEASE}/activate`],
  parkRelease: ['POST', `${RELEASE}/park`],
  shipRelease: ['POST', `${RELEASE}/ship`],
  cancelRelease: ['POST', `${RELEASE}/cancel`],
  readActiveReadiness: ['GET', `${PROJECT}/readiness`],
  readReadiness: ['GET', `${RELEASE}/readiness`],
  listHistory: ['GET', `${RELEASE}/readiness/history`, 'paged'],
  readDifference: ['GET', `${RELEASE}/readiness/difference`, 'paged'],
  listAxisRows: ['GET', `${RELEASE}/readiness/{axis}`, 'paged'],
  readGate: ['GET', `${RELEASE}/gate`],
  askWhatIf: ['POST', `${RELEASE}/readiness/what-if`, 'repeatable'],
  readAnalysis: ['GET', `${RELEASE}/analysis`],
  exportAnalysis: ['GET', `${RELEASE}/analysis.csv`, 'text'],
  listGateChanges: ['GET', '/api/gate-changes', 'paged'],
  readGateChanges: ['PUT', '/api/gate-changes/read-up-to', 'repeatable'],
  listWaivers: ['GET', `${RELEASE}/waivers`],
  waiveReason: ['POST', `${RELEASE}/waivers`, 'keyed'],
  withdrawWaiver: ['DELETE', `${RELEASE}/waivers/{waiver_id}`],
  listChecklist: ['GET', `${RELEASE}/checklist`],
  addChecklistItem: ['POST', `${RELEASE}/checklist`, 'keyed'],
  changeChecklistItem: ['PATCH', `${RELEASE}/checklist/{item_id}`],
  removeChecklistItem: ['DELETE', `${RELEASE}/checklist/{item_id}`],
  restoreChecklistItem: ['POST', `${RELEASE}/checklist/{item_id}/restore`],
  confirmChecklistItem: ['POST', `${RELEASE}/checklist/{item_id}/confirm`],
  readChecklistTemplate: ['GET', `${PROJECT}/checklist-template`],
  replaceChecklistTemplate: ['PUT', `${PROJECT}/checklist-template`],
  addEvidence: ['POST', `${RELEASE}/checklist/{item_id}/evidence`, 'keyed'],
  removeEvidence: ['DELETE', `${RELEASE}/checklist/{item_id}/evidence/{evidence_id}`],
  listIssues: ['GET', `${PROJECT}/issues`, 'paged'],
  exportIssues: ['GET', `${PROJECT}/issues.csv`, 'text'],
  createIssue: ['POST', `${PROJECT}/issues`, 'keyed'],
  readIssue: ['GET', `${PROJECT}/issues/{issue_id}`],
  changeIssue: ['PATCH', `${PROJECT}/issues/{issue_id}`],
  recordDeployment: ['POST', '/api/deployments', 'keyed'],
  importDeployments: ['POST', '/api/deployments/batch', 'keyed'],
  finishDeployment: ['PUT', '/api/deployments/{deployment_id}', 'repeatable'],
  readDeployment: ['GET', '/api/deployments/{deployment_id}'],
  listDeployments: ['GET', `${PROJECT}/deployments`, 'paged'],
  exportDeployments: ['GET', `${PROJECT}/deployments.csv`, 'text'],
  recordTestRun: ['POST', `${PROJECT}/test-runs`, 'keyed'],
  importTestRuns: ['POST', `${PROJECT}/test-runs/batch`, 'keyed'],
  listTestRuns: ['GET', `${PROJECT}/test-runs`, 'paged'],
  exportTestRuns: ['GET', `${PROJECT}/test-runs.csv`, 'text'],
  readTestRun: ['GET', `${PROJECT}/test-runs/{test_run_id}`],
  setTestRunAside: ['POST', `${PROJECT}/test-runs/{test_run_id}/set-aside`],
  restoreTestRun: ['POST', `${PROJECT}/test-runs/{test_run_id}/restore`],
  recordAxisReport: ['POST', `${PROJECT}/axes/{axis}/reports`, 'keyed'],
  recordReleaseAxisReport: ['POST', `${RELEASE}/axes/{axis}/reports`, 'keyed'],
  importAxisReports: ['POST', `${PROJECT}/axes/{axis}/reports/batch`, 'keyed'],
  listAxisReports: ['GET', `${PROJECT}/axes/{axis}/reports`, 'paged'],
  readAxisReport: ['GET', `${PROJECT}/axes/{axis}/reports/{report_id}`],
  listNotCounted: ['GET', `${PROJECT}/not-counted`, 'paged'],
  receiveCdEvent: ['POST', '/api/events', 'repeatable'],
  readHostConnection: ['GET', HOST_SETTINGS],
  checkHostConnection: ['GET', `${HOST_SETTINGS}/check`],
  connectHost: ['POST', `${HOST_SETTINGS}/connect`],
  connectHostByToken: ['POST', `${HOST_SETTINGS}/token`],
  finishHostConnection: ['GET', `${HOST_SETTINGS}/callback`, 'text'],
  disconnectHost: ['DELETE', HOST_SETTINGS],
  listRepositories: ['GET', `${HOST_SETTINGS}/repositories`, 'paged'],
  readRepositoryLink: ['GET', REPOSITORY],
  linkRepository: ['PUT', REPOSITORY, 'repeatable'],
  unlinkRepository: ['DELETE', REPOSITORY],
  listMilestones: ['GET', `${REPOSITORY}/milestones`, 'paged'],
  readRepositoryWebhook: ['GET', `${REPOSITORY}/webhook`],
  importIssues: ['POST', `${PROJECT}/issues/import`],
  receiveHook: ['POST', HOST_HOOKS],
  listWebhooks: ['GET', `${PROJECT}/webhooks`],
  createWebhook: ['POST', `${PROJECT}/webhooks`],
  readWebhook: ['GET', WEBHOOK],
  changeWebhook: ['PATCH', WEBHOOK],
  removeWebhook: ['DELETE', WEBHOOK],
  rotateWebhookSecret: ['POST', `${WEBHOOK}/rotate-secret`],
  testWebhook: ['POST', `${WEBHOOK}/test`, 'keyed'],
  listDeliveries: ['GET', `${WEBHOOK}/deliveries`, 'paged'],
  replayDelivery: ['POST', `${WEBHOOK}/deliveries/{delivery_id}/replay`],
  listApiKeys: ['GET', '/api/settings/api-keys'],
  createApiKey: ['POST', '/api/settings/api-keys'],
  revokeApiKey: ['DELETE', '/api/settings/api-keys/{api_key_id}'],
  listTeamApiKeys: ['GET', `${TEAM}/api-keys`, 'paged'],
  barApiKey: ['DELETE', `${TEAM}/api-keys/{api_key_id}`],
  readOpenApi: ['GET', '/api/openapi.json'],
  readDocs: ['GET', '/api/docs', 'text'],
  readAbout: ['GET', '/api/about'],
  checkAlive: ['GET', '/livez'],
  checkReady: ['GET', '/readyz'],
  readVerdictKeys: ['GET', '/api/.well-known/shipworthy-keys'],
  readMetrics: ['GET', '/metrics', 'text'],
} as const satisfies { readonly [Id in CalledId]: RouteOf<Operations[Id]> };
