import { expect } from 'chai';
import { type Operation, operations } from '../../src/contract/index.js';

/**
 * The least role that each operation needs in the team it concerns. This list is written by hand, beside the table that
 * decides, so that a slip in the table cannot let a caller do more. `none`: it concerns no team, or looks at the caller's role
 * itself.
 */
const NEEDED = {
  owner: `
    listInvitations exportInvitations revokeInvitation renameTeam archiveTeam restoreTeam removeDemo addMember changeMemberRole listAuditEntries exportAuditEntries
    renameProject archiveProject restoreProject replacePolicy readBadgeState showBadge hideBadge waiveReason withdrawWaiver
    removeChecklistItem restoreChecklistItem confirmChecklistItem replaceChecklistTemplate setTestRunAside
    restoreTestRun linkRepository unlinkRepository readRepositoryWebhook listWebhooks createWebhook readWebhook
    changeWebhook removeWebhook rotateWebhookSecret testWebhook listDeliveries exportDeliveries replayDelivery listTeamApiKeys exportTeamApiKeys
    barApiKey`,
  member: `
    createProject replaceEventSources createRelease changeRelease activateRelease parkRelease shipRelease
    cancelRelease addChecklistItem changeChecklistItem addEvidence removeEvidence createIssue changeIssue
    recordDeployment importDeployments finishDeployment recordTestRun importTestRuns recordAxisReport
    recordReleaseAxisReport importAxisReports receiveCdEvent listMilestones importIssues`,
  viewer: `
    listMembers exportMembers removeMember listProjects exportProjects readProject readPolicy listPolicyVersions exportPolicyVersions previewPolicy
    readEventSources listReleases exportReleases readRelease readActiveReadiness readReadiness listHistory readDifference exportDifference
    listAxisRows exportAxisRows readGate askWhatIf readAnalysis exportAnalysis listWaivers exportWaivers listChecklist exportChecklist readChecklistTemplate
    listIssues exportIssues readIssue readDeployment listDeployments exportDeployments listTestRuns exportTestRuns readTestRun listAxisReports exportAxisReports readAxisReport listNotCounted exportNotCounted
    readRepositoryLink`,
  administrator: `
    listPeople exportPeople disablePerson enablePerson vouchForPerson listServiceInvitations exportServiceInvitations revokeServiceInvitation
    listOwnerlessTeams nameOwner`,
  none: `
    setUp signIn readSession signOut changePassword whoAmI createInvitation readInvitation acceptInvitation
    joinTeam listReceivedInvitations acceptReceivedInvitation declineReceivedInvitation listTeams createTeam
    listGateChanges exportGateChanges readGateChanges
    search readPortfolio exportPortfolio readBadge readBadgeImage followEvents readHostConnection
    checkHostConnection connectHost connectHostByToken finishHostConnection disconnectHost listRepositories
    receiveHook listApiKeys exportApiKeys createApiKey
    revokeApiKey readOpenApi readDocs readAbout checkAlive checkReady readVerdictKeys readMetrics`,
};

const neededBy = ({ auth }: Operation): keyof typeof NEEDED => {
  if ('administrator' in auth) return 'administrator';
  return ('role' in auth ? auth.role : undefined) ?? 'none';
};

describe('the role an operation needs', () => {
  it('is the one that was decided, for every operation', () => {
    const all: Readonly<Record<string, Operation>> = operations;
    for (const [role, names] of Object.entries(NEEDED)) {
      const having = Object.keys(all).filter((id) => neededBy(all[id] as Operation) === role);
      expect(having, role).to.have.members(names.trim().split(/\s+/));
    }
  });
});
