import { randomUUID } from 'node:crypto';
import { POLICY } from './policy-request.js';
import { RUN, STARTED } from './reports.js';
import type { Stage } from './stage.js';
import { ACCOUNT, SHOP } from './test-host.js';

const GRANT = { sealed: 'sealed', expiresAt: null };
export const inTeam = ({ team }: Stage) => ({ team_id: team.id });
export const nothing = async () => ({});

export const newPerson = ({ world }: Stage) => world.person(`P${randomUUID().slice(24)}`);

export const newMember = async (stage: Stage) => {
  const person = await newPerson(stage);
  await stage.world.member(stage.team, person, 'member');
  return { ...inTeam(stage), user_id: person.user.id };
};

export const newProject = async ({ world, ada, team }: Stage) => {
  const project = await world.project(ada, team, randomUUID());
  return { project, path: { team_id: team.id, project_id: project.id } };
};

export const newRelease = async (stage: Stage, state: 'planned' | 'active') => {
  const { project, path } = await newProject(stage);
  const release = await stage.world.release(stage.ada, project, '1.0', { state });
  return { ...path, release_id: release.id };
};

export const newItem = async ({ browser, inRelease }: Stage) => {
  const { data } = (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Support briefed' } })).body;
  return { ...inRelease, item_id: data.id };
};

export const LINK = { url: 'https://docs.acme.dev/checkout/2.4', label: 'Release notes' };
export const TASK = { title: 'Refunds', type: 'task', state: 'todo' } as const;
export const newIssue = async ({ browser, inProject }: Stage) => {
  const { data } = (await browser.ok('createIssue', { path: inProject, body: TASK })).body;
  return { ...inProject, issue_id: data.id };
};

const WAIVER = { code: 'axis_unmeasured', axis: 'stability', text: 'Only docs changed.' } as const;
export const waiverUntil = ({ service }: Stage) => ({
  ...WAIVER,
  expires_at: new Date(service.clock.read() + 3_600_000).toISOString(),
});

export const newInvitation = async ({ browser, team }: Stage) =>
  (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;

/** The token of an invitation into another person's team; bound to an address where one is given. */
export const invitationElsewhere = async (stage: Stage, email?: string) => {
  const owner = await newPerson(stage);
  const team = await stage.world.team(owner, `Elsewhere ${owner.user.id}`);
  const body = { team_id: team.id, ...(email === undefined ? {} : { email }) };
  return (await stage.service.signedIn(owner).ok('createInvitation', { body })).body.data.token;
};

/** An invitation into another team that is bound to the address of the stage's owner. */
export const received = async (stage: Stage) => {
  await invitationElsewhere(stage, stage.ada.user.email);
  const { data } = (await stage.browser.ok('listReceivedInvitations')).body;
  return { path: { invitation_id: data[0]?.id ?? '' } };
};

export const started = async ({ pipeline }: Stage) => {
  const { data } = (await pipeline.ok('recordDeployment', { body: STARTED })).body;
  return { deployment_id: data.id };
};

export const newTestRun = async ({ pipeline, inProject: path }: Stage) => {
  const { data } = (await pipeline.ok('recordTestRun', { path, body: RUN })).body;
  return { ...path, test_run_id: data.id };
};

/** An own axis that the policy of another project has, whose release is active. */
export const newOwnAxis = async (stage: Stage) => {
  const { release_id, ...path } = await newRelease(stage, 'active');
  const own_axes = [{ name: 'security', weight: 1 }];
  await stage.browser.ok('replacePolicy', { path, body: { ...POLICY, own_axes }, headers: { 'if-match': '"1"' } });
  return { ...path, release_id, axis: 'security' };
};

export const newAxisReport = async (stage: Stage) => {
  const { release_id: _, ...path } = await newOwnAxis(stage);
  const body = { part: 48, whole: 50 };
  const { data } = (await stage.pipeline.ok('recordAxisReport', { path, body })).body;
  return { ...path, report_id: data.id };
};

export const inProject = async (stage: Stage) => ({ path: stage.inProject });
export const inRelease = async (stage: Stage) => ({ path: stage.inRelease });
/** The release, and from now on. */
export const sinceNow = async ({ inRelease: path, service }: Stage) => ({
  path,
  query: { from: new Date(service.clock.read()).toISOString() },
});

/** Connects every member of the team to the host. */
export const connected = async ({ service, team, forge }: Stage) => {
  const { stores, clock } = service.ports;
  const host = forge.host.name;
  const one = { host, account: ACCOUNT, grant: GRANT, state: 'ok', pausedUntil: null, version: 1 } as const;
  for (const { userId } of await stores.teams.members(team.id))
    await stores.hostConnections.put({ ...one, userId, connectedAt: clock() });
};

export const afterConnecting = async (stage: Stage) => {
  await connected(stage);
  return {};
};

export const linked = async (stage: Stage) => {
  await connected(stage);
  const { path } = await newProject(stage);
  await stage.browser.ok('linkRepository', { path, body: { repository: SHOP.path } });
  return { path };
};

export const HOOK = 'https://hooks.acme.dev/shipworthy';
export const onWebhook = async (stage: Stage) => {
  const { path } = await newProject(stage);
  const body = { url: HOOK, types: ['release.shipped'] } as const;
  const { data } = (await stage.browser.ok('createWebhook', { path, body })).body;
  return { path: { ...path, webhook_id: data.id } };
};

export const shownBadge = async ({ browser, inProject: path }: Stage) => {
  const { data } = (await browser.ok('showBadge', { path })).body;
  return { path, query: { token: data.token } };
};
