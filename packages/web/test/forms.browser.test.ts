import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { ADA, type Service, startEmpty, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const REFUSED = /status of (401|409|412|422)/;

/** What the focused field says is wrong with it. */
const faultOfFocused = (page: Page): Promise<string> =>
  page.locator('[aria-invalid=true]:focus').evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((each) => each?.matches('.wrong') ?? false)
      .map((each) => each?.textContent ?? '')
      .join(' '),
  );

describe('forms, in a browser', () => {
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

  /** Sends a form as it is and expects the first wrong field to have the focus and to say why, which nothing else says. */
  const expectRefused = async (page: Page, submit: string, label: string, words: RegExp) => {
    await page.getByRole('button', { name: submit, exact: true }).last().click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    const fault = await faultOfFocused(page);
    expect(fault, label).to.match(words);
    const field = page.getByLabel(label, { exact: true }).last();
    expect(await field.evaluate((each) => each === document.activeElement), `${label} has the focus`).to.equal(true);
    expect(await page.getByRole('alert').count(), `${label} is said at one place`).to.equal(0);
  };

  it('say at the first wrong field what is wrong, in plain words and nowhere else, and give it the focus', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: REFUSED });
    const EMPTY = /^Fill this in\.$/;
    await open(project);
    await page.getByRole('button', { name: 'New release' }).click();
    await expectRefused(page, 'Create', 'Name', EMPTY);
    await expectAccessible('a refused form');
    await open(`${project}/issues`);
    await page.getByRole('button', { name: 'New issue' }).click();
    await expectRefused(page, 'Save', 'Title', EMPTY);
    await open(`${address}/checklist`);
    await expectRefused(page, 'Add', 'Another item', EMPTY);
    await page.reload();
    await page.getByRole('button', { name: 'Rename Docs' }).click();
    await page.getByLabel('Title', { exact: true }).fill('');
    await expectRefused(page, 'Save', 'Title', EMPTY);
    await open(`${address}/checklist`);
    await page.getByRole('button', { name: 'Link evidence for Docs' }).click();
    await expectRefused(page, 'Link it', 'Address', /^Enter an address that begins with https:\/\//);
    await open(address);
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
    await expectRefused(page, 'Waive', 'Why it is acceptable', EMPTY);
    await open(`${project}/test-runs`);
    await page.getByRole('button', { name: 'Set aside: unit, 410 of 412' }).click();
    await expectRefused(page, 'Set aside', 'Reason', EMPTY);
    await open(`${project}/test-runs/record`);
    await expectRefused(page, 'Record test run', 'Passed', /^Enter a whole number\.$/);
    await open('/settings');
    await page.getByRole('button', { name: 'Create your first key' }).click();
    await expectRefused(page, 'Create the key', 'Name', EMPTY);
    await page.getByLabel('Name', { exact: true }).fill('pipeline');
    for (const box of await page.locator('dialog input[type=checkbox]').all()) await box.uncheck();
    await expectRefused(page, 'Create the key', 'Read', /^Choose one at least\.$/);
    await expectAccessible('a refused choice');
    await open('/settings/account');
    await expectRefused(page, 'Change the password', 'Current password', EMPTY);
    await open(`/teams/${place.team_id}`);
    await page.getByLabel('Email (optional)').fill('grace');
    await expectRefused(page, 'Make an invitation link', 'Email (optional)', /^Enter an email address/);
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByLabel('Email (optional)').fill('');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page
      .locator('[aria-invalid=true]:focus')
      .and(page.getByLabel('Name', { exact: true }))
      .waitFor();
    await open(`${project}/settings/policy`);
    await page.getByLabel('Minimum of Ops').fill('101');
    await expectRefused(page, 'Save the policy', 'Minimum of Ops', /^Enter 0 to 100\.$/);
    await open(`${project}/settings/checklist`);
    await page.getByLabel('Items').fill('Docs\nDocs');
    await expectRefused(page, 'Save the template', 'Items', /is there twice/);
    await open(`${project}/settings/webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    await expectRefused(page, 'Create the webhook', 'Address', /\w/);
    await open('/welcome');
    await expectRefused(page, 'Create the team', 'Name of the team', EMPTY);
    await close();
  });

  it('of those who come first and by invitation do, too', async () => {
    const empty = await startEmpty();
    const first = await visit(
      { url: empty.url, cookies: [] },
      { signedIn: false, mayComplain: /status of (401|403|422)/ },
    );
    await first.open('/');
    await expectRefusedAt(first.page, 'Set up', 'Setup token');
    await first.close();
    await empty.stop();
    const { body } = await service.person.createInvitation({ body: { team_id: place.team_id, role: 'viewer' } });
    const guest = await visit(service, { signedIn: false, mayComplain: REFUSED });
    await guest.open(`/invitation#${body.data.token}`);
    await expectRefusedAt(guest.page, 'Accept the invitation', 'Your name');
    await guest.close();
  });

  const expectRefusedAt = async (page: Page, submit: string, label: string) => {
    await page.getByRole('button', { name: submit }).click();
    await page.locator('[aria-invalid=true]:focus').and(page.getByLabel(label)).waitFor();
    expect(await faultOfFocused(page)).to.equal('Fill this in.');
    expect(await page.getByRole('alert').count()).to.equal(0);
  };

  it('show that they are busy after 150 ms, and keep the focus while they are busy', async () => {
    const { page, open, close } = await visit(service);
    await open(`${project}/issues`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByLabel('Title').fill('Slow one');
    await page.getByRole('button', { name: 'Save' }).click();
    const busy = page.locator('button[aria-busy=true][aria-disabled=true]:focus', { hasText: 'Save' });
    await busy.waitFor();
    expect(await busy.evaluate((button) => getComputedStyle(button).animationDelay)).to.equal('0.15s');
    expect(await busy.evaluate((button) => getComputedStyle(button).animationName)).to.equal('busy');
    release();
    await page.getByRole('rowheader', { name: 'Slow one' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });

  it('show a tick at once, and take it back with the reason when it is refused', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /ERR_FAILED/ });
    await open(`${address}/checklist`);
    const tick = page.getByRole('checkbox', { name: 'Rollback' });
    await tick.waitFor();
    let refuse = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/checklist/*', async (route) => {
      await held;
      await route.abort();
    });
    await tick.click();
    await page.locator('input:checked').nth(1).waitFor();
    expect(await tick.isChecked()).to.equal(true);
    refuse();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await tick.isChecked()).to.equal(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });
});

describe('the focus, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    for (const name of ['first', 'second', 'third'])
      await service.person.createApiKey({ body: { name, scopes: ['read'], team_id: place.team_id } });
  });
  after(() => service.stop());

  const focusedName = (page: Page): Promise<string> =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '',
    );

  it('goes back to what opened a dialog, and from a removed row to the next one, the last one, the heading', async () => {
    const { page, open, close } = await visit(service);
    await open('/settings');
    const rows = page.getByRole('button', { name: /^Revoke/ });
    await rows.nth(1).waitFor();
    const names = await rows.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
    const revoke = async (name: string) => {
      await page.getByRole('button', { name }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByRole('button', { name }).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement !== document.body);
    };
    const [one = '', two = '', three = ''] = names;
    await page.getByRole('button', { name: two }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: two }).and(page.locator(':focus')).waitFor();
    await revoke(one);
    expect(await focusedName(page)).to.equal(two);
    await revoke(three);
    expect(await focusedName(page)).to.equal(two);
    await revoke(two);
    expect(await focusedName(page)).to.equal('API keys');
    await close();
  });

  it('stays in the row whose button went away, and goes back there after a change was undone', async () => {
    const { page, open, close } = await visit(service);
    await open(`${addressOf(place)}/checklist`);
    await page.getByRole('button', { name: 'Not applicable: Docs' }).press('Enter');
    await page.getByLabel('Reason').fill('Texts only');
    await page.getByLabel('Reason').press('Enter');
    await page.getByRole('button', { name: 'Applicable: Docs', exact: true }).press('Enter');
    await page.getByText('Docs: Open.').waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('li.item') !== null);
    expect(await page.locator('li.item', { has: page.locator(':focus') }).innerText()).to.contain('Docs');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone.').waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('li.item') !== null);
    await close();
  });
});

describe('a session that ends while something is entered, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
  });
  after(() => service.stop());

  const issues = async () => (await service.person.listIssues({ path: place })).body.data.map(({ title }) => title);

  /** Ends the session once Save is pressed: the dialog to sign in again would cover the button before. */
  const endSessionAtSave = (page: Page, { person }: Pick<Service, 'person'>) =>
    page.route(
      '**/issues',
      async (route) => {
        await person.signOut();
        await route.continue();
      },
      { times: 1 },
    );

  it('is renewed above the form, whose change then goes on', async () => {
    const grace = await joinedBy(service, place.team_id, 'member', 'Grace');
    const { page, open, close, expectAccessible } = await visit(grace, { mayComplain: /status of 401/ });
    await open(`${addressOf(place).split('/releases/')[0]}/issues`);
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Written for an hour');
    await endSessionAtSave(page, grace);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' });
    await dialog.waitFor();
    await expectAccessible('the session ended over a form');
    expect(await page.getByRole('heading', { level: 1 }).isVisible(), 'what was on the screen').to.equal(false);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('Email').inputValue()).to.equal('grace-member@example.org');
    await dialog.getByLabel('Password').and(page.locator(':focus')).fill('not it at all');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill('another long enough phrase');
    await dialog.getByLabel('Password').press('Enter');
    await page.getByRole('rowheader', { name: 'Written for an hour' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await issues()).to.deep.equal(['Written for an hour']);
    await page.getByText('Live', { exact: true }).waitFor();
    await close();
  });

  it('gives nothing of it to another person who signs in there', async () => {
    const linus = await joinedBy(service, place.team_id, 'member', 'Linus');
    const before = await issues();
    const { page, open, close } = await visit(linus, { mayComplain: /status of 401/ });
    await open(`${addressOf(place).split('/releases/')[0]}/issues`);
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Of Linus');
    await endSessionAtSave(page, linus);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' });
    await dialog.getByLabel('Email').fill(ADA.email);
    await dialog.getByLabel('Password').fill(ADA.password);
    await dialog.getByLabel('Password').press('Enter');
    await page.getByText(ADA.name, { exact: true }).first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'Issues of checkout' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await issues()).to.deep.equal(before);
    await close();
  });

  it('is renewed above the palette, which keeps the form below it', async () => {
    const ken = await joinedBy(service, place.team_id, 'member', 'Ken');
    const { page, open, close } = await visit(ken, { mayComplain: /status of 401/ });
    await open('/welcome');
    await page.getByLabel('Name of the team').fill('Kept');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await ken.person.signOut();
    await page.keyboard.type('check');
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' });
    await dialog.getByLabel('Password').fill('another long enough phrase');
    await dialog.getByLabel('Password').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name of the team').inputValue()).to.equal('Kept');
    await close();
  });

  it('is left without saving, if the person wants', async () => {
    const vera = await joinedBy(service, place.team_id, 'member', 'Vera');
    const { page, open, close } = await visit(vera, { mayComplain: /status of 401/ });
    await open(`${addressOf(place).split('/releases/')[0]}/issues`);
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Never mind');
    await endSessionAtSave(page, vera);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Leave without it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.content()).not.to.contain('Never mind');
    expect(await issues()).not.to.include('Never mind');
    await close();
  });
});
