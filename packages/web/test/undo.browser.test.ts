import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** What each operation that changes something is in the application; `form`: what is sent by a form that says what it does. */
const KINDS: Readonly<Record<string, 'undo' | 'asks' | 'form' | 'harmless'>> = {
  ...{ setUp: 'form', signIn: 'form', signOut: 'harmless', acceptInvitation: 'form', joinTeam: 'form' },
  ...{ acceptReceivedInvitation: 'form', declineReceivedInvitation: 'asks', changePassword: 'form' },
  ...{ createTeam: 'form', createProject: 'form', createRelease: 'form', createIssue: 'form', createApiKey: 'form' },
  ...{ createWebhook: 'form', createInvitation: 'form', recordTestRun: 'form', connectHost: 'form' },
  ...{ connectHostByToken: 'form', removeDemo: 'form', linkRepository: 'undo', unlinkRepository: 'asks' },
  ...{ importIssues: 'harmless', testWebhook: 'harmless', replayDelivery: 'harmless', previewPolicy: 'harmless' },
  ...{ readInvitation: 'harmless' },
  ...{
    addChecklistItem: 'undo',
    changeChecklistItem: 'undo',
    removeChecklistItem: 'asks',
    restoreChecklistItem: 'undo',
  },
  ...{ confirmChecklistItem: 'asks', addEvidence: 'undo', removeEvidence: 'asks', replaceChecklistTemplate: 'undo' },
  ...{ changeIssue: 'undo', changeRelease: 'undo', activateRelease: 'undo', parkRelease: 'undo', shipRelease: 'asks' },
  ...{ cancelRelease: 'asks', waiveReason: 'undo', withdrawWaiver: 'asks', setTestRunAside: 'undo' },
  ...{ restoreTestRun: 'asks', replacePolicy: 'undo', renameProject: 'undo', renameTeam: 'undo' },
  ...{ archiveProject: 'undo', restoreProject: 'undo', archiveTeam: 'undo', restoreTeam: 'undo' },
  ...{ changeMemberRole: 'undo', removeMember: 'asks', revokeInvitation: 'asks', revokeServiceInvitation: 'asks' },
  ...{ revokeApiKey: 'asks', barApiKey: 'asks', disablePerson: 'asks', enablePerson: 'harmless', nameOwner: 'asks' },
  ...{ readGateChanges: 'undo' },
  ...{ vouchForPerson: 'asks', disconnectHost: 'asks', showBadge: 'undo', hideBadge: 'asks' },
  ...{ changeWebhook: 'undo', removeWebhook: 'asks', rotateWebhookSecret: 'asks' },
};

describe('every change, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  let address: string;
  let project: string;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    await fill(service.person, place);
    address = addressOf(place);
    project = `/teams/${place.team_id}/projects/${place.project_id}`;
  });
  after(() => service.stop());

  it('is known to be undone, to ask before, to be a form of its own, or to be harmless', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const source = files.map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\n');
    const called = new Set([...source.matchAll(/(?:client|atHost\(\))\s*\.(\w+)\(/g)].map(([, name = '']) => name));
    const changing = Object.entries(operations).filter(([name, { method }]) => method !== 'GET' && called.has(name));
    expect(
      changing
        .map(([name]) => name)
        .sort()
        .join(' '),
    ).to.equal(Object.keys(KINDS).sort().join(' '));
  });

  const undo = async (page: Page, said: string | RegExp) => {
    await page.getByRole('status').getByText(said).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
  };

  /** A whole record but for its number of changes, and who made the last one. */
  const lasting = <Kept extends { readonly version: number }>(record: Kept) => ({
    ...record,
    ...{ version: 0, updated_at: '', updated_by: '' },
  });

  it('of a checklist item is undone: a tick, a title, a mark, a new item, its removal, evidence', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    const items = async () => (await service.person.listChecklist({ path: place })).body.data.map(lasting);
    const before = await items();
    await open(`${address}/checklist`);
    await page.getByRole('checkbox', { name: 'Rollback' }).check();
    await page.getByText('Rollback: Done.').waitFor();
    await expectAccessible('a change that can be undone');
    await undo(page, 'Rollback: Done.');
    expect(await items()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Rename Rollback' }).click();
    await page.getByLabel('Title').fill('Way back');
    await page.getByLabel('Title').press('Enter');
    await undo(page, 'Way back: the title “Way back”.');
    expect(await items()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Not applicable: Rollback' }).click();
    await page.getByLabel('Reason').fill('Texts only');
    await page.getByLabel('Reason').press('Enter');
    await undo(page, 'Rollback: Not applicable: “Texts only”.');
    expect(await items()).to.deep.equal(before);
    await page.getByLabel('Another item').fill('Support is briefed');
    await page.getByLabel('Another item').press('Enter');
    await undo(page, 'Support is briefed: added.');
    expect(await items()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Restore Support is briefed' }).click();
    await undo(page, 'Support is briefed: restored.');
    expect(await items()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Link evidence for Rollback' }).click();
    await page.getByLabel('Address').fill('https://docs.example.org/');
    await page.getByLabel('What it shows').fill('Rehearsal');
    await page.getByLabel('What it shows').press('Enter');
    await undo(page, 'Rehearsal: linked.');
    expect(await items()).to.deep.equal(before);
    await close();
  });

  it('of a confirmed mark is undone without the confirmation, which is said before', async () => {
    const member = await joinedBy(service, place.team_id, 'member', 'Mia');
    const items = async () => (await service.person.listChecklist({ path: place })).body.data;
    const flag = async () => (await items()).find(({ key }) => key === 'feature_flag');
    const path = { ...place, item_id: (await flag())?.id ?? '' };
    const mark = { state: 'not_applicable', reason: 'No flag needed' } as const;
    const confirm = async () => {
      const { body } = await service.person.changeChecklistItem({ path, body: { state: 'open' } });
      await service.person.changeChecklistItem({ path, body: mark, ifMatch: body.data.version });
    };
    await confirm();
    const { page, open, close } = await visit(member);
    await open(`${address}/checklist`);
    await page.getByRole('button', { name: 'Applicable: Feature flag', exact: true }).click();
    await undo(page, 'Feature flag: Open. Undo marks it in your name; an owner must confirm it.');
    expect(await flag()).to.include({ ...mark, marked_by: 'Mia', confirmed_by: null, confirmed_at: null });
    await confirm();
    await open(`${address}/checklist`);
    await page.getByRole('button', { name: 'Rename Feature flag' }).click();
    await page.getByLabel('Title').fill('Switch');
    await page.getByLabel('Title').press('Enter');
    await undo(page, 'Switch: the title “Switch”. An owner must confirm it again, also after Undo.');
    expect(await flag()).to.include({ ...mark, title: 'Feature flag', marked_by: 'Ada', confirmed_by: null });
    await service.person.changeChecklistItem({ path, body: { state: 'open' } });
    await close();
  });

  it('of an issue is undone: its state, and all of it', async () => {
    const { body } = await service.person.createIssue({
      path: place,
      body: { title: 'Gift cards', type: 'bug', state: 'todo', severity: 'major', release_id: place.release_id },
    });
    const path = { ...place, issue_id: body.data.id };
    const now = async () => lasting((await service.person.readIssue({ path })).body.data);
    const before = await now();
    const { page, open, close } = await visit(service);
    await open(`${project}/issues`);
    await page.getByLabel('State of Gift cards').selectOption('done');
    await undo(page, 'Gift cards: done.');
    expect(await now()).to.deep.equal(before);
    await page.getByRole('button', { name: 'Edit Gift cards' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Gift vouchers');
    await dialog.getByLabel('Type').selectOption('task');
    await dialog.getByLabel('Release').selectOption('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await undo(page, 'Gift vouchers: saved.');
    expect(await now()).to.deep.equal(before);
    await close();
  });

  it('is said to be undone once the screen is read again, so that a further change begins from there', async () => {
    const { body } = await service.person.createIssue({
      path: place,
      body: { title: 'Coupons', type: 'task', state: 'todo', release_id: place.release_id },
    });
    const { page, open, close } = await visit(service);
    await open(`${project}/issues`);
    await page.getByLabel('State of Coupons').selectOption('done');
    await page.getByRole('status').getByText('Coupons: done.').waitFor();
    let letRead = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letRead = resolve;
    });
    const path = { ...place, issue_id: body.data.id };
    const isUndone = async () => (await service.person.readIssue({ path })).body.data.state === 'todo';
    const readAgain = new Promise<void>((resolve) => {
      void page.route('**/issues?*', async (route) => {
        if (await isUndone()) resolve();
        await held;
        await route.continue();
      });
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await readAgain;
    await page.getByRole('button', { name: 'Undo' }).and(page.locator('[aria-busy="true"]')).waitFor();
    expect(await page.getByText('Undone.').count()).to.equal(0);
    letRead();
    await page.getByText('Undone.').waitFor();
    await close();
  });

  it('of a release is undone: parked, activated, a reason waived', async () => {
    const { page, open, close } = await visit(service);
    const now = async () => lasting((await service.person.readRelease({ path: place })).body.data);
    const active = await now();
    await open(address);
    await page.getByRole('button', { name: 'Move to planned' }).click();
    await undo(page, '2.4: parked.');
    expect(await now()).to.deep.equal(active);
    await service.person.parkRelease({ path: place });
    const parked = await now();
    await page.reload();
    await page.getByRole('button', { name: 'Activate' }).click();
    await undo(page, /^2\.4: activated\.$/);
    expect(await now()).to.deep.equal(parked);
    await service.person.activateRelease({ path: place });
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
    await page.getByLabel('Why it is acceptable').fill('Docs follow');
    await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click();
    await undo(page, 'Ops below its minimum: waived.');
    const { body } = await service.person.readReadiness({ path: place });
    expect(body.data.gate.waivers).to.deep.equal([]);
    await close();
  });

  it('of a first activation is undone without the start, which is said before', async () => {
    const { person } = service;
    const { team_id, project_id } = place;
    await person.parkRelease({ path: place });
    const { body } = await person.createRelease({ path: { team_id, project_id }, body: { name: '2.5' } });
    const path = { team_id, project_id, release_id: body.data.id };
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Activate' }).click();
    await undo(page, '2.5: activated. Undo keeps the start.');
    const { starts_at, ...after } = lasting((await person.readRelease({ path })).body.data);
    expect({ ...after, starts_at: null }).to.deep.equal(lasting(body.data));
    expect(starts_at).to.be.a('string');
    await person.activateRelease({ path: place });
    await close();
  });

  it('of test runs, policy, template, names, roles, webhooks and the badge is undone', async () => {
    const { person } = service;
    await joinedBy(service, place.team_id, 'member', 'Grace');
    await person.createWebhook({ path: place, body: { url: 'https://hooks.example.org/in', types: ['gate.changed'] } });
    const { page, open, close } = await visit(service);
    await open(`${project}/test-runs`);
    await page.getByRole('button', { name: 'Set aside: unit, 410 of 412' }).click();
    await page.getByLabel('Reason').fill('A broken machine');
    await page.getByLabel('Reason').press('Enter');
    await undo(page, 'unit, 410 of 412: set aside.');
    expect((await person.listTestRuns({ path: place })).body.data[0]?.set_aside).to.equal(null);

    await open(`${project}/settings/policy`);
    const { version: _, ...policy } = (await person.readPolicy({ path: place })).body.data;
    await page.getByLabel('Minimum readiness score').fill('71');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await undo(page, 'Gate policy: version 2 saved.');
    const { version, ...again } = (await person.readPolicy({ path: place })).body.data;
    expect([again, version]).to.deep.equal([policy, 3]);

    await open(`${project}/settings/checklist`);
    await page.getByLabel('Items').fill('Docs');
    await page.getByRole('button', { name: 'Save the template' }).click();
    await undo(page, 'Checklist template: saved.');
    expect((await person.readChecklistTemplate({ path: place })).body.data.items).to.have.lengthOf(3);

    for (const [where, name] of [
      [`${project}/settings`, 'checkout'],
      [`/teams/${place.team_id}`, 'Core'],
    ] as const) {
      await open(where);
      await page.getByLabel('Name', { exact: true }).fill('Renamed');
      await page.getByRole('button', { name: 'Rename' }).click();
      await undo(page, 'Renamed to Renamed.');
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    const archivedAt = async () => (await person.readProject({ path: place })).body.data.archived_at;
    await open(`${project}/settings`);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await undo(page, 'Project archived.');
    expect(await archivedAt()).to.equal(null);
    await person.archiveProject({ path: place });
    await open('/settings/archived');
    await page.getByRole('button', { name: 'Restore Core / checkout' }).click();
    await undo(page, 'Core / checkout: restored.');
    expect(await archivedAt()).to.be.a('string');
    await person.restoreProject({ path: place });
    await open(`/teams/${place.team_id}`);
    await page.getByLabel('Role of Grace').selectOption('owner');
    await undo(page, 'Grace: owner.');
    const { body: members } = await person.listMembers({ path: place });
    expect(members.data.find(({ name }) => name === 'Grace')?.role).to.equal('member');

    await open(`${project}/settings/webhooks`);
    await page.getByRole('button', { name: 'Disable the webhook to hooks.example.org/in' }).click();
    await undo(page, 'hooks.example.org/in: disabled.');
    expect((await person.listWebhooks({ path: place })).body.data[0]?.state).to.equal('enabled');

    await open(`${project}/settings/badge`);
    await page.getByRole('button', { name: 'Show the badge' }).click();
    await undo(page, 'The badge: shown.');
    expect((await person.readBadgeState({ path: place })).body.data.shown).to.equal(false);
    await close();
  });

  it('is undone on a further try where the network was away', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /ERR_FAILED/ });
    await open(`${address}/checklist`);
    await page.getByRole('checkbox', { name: 'Rollback' }).check();
    await page.getByText('Rollback: Done.').waitFor();
    await page.route('**/checklist/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Undone.').waitFor();
    await close();
  });

  it('is undone on a further try once the server can answer, and not offered again where it refuses', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of (409|429|503)/ });
    const answers = [
      { status: 503, type: 'unavailable', title: 'The service cannot answer now' },
      { status: 429, type: 'too-many-requests', title: 'Too many requests' },
      { status: 409, type: 'conflict', title: 'Conflict' },
    ];
    for (const { status, type, title } of answers) {
      await open(`${address}/checklist`);
      await page.getByRole('checkbox', { name: 'Rollback' }).setChecked(true);
      await page.getByText('Rollback: Done.').waitFor();
      const problem = { type: `/api/docs/problems/${type}`, title, status, detail: `${title}.` };
      const body = JSON.stringify(problem);
      await page.route('**/checklist/*', (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body }),
      );
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('alert').getByText(`${title}.`).waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const retry = page.getByRole('button', { name: 'Retry' });
      if (status === 409) expect(await retry.count()).to.equal(0);
      else {
        await retry.click();
        await page.getByText('Undone.').waitFor();
      }
    }
    await close();
  });

  it('that cannot be undone stays open until the server has answered, and shows that it failed', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 409/ });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/cancel', async (route) => {
      await held;
      const problem = {
        type: '/api/docs/problems/conflict',
        title: 'Conflict',
        status: 409,
        detail: 'It was shipped.',
      };
      await route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await open(address);
    await page.getByRole('button', { name: 'Cancel release' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel release' }).click();
    await dialog.locator('button[aria-busy=true]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Keep release' }).click({ force: true });
    answer();
    await dialog.getByRole('alert').getByText('It was shipped.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  it('that cannot be undone asks with the focus on the way back', async () => {
    const { person } = service;
    const { team_id } = place;
    const viewer = await joinedBy(service, team_id, 'viewer', 'Vera');
    await person.createApiKey({ body: { name: 'pipeline', scopes: ['read'], team_id } });
    await person.createInvitation({ body: { team_id, role: 'viewer' } });
    await person.createInvitation({ body: {} });
    await person.showBadge({ path: place });
    const [docs] = (await person.listChecklist({ path: place })).body.data;
    const item = { ...place, item_id: docs?.id ?? '' };
    await person.addEvidence({ path: item, body: { url: 'https://docs.example.org/', label: 'Notes' } });
    await person.addChecklistItem({ path: place, body: { title: 'Support' } });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await person.waiveReason({
      path: place,
      body: { code: 'axis_below_minimum', axis: 'ops', text: 'Soon', expires_at },
    });
    const questions: readonly (readonly [address: string, ...buttons: (string | RegExp)[]])[] = [
      [address, 'Ship …', 'Cancel release', 'Withdraw: Ops below its minimum'],
      [`${address}/checklist`, 'Remove the evidence Notes', 'Remove Support'],
      [`/teams/${team_id}`, 'Leave Core', 'Remove Vera', /^Revoke the link/],
      [`/teams/${team_id}/api-keys`, 'Take out pipeline'],
      ['/settings', 'Revoke pipeline'],
      ['/settings/people', 'Disable Vera', 'Vouch for the address of Vera', /^Revoke the invitation/],
      [`${project}/settings/webhooks`, /^Rotate the secret/, /^Remove the webhook/],
      [`${project}/settings/badge`, 'Make another address', 'Hide the badge'],
    ];
    const { page, open, close } = await visit(service);
    for (const [where, ...buttons] of questions) {
      await open(where);
      for (const name of buttons) {
        await page.getByRole('button', { name }).first().click();
        await page.locator('dialog[open] button:focus', { hasText: /^(Cancel|Not yet|Keep release)$/ }).waitFor();
        expect(await page.locator('dialog[open] p').first().innerText()).to.match(/\w+ \w+/);
        await page.keyboard.press('Enter');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
        await page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
      }
    }
    await open(`/teams/${team_id}`);
    await page.getByLabel('Role of Ada').selectOption('viewer');
    await page.locator('dialog[open] button:focus', { hasText: 'Cancel' }).click();
    expect(await page.getByLabel('Role of Ada').inputValue()).to.equal('owner');
    expect((await viewer.person.whoAmI()).body.data.kind).to.equal('session');
    await close();
  });
});
