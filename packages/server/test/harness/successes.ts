import { randomUUID } from 'node:crypto';
import type { OperationId, Operations } from '@shipworthy/client/contract';
import { addDemo } from '../../src/demo.js';
import type { Sent } from './caller.js';
import { deployedEvent } from './cdevents.js';
import { givePassword, PASSWORD } from './people.js';
import { POLICY } from './policy-request.js';
import {
  afterConnecting,
  connected,
  HOOK,
  inProject,
  inRelease,
  inTeam,
  invitationElsewhere,
  LINK,
  linked,
  newAxisReport,
  newInvitation,
  newIssue,
  newItem,
  newMember,
  newOwnAxis,
  newPerson,
  newProject,
  newRelease,
  newTestRun,
  nothing,
  onWebhook,
  received,
  shownBadge,
  sinceNow,
  started,
  TASK,
  waiverUntil,
} from './preparations.js';
import { FINISHED, RUN } from './reports.js';
import { METRICS_TOKEN } from './service.js';
import type { Stage } from './stage.js';
import { CODE, OWN_TOKEN, SHOP } from './test-host.js';

type Successes = {
  readonly [Id in Exclude<OperationId, 'setUp'>]: (stage: Stage) => Promise<Sent<Operations[Id]>>;
};

/** How each operation succeeds on the stage; a missing one does not compile. One cannot: setting up needs a service without people. */
export const successes: Successes = {
  signIn: async ({ service, ada }) => {
    await givePassword(service, ada);
    return { body: { email: ada.user.email, password: PASSWORD } };
  },
  readSession: nothing,
  signOut: nothing,
  changePassword: async ({ service, ada }) => {
    await givePassword(service, ada);
    return { body: { current_password: PASSWORD, new_password: 'another long phrase' } };
  },
  whoAmI: nothing,
  createInvitation: async ({ team }) => ({ body: { team_id: team.id, role: 'viewer' } }),
  acceptInvitation: async (stage) => {
    const { token } = await newInvitation(stage);
    return { body: { token, email: `${randomUUID()}@acme.dev`, name: 'Grace', password: PASSWORD } };
  },
  listPeople: nothing,
  exportPeople: nothing,
  disablePerson: async (stage) => ({ path: { user_id: (await newPerson(stage)).user.id } }),
  enablePerson: async (stage) => {
    const path = { user_id: (await newPerson(stage)).user.id };
    await stage.browser.ok('disablePerson', { path });
    return { path };
  },
  vouchForPerson: async (stage) => ({ path: { user_id: (await newPerson(stage)).user.id } }),
  listServiceInvitations: nothing,
  exportServiceInvitations: nothing,
  revokeServiceInvitation: async ({ browser }) => {
    const { id } = (await browser.ok('createInvitation', { body: {} })).body.data;
    return { path: { invitation_id: id } };
  },
  listOwnerlessTeams: nothing,
  nameOwner: async (stage) => {
    const { world, browser } = stage;
    const [owner, member] = [await newPerson(stage), await newPerson(stage)];
    const team = await world.team(owner, 'Orphans');
    await world.member(team, member, 'viewer');
    await browser.ok('disablePerson', { path: { user_id: owner.user.id } });
    return { path: { user_id: member.user.id }, body: { team_id: team.id } };
  },
  listTeams: nothing,
  createTeam: async () => ({ body: { name: 'Platform' } }),
  archiveTeam: async (stage) => ({ path: inTeam(stage) }),
  restoreTeam: async (stage) => ({ path: inTeam(stage) }),
  renameTeam: async (stage) => ({ path: inTeam(stage), body: { name: 'Payments' } }),
  removeDemo: async ({ service }) => {
    await addDemo(service.ports);
    return {};
  },
  listInvitations: async (stage) => ({ path: inTeam(stage) }),
  exportInvitations: async (stage) => ({ path: inTeam(stage) }),
  revokeInvitation: async (stage) => {
    const { id } = await newInvitation(stage);
    return { path: { ...inTeam(stage), invitation_id: id } };
  },
  listMembers: async (stage) => ({ path: inTeam(stage) }),
  exportMembers: async (stage) => ({ path: inTeam(stage) }),
  addMember: async (stage) => {
    const { user } = await newPerson(stage);
    return { path: inTeam(stage), body: { email: user.email, role: 'viewer' } };
  },
  readInvitation: async (stage) => ({ body: { token: (await newInvitation(stage)).token } }),
  joinTeam: async (stage) => ({ body: { token: await invitationElsewhere(stage) } }),
  listReceivedInvitations: nothing,
  acceptReceivedInvitation: received,
  declineReceivedInvitation: received,
  changeMemberRole: async (stage) => ({ path: await newMember(stage), body: { role: 'viewer' } }),
  removeMember: async (stage) => ({ path: await newMember(stage) }),
  listAuditEntries: async (stage) => ({ path: inTeam(stage) }),
  exportAuditEntries: async (stage) => ({ path: inTeam(stage) }),
  search: async () => ({ query: { q: 'checkout' } }),
  readPortfolio: nothing,
  exportPortfolio: nothing,
  listProjects: async (stage) => ({ path: inTeam(stage) }),
  exportProjects: async (stage) => ({ path: inTeam(stage) }),
  createProject: async (stage) => ({ path: inTeam(stage), body: { name: randomUUID() } }),
  readProject: inProject,
  archiveProject: async (stage) => ({ path: (await newProject(stage)).path }),
  restoreProject: async (stage) => ({ path: (await newProject(stage)).path }),
  renameProject: async (stage) => ({ path: (await newProject(stage)).path, body: { name: randomUUID() } }),
  readPolicy: inProject,
  replacePolicy: async (stage) => ({
    path: (await newProject(stage)).path,
    body: POLICY,
    headers: { 'if-match': '"1"' },
  }),
  listPolicyVersions: inProject,
  exportPolicyVersions: inProject,
  previewPolicy: async ({ inProject: path }) => ({ path, body: POLICY }),
  readEventSources: inProject,
  replaceEventSources: async ({ inProject: path }) => ({ path, body: { sources: ['/ci/acme'] } }),
  readBadgeState: inProject,
  showBadge: inProject,
  hideBadge: inProject,
  readBadge: shownBadge,
  readBadgeImage: shownBadge,
  listReleases: inProject,
  exportReleases: inProject,
  createRelease: async ({ inProject: path }) => ({ path, body: { name: randomUUID() } }),
  readRelease: inRelease,
  changeRelease: async ({ inRelease: path }) => ({ path, body: { target_at: '2026-12-05T12:00:00Z' } }),
  activateRelease: async (stage) => ({ path: await newRelease(stage, 'planned') }),
  parkRelease: async (stage) => ({ path: await newRelease(stage, 'active') }),
  shipRelease: async (stage) => ({ path: await newRelease(stage, 'active'), body: { note: 'At last.' } }),
  cancelRelease: async (stage) => ({ path: await newRelease(stage, 'planned') }),
  readActiveReadiness: inProject,
  readReadiness: inRelease,
  listHistory: inRelease,
  readDifference: sinceNow,
  exportDifference: sinceNow,
  listAxisRows: async ({ inRelease: path }) => ({ path: { ...path, axis: 'ops' } }),
  exportAxisRows: async ({ inRelease: path }) => ({ path: { ...path, axis: 'scope' } }),
  readGate: inRelease,
  askWhatIf: async ({ inRelease: path }) => ({ path, body: { policy: { threshold: 90 } } }),
  readAnalysis: inRelease,
  exportAnalysis: inRelease,
  listGateChanges: nothing,
  exportGateChanges: nothing,
  readGateChanges: async ({ service }) => ({
    body: { read_up_to: new Date(service.clock.read()).toISOString() },
  }),
  listWaivers: inRelease,
  exportWaivers: inRelease,
  waiveReason: async (stage) => ({ path: await newRelease(stage, 'active'), body: waiverUntil(stage) }),
  withdrawWaiver: async (stage) => {
    const path = await newRelease(stage, 'active');
    const { data } = (await stage.browser.ok('waiveReason', { path, body: waiverUntil(stage) })).body;
    return { path: { ...path, waiver_id: data.id } };
  },
  listChecklist: inRelease,
  exportChecklist: inRelease,
  addChecklistItem: async ({ inRelease: path }) => ({ path, body: { title: 'Support team briefed' } }),
  changeChecklistItem: async (stage) => ({ path: await newItem(stage), body: { state: 'done' } }),
  removeChecklistItem: async (stage) => ({ path: await newItem(stage) }),
  restoreChecklistItem: async (stage) => {
    const path = await newItem(stage);
    await stage.browser.ok('removeChecklistItem', { path });
    return { path };
  },
  confirmChecklistItem: async (stage) => {
    const path = await newItem(stage);
    await stage.browser.ok('changeChecklistItem', { path, body: { state: 'not_applicable', reason: 'Texts only.' } });
    return { path, headers: { 'if-match': '"2"' } };
  },
  readChecklistTemplate: inProject,
  replaceChecklistTemplate: async (stage) => ({
    path: (await newProject(stage)).path,
    body: { items: [{ title: 'Docs' }, { title: 'Pen test' }] },
    headers: { 'if-match': '"1"' },
  }),
  addEvidence: async (stage) => ({ path: await newItem(stage), body: LINK }),
  removeEvidence: async (stage) => {
    const path = await newItem(stage);
    const { data } = (await stage.browser.ok('addEvidence', { path, body: LINK })).body;
    return { path: { ...path, evidence_id: data.id } };
  },
  listIssues: inProject,
  exportIssues: inProject,
  createIssue: async ({ inProject: path }) => ({ path, body: TASK }),
  readIssue: async (stage) => ({ path: await newIssue(stage) }),
  changeIssue: async (stage) => ({ path: await newIssue(stage), body: { state: 'done' } }),
  recordDeployment: async () => ({ body: FINISHED }),
  importDeployments: async () => ({ rawBody: JSON.stringify([FINISHED]) }),
  finishDeployment: async (stage) => ({ path: await started(stage), body: { status: 'success' } }),
  readDeployment: async (stage) => ({ path: await started(stage) }),
  listDeployments: inProject,
  exportDeployments: inProject,
  recordTestRun: async ({ inProject: path }) => ({ path, body: RUN }),
  importTestRuns: async ({ inProject: path }) => ({ path, rawBody: JSON.stringify([RUN]) }),
  listTestRuns: inProject,
  exportTestRuns: inProject,
  readTestRun: async (stage) => ({ path: await newTestRun(stage) }),
  setTestRunAside: async (stage) => ({ path: await newTestRun(stage), body: { reason: 'Wrong branch.' } }),
  restoreTestRun: async (stage) => {
    const path = await newTestRun(stage);
    await stage.browser.ok('setTestRunAside', { path, body: { reason: 'Wrong branch.' } });
    return { path };
  },
  recordAxisReport: async (stage) => {
    const { release_id: _, ...path } = await newOwnAxis(stage);
    return { path, body: { part: 48, whole: 50 } };
  },
  recordReleaseAxisReport: async (stage) => ({ path: await newOwnAxis(stage), body: { part: 48, whole: 50 } }),
  importAxisReports: async (stage) => {
    const { release_id: _, ...path } = await newOwnAxis(stage);
    return { path, rawBody: JSON.stringify([{ part: 48, whole: 50 }]) };
  },
  listAxisReports: async (stage) => {
    const { release_id, ...path } = await newOwnAxis(stage);
    return { path, query: { release_id } };
  },
  exportAxisReports: async (stage) => {
    const { release_id, ...path } = await newOwnAxis(stage);
    return { path, query: { release_id } };
  },
  readAxisReport: async (stage) => ({ path: await newAxisReport(stage) }),
  listNotCounted: async ({ inProject: path }) => ({ path, query: { kind: 'deployment' } }),
  exportNotCounted: async ({ inProject: path }) => ({ path, query: { kind: 'test_run' } }),
  followEvents: async ({ project }) => ({ query: { project_id: project.id } }),
  receiveCdEvent: async ({ service }) => ({ body: deployedEvent(service.clock.read()) }),
  readHostConnection: nothing,
  checkHostConnection: afterConnecting,
  connectHost: nothing,
  connectHostByToken: async () => ({ body: { token: OWN_TOKEN } }),
  finishHostConnection: async ({ browser }) => {
    const { url } = (await browser.ok('connectHost')).body.data;
    return { query: { state: new URL(url).searchParams.get('state') ?? '', code: CODE } };
  },
  disconnectHost: afterConnecting,
  listRepositories: afterConnecting,
  readRepositoryLink: linked,
  linkRepository: async (stage) => {
    await connected(stage);
    return { path: (await newProject(stage)).path, body: { repository: SHOP.path } };
  },
  unlinkRepository: linked,
  listMilestones: linked,
  readRepositoryWebhook: linked,
  importIssues: linked,
  receiveHook: async ({ forge, project }) => forge.delivery(SHOP.id, project.id),
  listWebhooks: inProject,
  createWebhook: async ({ inProject: path }) => ({ path, body: { url: HOOK, types: ['gate.changed'] } }),
  readWebhook: onWebhook,
  changeWebhook: async (stage) => ({ ...(await onWebhook(stage)), body: { state: 'disabled' } }),
  removeWebhook: onWebhook,
  rotateWebhookSecret: onWebhook,
  testWebhook: onWebhook,
  listDeliveries: onWebhook,
  exportDeliveries: onWebhook,
  replayDelivery: async (stage) => {
    const { path } = await onWebhook(stage);
    const { data } = (await stage.browser.ok('testWebhook', { path })).body;
    return { path: { ...path, delivery_id: data.id } };
  },
  listApiKeys: nothing,
  exportApiKeys: nothing,
  createApiKey: async () => ({ body: { name: 'pipeline', scopes: ['read'], all_teams: true } }),
  revokeApiKey: async ({ browser }) => {
    const { data } = (await browser.ok('createApiKey', { body: { name: 'old', scopes: ['read'], all_teams: true } }))
      .body;
    return { path: { api_key_id: data.id } };
  },
  listTeamApiKeys: async ({ team }) => ({ path: { team_id: team.id } }),
  exportTeamApiKeys: async ({ team }) => ({ path: { team_id: team.id } }),
  barApiKey: async ({ browser, team }) => {
    const { data } = (await browser.ok('createApiKey', { body: { name: 'old', scopes: ['read'], all_teams: true } }))
      .body;
    return { path: { team_id: team.id, api_key_id: data.id } };
  },
  readOpenApi: nothing,
  readDocs: nothing,
  checkAlive: nothing,
  checkReady: nothing,
  readAbout: nothing,
  readVerdictKeys: nothing,
  readMetrics: async () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
};
