import type { Project, StoresWithFeed, Team } from '@shipworthy/domain';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { claimed } from './claims.js';
import type { CompleteStores } from './open-stores.js';
import { sampleApiKey, sampleAuditEntry, sampleInvitation } from './sample-access.js';
import { sampleConnection, sampleLink, sampleState } from './sample-host.js';
import {
  HOUR,
  NOON,
  sampleAxisReport,
  sampleEvidence,
  sampleId,
  sampleItem,
  sampleProject,
  sampleWaiver,
  unique,
} from './sample-records.js';
import { sampleGateChange, sampleRecorded, sampleReport } from './sample-report.js';
import { sampleDelivery, sampleWebhook } from './sample-webhook.js';
import {
  changePolicy,
  storedDeployments,
  storedIssue,
  storedRelease,
  storedTeam,
  storedTestRun,
} from './sample-world.js';

type Offers = CompleteStores['offers'];

const fillRelease = async (stores: StoresWithFeed, project: Project, offers: Offers): Promise<void> => {
  const release = await storedRelease(stores, project.id, { state: 'active', startsAt: NOON - HOUR });
  const item = await stores.checklists.add(sampleItem(release.id));
  await stores.checklists.addEvidence(item.id, sampleEvidence());
  const removed = await stores.checklists.add(sampleItem(release.id));
  await stores.checklists.remove(removed.id, { removedAt: NOON, removedBy: 'Ada' });
  await stores.waivers.add(sampleWaiver(release.id));
  const issueId = sampleId();
  const added = { issueId, releaseId: release.id, at: NOON, kind: 'added', type: 'feature' } as const;
  await storedIssue(stores, project.id, { id: issueId, releaseId: release.id, type: 'feature' }, [added]);
  const external = { id: unique('external'), fingerprint: 'f' };
  await storedDeployments(stores, project.id, [{ startedAt: NOON }, { startedAt: NOON, external }]);
  await storedTestRun(stores, release, { suite: 'unit', external });
  if (offers('own-axes')) await stores.axisReports.add([sampleAxisReport(release)]);
  const policy = await stores.policies.current(project.id);
  if (policy === undefined) throw new Error('the project has no policy');
  if (offers('history')) {
    const dirty = await claimed(stores, release.id, NOON + HOUR);
    const unmoved = { revision: dirty.revision, at: NOON + 1 };
    await stores.history.settle(dirty, [sampleRecorded(release.id, NOON, policy)], null, unmoved);
  }
  if (offers('gate-changes')) await stores.gateChanges.append([sampleGateChange(project, release)], NOON);
  await stores.releases.freeze(release.id, sampleReport(release.id));
};

const addWebhook = async (stores: StoresWithFeed, project: Project): Promise<void> => {
  const webhook = sampleWebhook(project.id);
  await stores.webhooks.create(webhook);
  await stores.webhooks.put(sampleDelivery(webhook.id));
};

const addLink = async (stores: StoresWithFeed, project: Project, userId: string): Promise<void> => {
  const connection = sampleConnection(userId);
  await stores.hostConnections.put(connection);
  const link = sampleLink({ projectId: project.id, userId, host: connection.host });
  await stores.repositoryLinks.put({ link, state: sampleState(link.id) });
};

/** A team with at least one row of everything that can belong to a team and that the stores can keep. */
export const storedFullTeam = async (
  stores: StoresWithFeed,
  over: Partial<Team> = {},
  offers: Offers = () => true,
): Promise<Team> => {
  const { team, owner } = await storedTeam(stores, over);
  const first = await stores.projects.create(sampleProject(team.id));
  const project = { ...first, name: unique('renamed'), version: first.version + 1 };
  await stores.projects.replace(project, NOON);
  await changePolicy(stores, project.id, { ...DEFAULT_POLICY, threshold: 70 });
  const template = { titles: ['Docs'], version: 2, changedAt: NOON, changedBy: 'Ada' };
  await stores.checklists.replaceTemplate(project.id, template);
  await fillRelease(stores, project, offers);
  await stores.apiKeys.create(sampleApiKey(owner.id, { teamId: team.id }));
  if (offers('webhooks')) await addWebhook(stores, project);
  const badge = { projectId: project.id, tokenHash: 'a'.repeat(64), createdAt: NOON, createdBy: 'Ada' };
  if (offers('badges')) await stores.badges.put(badge);
  if (offers('cdevents')) await stores.eventSources.replace(project, [unique('/ci')]);
  if (offers('host')) await addLink(stores, project, owner.id);
  const invitation = sampleInvitation('Ada', { team: { id: team.id, role: 'member' } });
  if (offers('invitations')) await stores.invitations.create(invitation);
  if (offers('audit')) await stores.audit.append(sampleAuditEntry(team.id, owner.id));
  return team;
};
