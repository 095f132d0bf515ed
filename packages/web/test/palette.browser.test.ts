import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** Reads backwards and forwards, and would be marked up and reorder a line if it were let. */
const HOSTILE = '<b onclick="alert(1)">קניות \u05d0\u05d1 &amp; cart</b> 100%_';
const ENDLESS = 'endless-'.repeat(20);

const focusedHeading = (page: Page, name: string) =>
  page.waitForFunction(
    (text) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === text,
    name,
  );

const field = (page: Page) => page.getByRole('combobox', { name: 'Find a project, release, issue, screen or action' });
const chosen = (page: Page) => page.getByRole('option', { selected: true });

/** What assistive technology is told to be chosen. */
const toldChosen = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant');
    return id === null ? null : (document.getElementById(id)?.innerText.replace(/\s+/g, ' ').trim() ?? 'nothing');
  });

describe('the command palette', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    await makeRelease(service.person, 'billing', '7.0');
    const { team_id, project_id } = path;
    await service.person.createRelease({ path: { team_id, project_id }, body: { name: '3.0 Gift cards' } });
    await service.person.createProject({ path: { team_id }, body: { name: HOSTILE } });
    await service.person.createProject({ path: { team_id }, body: { name: ENDLESS } });
  });
  after(() => service.stop());

  it('goes to projects, releases and issues by the keyboard alone', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/settings');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('gift check');
    await page.getByRole('option', { name: /3.0 Gift cards/ }).waitFor();
    await page.getByText('1 result.').waitFor({ state: 'attached' });
    expect(await toldChosen(page)).to.equal('checkout 3.0 Gift cards Release · Planned');
    await expectAccessible('one result');
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'checkout 3.0 Gift cards');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    // The next release is shown by the same screen.
    await page.keyboard.press('/');
    await field(page).fill('billing 7');
    await page.getByRole('option', { name: /7.0/ }).waitFor();
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'billing 7.0');
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('coupons');
    await page.getByRole('option', { name: /Cart forgets coupons/ }).waitFor();
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'Issues of checkout');
    await page.getByRole('rowheader', { name: /Cart forgets coupons/ }).waitFor();
    expect(await page.getByRole('rowheader').count()).to.equal(1);
    await page.getByRole('link', { name: 'All issues' }).press('Enter');
    await page.getByRole('rowheader', { name: /Pay by invoice/ }).waitFor();
    await close();
  });

  it('offers the screens and actions of the place it is opened at, and waits for no answer to go there', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { scheme: 'dark' });
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'This release' }).waitFor();
    expect(await toldChosen(page)).to.equal('Scorecard');
    await page.keyboard.press('ArrowDown');
    expect(await toldChosen(page)).to.equal('Launch checklist');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await toldChosen(page)).to.equal('Sign out Account');
    expect(
      await chosen(page).evaluate((option) => {
        const [line, list] = [
          option.getBoundingClientRect(),
          option.closest('[role=listbox]')?.getBoundingClientRect(),
        ];
        return list !== undefined && line.bottom <= list.bottom + 1;
      }),
    ).to.equal(true);
    await expectAccessible('screens and actions');
    await page.keyboard.type('gate');
    expect(await toldChosen(page)).to.equal('Gate policy This project');
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'Gate policy of checkout');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new issue');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New issue' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => location.search === '');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new release');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New release' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('light app');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.documentElement.dataset.scheme === 'light');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortc');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.getByText('Find a project, release, issue or screen').waitFor();
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog').count()).to.equal(1);
    await close();
  });

  it('offers a viewer nothing that a viewer may not do', async () => {
    const viewer = await joinedBy(service, path.team_id, 'viewer');
    const { page, open, close } = await visit(viewer);
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /^Gate policy/ }).waitFor();
    for (const name of [/^New issue/, /^New release/, /^Record a test run/, /^Audit log/, /^People/])
      expect(await page.getByRole('option', { name }).count(), String(name)).to.equal(0);
    await close();
  });

  it('opens from a text field, closes by its key and by Escape, and gives the focus back', async () => {
    const { page, open, close } = await visit(service);
    await open('/welcome');
    const name = page.getByLabel('Name of the team');
    await name.pressSequentially('Na/me');
    for (const end of ['Control+k', 'Escape']) {
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await page.keyboard.press(end);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await name.evaluate((input) => input === document.activeElement)).to.equal(true);
    }
    expect(await name.inputValue()).to.equal('Na/me');
    await page.getByRole('button', { name: 'Search' }).click();
    await field(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Search' }).evaluate((it) => it === document.activeElement)).to.equal(
      true,
    );
    await close();
  });

  it('shows names of both writing directions as they are, on a phone in both schemes', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme });
      await page.setViewportSize({ width: 390, height: 844 });
      await open('/');
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
      await page.getByRole('button', { name: 'Search' }).click();
      await field(page).pressSequentially('100%_');
      await page.getByText(HOSTILE, { exact: true }).last().waitFor();
      expect(await chosen(page).locator('bdi').first().textContent()).to.equal(HOSTILE);
      expect(await page.locator('.palette b').count()).to.equal(0);
      await expectAccessible(`a hostile name, ${scheme}`);
      await field(page).fill('endless');
      await page.getByRole('option', { name: new RegExp(ENDLESS) }).waitFor();
      const overflow = await page.locator('.palette').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
      expect(overflow).to.equal(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390);
      await chosen(page).click();
      await focusedHeading(page, ENDLESS);
      await close();
    }
  });

  it('drops answers to what is no longer asked, and asks once for what is typed at a stretch', async () => {
    const { page, open, close } = await visit(service);
    const asked: string[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/api/search?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? '';
      asked.push(q);
      if (q === 'bill') await held;
      await route.continue().catch(() => undefined);
    });
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await field(page).fill('bill');
    await page.getByText('Searching').waitFor({ state: 'attached' });
    while (!asked.includes('bill')) await page.waitForTimeout(20);
    await field(page).fill('gift');
    await page.getByRole('option', { name: /Gift cards/ }).waitFor();
    letGo();
    await page.getByText('1 result.').waitFor({ state: 'attached' });
    expect(await page.getByRole('option', { name: /billing/ }).count()).to.equal(0);
    expect(asked).to.deep.equal(['bill', 'gift']);
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    // Enter before the answer goes to what the answer says, not to what an earlier one said.
    await page.keyboard.press('Control+k');
    await field(page).fill('billing');
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'billing');
    await close();
  });

  it('says that it cannot search, and tries again', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /Failed to load resource/ });
    let broken = true;
    await page.route('**/api/search?*', (route) =>
      broken
        ? route.fulfill({
            status: 501,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: '/api/docs/problems/not-offered',
              title: 'Not offered',
              status: 501,
              detail: 'Search is away.',
            }),
          })
        : route.continue(),
    );
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('bill');
    await page.getByRole('alert').getByText('Search is away.').waitFor();
    await expectAccessible('a failed search');
    broken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('option', { name: /billing/ }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    expect(await field(page).evaluate((input) => input === document.activeElement)).to.equal(true);
    await field(page).fill('no such thing');
    await page.getByText('No results.').waitFor();
    await expectAccessible('nothing found');
    await close();
  });

  it('keeps what is typed before its own file has come', async () => {
    const { page, open, close } = await visit(service);
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/assets/palette-*.js', (route) => sent.then(() => route.continue()));
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bil');
    expect(await page.getByRole('dialog').getByLabel('Find').inputValue()).to.equal('bil');
    send();
    await field(page).waitFor();
    await page.keyboard.type('ling');
    expect(await field(page).inputValue()).to.equal('billing');
    await page.getByRole('option', { name: /billing/ }).waitFor();
    await close();
  });

  it('reloads the page once for a file that is gone for good, and says then that it did not come', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /Failed to load resource/ });
    await page.route('**/assets/palette-*.js', (route) => route.abort());
    await open('/settings/account');
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+k')]);
    await heading.waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').getByText('The search could not be loaded.').waitFor();
    await close();
  });

  it('says that its own file did not come, and tries again', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /Failed to load resource/ });
    let [isAway, isGone] = [true, true];
    await page.route('**/assets/palette-*.js', (route) => (isGone ? route.abort() : route.continue()));
    // The file is there again only once Retry is pressed: loaded ahead, it would take the button away.
    await page.route('**/livez', (route) => {
      if (isAway) return route.abort();
      isGone = false;
      return route.continue();
    });
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').getByText('The search could not be loaded.').waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await close();
  });
});
