import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const LINK = { url: 'https://docs.acme.dev/checkout/2.4', label: 'Release notes' };
const WAIVER = { code: 'axis_unmeasured', axis: 'stability', text: 'Only docs changed.' } as const;

/** Changes everything in a team that can be changed, once. */
const changeEverything = async ({ browser, pipeline, team, inProject, inRelease, world, service }: Stage) => {
  const inTeam = { team_id: team.id };
  const bob = await world.person('Bob');
  const ofBob = { ...inTeam, user_id: bob.user.id };
  const invited = { path: inTeam, body: { email: bob.user.email, role: 'viewer' } } as const;
  const { id: invitation_id } = (await browser.ok('addMember', invited)).body.data;
  await service.signedIn(bob).ok('acceptReceivedInvitation', { path: { invitation_id } });
  await browser.ok('changeMemberRole', { path: ofBob, body: { role: 'member' } });
  await browser.ok('removeMember', { path: ofBob });
  await browser.ok('createInvitation', { body: inTeam });
  await browser.ok('renameTeam', { path: inTeam, body: { name: 'Money' } });
  await browser.ok('createProject', { path: inTeam, body: { name: 'billing' } });
  await browser.ok('renameProject', { path: inProject, body: { name: 'till' } });
  const policy = (await browser.ok('readPolicy', { path: inProject })).body.data;
  const body = { ...policy, threshold: 81 };
  await browser.ok('replacePolicy', { path: inProject, body, headers: { 'if-match': '"1"' } });
  await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'], team_id: team.id } });
  const { data: item } = (await browser.ok('addChecklistItem', { path: inRelease, body: { title: 'Support' } })).body;
  const inItem = { ...inRelease, item_id: item.id };
  await browser.ok('changeChecklistItem', { path: inItem, body: { state: 'done' } });
  const { data: evidence } = (await browser.ok('addEvidence', { path: inItem, body: LINK })).body;
  await browser.ok('removeEvidence', { path: { ...inItem, evidence_id: evidence.id } });
  await browser.ok('removeChecklistItem', { path: inItem });
  await browser.ok('restoreChecklistItem', { path: inItem });
  const marked = { path: inItem, body: { state: 'not_applicable', reason: 'Nobody needs it' } } as const;
  await browser.ok('changeChecklistItem', marked);
  const template = { items: [{ title: 'Docs' }] };
  await browser.ok('replaceChecklistTemplate', { path: inProject, body: template, headers: { 'if-match': '"1"' } });
  const task = { title: 'Refunds', type: 'task', state: 'todo' } as const;
  const { data: issue } = (await browser.ok('createIssue', { path: inProject, body: task })).body;
  await browser.ok('changeIssue', {
    path: { ...inProject, issue_id: issue.id },
    body: { release_id: inRelease.release_id },
  });
  const expires_at = new Date(service.clock.read() + 3_600_000).toISOString();
  const { data: waiver } = (await browser.ok('waiveReason', { path: inRelease, body: { ...WAIVER, expires_at } })).body;
  await browser.ok('withdrawWaiver', { path: { ...inRelease, waiver_id: waiver.id } });
  const { data: run } = (await pipeline.ok('recordTestRun', { path: inProject, body: RUN })).body;
  const inTestRun = { ...inProject, test_run_id: run.id };
  await browser.ok('setTestRunAside', { path: inTestRun, body: { reason: 'Wrong branch.' } });
  await browser.ok('restoreTestRun', { path: inTestRun });
  await browser.ok('changeRelease', { path: inRelease, body: { target_at: '2026-12-05T12:00:00Z' } });
  await browser.ok('parkRelease', { path: inRelease });
  await browser.ok('activateRelease', { path: inRelease });
  await browser.ok('shipRelease', { path: inRelease, body: { note: 'At last.' } });
  const { data: next } = (await browser.ok('createRelease', { path: inProject, body: { name: '2.5' } })).body;
  await browser.ok('cancelRelease', { path: { ...inProject, release_id: next.id } });
};

onEveryStore('the audit log', (open) => {
  const stage = useFreshStage(open);
  const entries = async (query = {}) =>
    (await stage().browser.ok('listAuditEntries', { path: { team_id: stage().team.id }, query })).body;

  it('holds every change, newest first', async () => {
    const before = (await entries({ limit: 200 })).data.length;
    await changeEverything(stage());
    const { data } = await entries({ limit: 200 });
    const actions = data.slice(0, data.length - before).map(({ action }) => action);
    expect(actions.reverse()).to.deep.equal([
      'person.invite',
      'member.add',
      'member.change_role',
      'member.remove',
      'person.invite',
      'team.rename',
      'project.create',
      'project.rename',
      'policy.change',
      'api_key.create',
      'checklist_item.add',
      'checklist_item.edit',
      'evidence.add',
      'evidence.remove',
      'checklist_item.remove',
      'checklist_item.restore',
      'checklist_item.edit',
      'checklist_template.change',
      'issue.add',
      'issue.edit',
      'waiver.sign',
      'waiver.withdraw',
      'test_run.set_aside',
      'test_run.restore',
      'release.edit',
      'release.park',
      'release.activate',
      'release.ship',
      'release.create',
      'release.cancel',
    ]);
  });

  it('says who, what, from where, in the names and times of the interface', async () => {
    const { browser, inRelease, release, ada, service } = stage();
    const at = new Date(service.clock.pass(1000)).toISOString();
    const headers = { 'x-request-id': 'request-7', 'x-forwarded-for': '203.0.113.9' };
    await browser.ok('changeRelease', { path: inRelease, body: { target_at: '2026-12-05T12:00:00Z' }, headers });
    const [entry] = (await entries()).data;
    expect(entry).to.deep.equal({
      id: entry?.id,
      at,
      actor: { user_id: ada.user.id, name: 'Ada', kind: 'session' },
      action: 'release.edit',
      resource: { type: 'release', id: release.id },
      address: '203.0.113.9',
      request_id: 'request-7',
      detail: { name: '2.4', target_at: '2026-12-05T12:00:00.000Z' },
    });
  });

  it('says nothing of what was refused', async () => {
    const { browser, inProject, inRelease } = stage();
    const before = await entries();
    await browser.refused('createRelease', 'name-taken', { path: inProject, body: { name: '2.4' } });
    await browser.refused('changeRelease', 'version-mismatch', {
      path: inRelease,
      body: { name: '9' },
      headers: { 'if-match': '"77"' },
    });
    expect(await entries()).to.deep.equal(before);
  });

  it('holds no secret, and goes page by page', async () => {
    const { browser, team } = stage();
    const key = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'], team_id: team.id } })).body
      .data;
    const invited = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    const whole = await entries({ limit: 200 });
    for (const secret of [key.key, invited.token, stage().ada.secret])
      expect(JSON.stringify(whole)).not.to.contain(secret);
    const paged = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, next_cursor } = await entries({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...data);
      cursor = next_cursor;
    }
    expect(paged).to.deep.equal(whole.data);
  });

  it('of another team stays out of it', async () => {
    const { world, service } = stage();
    const bob = await world.person('Bob');
    const other = await world.team(bob, 'Elsewhere');
    const { data } = (await service.signedIn(bob).ok('listAuditEntries', { path: { team_id: other.id } })).body;
    expect(data.map(({ action }) => action)).to.deep.equal(['team.create']);
  });
});
