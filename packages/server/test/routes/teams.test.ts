import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { RUN } from '../harness/reports.js';
import { type Stage, useFreshStage, useStage } from '../harness/stage.js';

onEveryStore('teams', (open) => {
  const stage = useFreshStage(open);

  it('list those in sight with their projects and active releases', async () => {
    const { pipeline, world, ada, team, project, release } = stage();
    const billing = await world.project(ada, team, 'billing');
    await world.team(await world.person('Bob'), 'Elsewhere');
    const { data } = (await pipeline.ok('listTeams')).body;
    expect(data).to.deep.equal([
      {
        id: team.id,
        name: 'Payments',
        slug: 'payments',
        version: 1,
        created_at: new Date(team.createdAt).toISOString(),
        archived_at: null,
        demo: false,
        projects: [
          { id: billing.id, name: 'billing', slug: 'billing', archived_at: null, active_release: null },
          {
            id: project.id,
            name: 'checkout',
            slug: 'checkout',
            archived_at: null,
            active_release: { id: release.id, name: '2.4' },
          },
        ],
      },
    ]);
  });

  it('are owned by their creator, and there at once', async () => {
    const { browser, ada, service } = stage();
    const { data } = (await browser.ok('createTeam', { body: { name: 'Team Blue' } })).body;
    expect(data).to.deep.equal({
      id: data.id,
      name: 'Team Blue',
      slug: 'team-blue',
      version: 1,
      created_at: new Date(service.clock.read()).toISOString(),
      archived_at: null,
      demo: false,
      projects: [],
    });
    await browser.ok('createProject', { path: { team_id: data.id }, body: { name: 'portal' } });
    const members = (await browser.ok('listMembers', { path: { team_id: data.id } })).body.data;
    const known = {
      user_id: ada.user.id,
      name: 'Ada',
      email: 'ada@acme.dev',
      email_verified: true,
      mixed_scripts: false,
      disabled: false,
    };
    expect(members).to.deep.equal([{ ...known, role: 'owner' }]);
  });

  it('keep their slug when renamed, and refuse an older version with the newer one', async () => {
    const { browser, team, project, release } = stage();
    const path = { team_id: team.id };
    const named = (name: string, version: number) => ({
      path,
      body: { name },
      headers: { 'if-match': `"${version}"` },
    });
    const { data } = (await browser.ok('renameTeam', named('Money', 1))).body;
    expect(data).to.include({ name: 'Money', slug: 'payments', version: 2 });
    expect(data.projects[0]?.active_release).to.deep.equal({ id: release.id, name: '2.4' });
    const { status, body } = await browser.refused('renameTeam', 'version-mismatch', named('Cash', 1));
    expect([status, body.current]).to.deep.equal([412, data]);
    await browser.refused('renameTeam', 'version-mismatch', {
      path,
      body: { name: 'X' },
      headers: { 'if-match': 'W/"2"' },
    });
    const free = await browser.ok('renameTeam', { path, body: { name: 'Cash' } });
    expect(free.body.data).to.include({ name: 'Cash', version: 3 });
    expect(project.teamId).to.equal(team.id);
  });
});

describe('createTeam', () => {
  const stage = useStage();

  it('gives slugs numbers where they are taken', async () => {
    const { browser } = stage();
    const { data } = (await browser.ok('createTeam', { body: { name: 'Payments' } })).body;
    expect(data.slug).to.equal('payments-2');
  });

  it('names every fault at once', async () => {
    const { browser } = stage();
    const { body } = await browser.refused('createTeam', 'invalid', { rawBody: '{"name":"a\\u0000b","colour":1}' });
    expect((body.errors ?? []).map(({ pointer }) => pointer)).to.have.members(['/name', '/colour']);
    await browser.refused('createTeam', 'malformed-json', { rawBody: '{"name":' });
    await browser.refused('createTeam', 'invalid', { body: { name: 'x'.repeat(201) } });
    await browser.refused('createTeam', 'invalid', { body: { name: '' } });
  });
});

onEveryStore('members', (open) => {
  const stage = useFreshStage(open);
  const inTeam = () => ({ team_id: stage().team.id });
  const ofAda = () => ({ ...inTeam(), user_id: stage().ada.user.id });

  it('are invited by address, seen by all members once they accepted, given roles and removed', async () => {
    const { browser, world, service } = stage();
    const bob = await world.person('Bob');
    const body = { email: 'BOB@acme.dev', role: 'viewer' } as const;
    const invited = (await browser.ok('addMember', { path: inTeam(), body })).body.data;
    expect(invited).to.include({ ...inTeam(), role: 'viewer', email: 'BOB@acme.dev' });
    const his = service.signedIn(bob);
    const [received] = (await his.ok('listReceivedInvitations')).body.data;
    expect(received).to.deep.include({ id: invited.id, role: 'viewer', invited_by: 'Ada', mixed_scripts: false });
    const joined = await his.ok('acceptReceivedInvitation', { path: { invitation_id: invited.id } });
    expect(joined.body.data).to.deep.equal({ ...inTeam(), role: 'viewer' });
    const seen = (await his.ok('listMembers', { path: inTeam() })).body.data;
    expect(seen.map(({ name, role }) => `${name} ${role}`)).to.deep.equal(['Ada owner', 'Bob viewer']);
    const path = { ...inTeam(), user_id: bob.user.id };
    const changed = (await browser.ok('changeMemberRole', { path, body: { role: 'member' } })).body.data;
    const known = {
      user_id: bob.user.id,
      name: 'Bob',
      email: 'bob@acme.dev',
      email_verified: true,
      mixed_scripts: false,
      disabled: false,
    };
    expect(changed).to.deep.equal({ ...known, role: 'member' });
    await browser.ok('removeMember', { path });
    await browser.refused('removeMember', 'not-found', { path });
    await browser.refused('changeMemberRole', 'not-found', { path, body: { role: 'owner' } });
  });

  it('are found by name and address, and exported as CSV to members alone', async () => {
    const { browser, world, team, service } = stage();
    const eve = await world.person('=Eve');
    await world.member(team, eve, 'viewer');
    const names = async (query: object) =>
      (await browser.ok('listMembers', { path: inTeam(), query })).body.data.map(({ name }) => name);
    expect(await names({})).to.have.members(['Ada', '=Eve']);
    expect(await names({ q: 'ADA @acme' })).to.deep.equal(['Ada']);
    expect(await names({ q: 'bob' })).to.deep.equal([]);
    const asked = { path: inTeam(), query: { q: 'eve' } };
    const { text, headers } = await service.signedIn(eve).ok('exportMembers', asked);
    expect(headers['content-disposition']).to.equal('attachment; filename="members.csv"');
    expect(text).to.equal(
      `name,email,email_verified,role,disabled,user_id\r\n"'=Eve","'${eve.user.email}","yes","viewer","no","${eve.user.id}"\r\n`,
    );
    await service.signedIn(await world.person('Bob')).refused('exportMembers', 'not-found', asked);
  });

  it('are marked where they are chosen or confirmed when letters of two scripts that look alike meet', async () => {
    const { browser, world, team, service, ada } = stage();
    // The second letter is Cyrillic.
    const paul = await world.person('P\u0430ul');
    const looks = (rows: readonly { readonly mixed_scripts: boolean }[]) => rows.map((row) => row.mixed_scripts);
    const role = 'viewer' as const;
    const seen: unknown[] = [];
    for (const email of [paul.user.email, 'paul@acme.dev']) {
      seen.push((await browser.ok('addMember', { path: inTeam(), body: { email, role } })).body.data.mixed_scripts);
      seen.push((await browser.ok('createInvitation', { body: { email } })).body.data.mixed_scripts);
    }
    seen.push((await browser.ok('createInvitation', { body: {} })).body.data.mixed_scripts);
    expect(seen).to.deep.equal([true, true, false, false, false]);
    const pending = (await browser.ok('listInvitations', { path: inTeam() })).body.data;
    expect(looks(pending)).to.have.members([true, false]);
    expect(looks((await browser.ok('listServiceInvitations')).body.data)).to.have.members([true, false, false]);
    await world.member(team, paul, 'member');
    expect(looks((await browser.ok('listMembers', { path: inTeam() })).body.data)).to.have.members([false, true]);
    expect(looks((await browser.ok('listPeople')).body.data)).to.have.members([false, true]);
    await world.key(paul, { teamId: team.id });
    const keys = (await browser.ok('listTeamApiKeys', { path: inTeam() })).body.data;
    expect(looks(keys.map(({ maker }) => maker))).to.deep.equal([true, false]);
    const his = service.signedIn(paul);
    const own = await world.team(paul, 'Refunds');
    const body = { email: ada.user.email, role } as const;
    const { token } = (await his.ok('addMember', { path: { team_id: own.id }, body })).body.data;
    const read = (await service.anonymous.ok('readInvitation', { body: { token } })).body.data;
    const received = (await browser.ok('listReceivedInvitations')).body.data;
    expect(looks([read, ...received]), 'to the invited person').to.deep.equal([true, true]);
  });

  it('are not invited again, and have one open invitation per address before', async () => {
    const { browser, world, service } = stage();
    const bob = service.signedIn(await world.person('Bob'));
    const body = { email: 'bob@acme.dev', role: 'viewer' } as const;
    const first = (await browser.ok('addMember', { path: inTeam(), body })).body.data;
    const second = (await browser.ok('addMember', { path: inTeam(), body: { ...body, role: 'member' } })).body.data;
    await bob.refused('joinTeam', 'invitation-unusable', { body: { token: first.token } });
    const pending = (await browser.ok('listInvitations', { path: inTeam() })).body.data;
    expect(pending.map(({ id, email }) => `${id} ${email}`)).to.deep.equal([`${second.id} bob@acme.dev`]);
    await bob.ok('joinTeam', { body: { token: second.token } });
    const { status } = await browser.refused('addMember', 'already-member', { path: inTeam(), body });
    expect(status).to.equal(409);
  });

  it('keep an owner: the last one neither leaves nor steps down', async () => {
    const { browser, world } = stage();
    const leaving = await browser.refused('removeMember', 'last-owner', { path: ofAda() });
    expect(leaving.status).to.equal(409);
    await browser.refused('changeMemberRole', 'last-owner', { path: ofAda(), body: { role: 'member' } });
    await browser.ok('changeMemberRole', { path: ofAda(), body: { role: 'owner' } });
    const bob = await world.person('Bob');
    await world.member(stage().team, bob, 'owner');
    await browser.ok('removeMember', { path: ofAda() });
    await browser.refused('listMembers', 'not-found', { path: inTeam() });
  });

  it('keep an owner when two leave at once', async () => {
    const { browser, world, service, ada, team } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'owner');
    const answers = await Promise.all([
      browser.ask('removeMember', { path: ofAda() }),
      service.signedIn(bob).ask('removeMember', { path: { ...inTeam(), user_id: bob.user.id } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
    const left = await service.ports.stores.teams.members(team.id);
    expect(left).to.have.lengthOf(1);
    expect([ada.user.id, bob.user.id]).to.include(left[0]?.userId);
  });

  it('may leave, but remove no other member, unless they own the team', async () => {
    const { world, service, team, ada } = stage();
    const bob = await world.person('Bob');
    await world.member(team, bob, 'member');
    const browser = service.signedIn(bob);
    await browser.refused('removeMember', 'forbidden', { path: ofAda() });
    await browser.refused('removeMember', 'forbidden', { path: { ...inTeam(), user_id: randomUUID() } });
    await browser.ok('removeMember', { path: { ...inTeam(), user_id: bob.user.id } });
    await browser.refused('removeMember', 'not-found', { path: ofAda() });
    expect((await service.ports.stores.teams.members(team.id)).map(({ userId }) => userId)).to.deep.equal([
      ada.user.id,
    ]);
  });
});

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

  it('is filtered by person, action and time, turned round, and exported as CSV', async () => {
    const { browser, service, team, world, inProject } = stage();
    const ben = await world.person('Ben');
    await world.member(team, ben, 'member');
    service.clock.pass(60_000);
    const at_from = new Date(service.clock.read()).toISOString();
    const body = { title: '=Refunds', type: 'task', state: 'todo' } as const;
    await service.signedIn(ben).ok('createIssue', { path: inProject, body });
    service.clock.pass(60_000);
    const at_to = new Date(service.clock.read()).toISOString();
    await browser.ok('createIssue', { path: inProject, body: { ...body, title: 'Receipts' } });
    await browser.ok('renameTeam', { path: { team_id: team.id }, body: { name: 'Payment' } });
    const titles = async (query = {}) => (await entries(query)).data.map(({ detail }) => detail.title ?? detail.to);
    expect(await titles({ action: 'issue' })).to.deep.equal(['Receipts', '=Refunds']);
    expect(await titles({ action: 'issue.add', order: 'asc' })).to.deep.equal(['=Refunds', 'Receipts']);
    expect(await titles({ user_id: ben.user.id.toUpperCase() })).to.deep.equal(['=Refunds']);
    expect(await titles({ at_from, at_to })).to.deep.equal(['=Refunds']);
    expect(await titles({ at_from: at_to, action: 'team' })).to.deep.equal(['Payment']);
    const path = { team_id: team.id };
    const asked = { path, query: { action: 'issue', order: 'asc' } } as const;
    const { text, headers } = await browser.ok('exportAuditEntries', asked);
    expect(headers['content-disposition']).to.contain('audit.csv');
    const [head, refunds, receipts, ...rest] = text.split('\r\n');
    expect(head).to.equal('at,actor,actor_kind,action,resource_type,detail,address,request_id,id,user_id,resource_id');
    expect(refunds).to.contain(`"${at_from}","Ben","session","issue.add","issue",`).and.contain('=Refunds');
    expect(receipts).to.contain('"Ada","session","issue.add"');
    expect(rest).to.deep.equal(['']);
    const wrong = { at_from: 'soon', order: 'up', user_id: 'x', action: '' };
    const refused = await browser.refused('exportAuditEntries', 'invalid', { path, query: wrong } as never);
    const pointers = (refused.body.errors ?? []).map(({ pointer }) => pointer);
    expect([...new Set(pointers)]).to.have.members(Object.keys(wrong));
    await service.signedIn(ben).refused('exportAuditEntries', 'forbidden', { path });
  });

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

  it('ends a page early where entries are long, and leaves none out', async () => {
    const { browser, inProject: path } = stage();
    for (let time = 0; time < 30; time += 1) {
      const sources = Array.from({ length: 100 }, (_, place) => `${time} ${place} `.padEnd(500, 'x'));
      await browser.ok('replaceEventSources', { path, body: { sources } });
    }
    const first = await entries({ action: 'event-sources.set', limit: 200 });
    expect(first.data).to.have.length(20);
    const rest = await entries({ action: 'event-sources.set', limit: 200, cursor: first.next_cursor ?? '' });
    expect(rest).to.include({ next_cursor: null });
    expect(rest.data).to.have.length(10);
  });

  it('of another team stays out of it', async () => {
    const { world, service } = stage();
    const bob = await world.person('Bob');
    const other = await world.team(bob, 'Elsewhere');
    const { data } = (await service.signedIn(bob).ok('listAuditEntries', { path: { team_id: other.id } })).body;
    expect(data.map(({ action }) => action)).to.deep.equal(['team.create']);
  });
});
