import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** What has the focus, by its words. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? (activeElement as HTMLElement | null)?.innerText.trim() ?? '';
  });

const focusedHeading = (page: Page, name: string) =>
  page.waitForFunction(
    (text) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === text,
    name,
  );

describe('the application by keyboard alone, and its way back', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    await makeRelease(service.person, 'billing', '7.0');
    const { team_id, project_id } = path;
    await service.person.createRelease({ path: { team_id, project_id }, body: { name: '3.0 Gift cards' } });
  });
  after(() => service.stop());

  it('goes past the head by the skip link, and through what is there in the order it is read', async () => {
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    const walked: string[] = [];
    for (let step = 0; step < 7; step += 1) {
      await page.keyboard.press('Tab');
      walked.push(await focused(page));
    }
    expect(walked).to.deep.equal([
      'Skip to the content',
      'Shipworthy',
      'Projects',
      'Settings',
      'Search\nCtrl K',
      'Gate changes',
      'Sign out',
    ]);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.reload();
    await page.getByText('410 of 412 tests passed').waitFor();
    await page.keyboard.press('Tab');
    expect(
      await page
        .getByRole('link', { name: 'Skip to the content' })
        .evaluate((link) => link.getBoundingClientRect().top),
    ).to.be.at.least(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Projects');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).to.equal(true);
    await close();
  });

  it('walks from the projects to a ticked checklist item, the focus on each heading on the way', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    await page.getByRole('link', { name: 'checkout' }).focus();
    await page.keyboard.press('Enter');
    await focusedHeading(page, 'checkout');
    await page.getByRole('link', { name: 'Scorecard of 2.4' }).press('Enter');
    await focusedHeading(page, 'checkout 2.4');
    await page.getByRole('link', { name: 'Analysis' }).press('Enter');
    await focusedHeading(page, 'Analysis of checkout 2.4');
    await page.goBack();
    await focusedHeading(page, 'checkout 2.4');
    await page.getByRole('link', { name: 'Launch checklist' }).press('Enter');
    await focusedHeading(page, 'Launch checklist of checkout 2.4');
    await page.getByLabel('Rollback', { exact: true }).press('Space');
    await page.getByText('2 of 3 items done').waitFor();
    expect(
      await page.getByLabel('Rollback', { exact: true }).evaluate((box) => box === document.activeElement),
    ).to.equal(true);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('1 of 3 items done').waitFor();
    await close();
  });

  it('shows the shortcuts on ?, and gives the focus back', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    const checklist = page.getByRole('link', { name: 'Launch checklist' });
    await checklist.focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible('shortcuts');
    await page.keyboard.press('/');
    expect(await page.getByRole('dialog').count()).to.equal(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('a:focus', { hasText: 'Launch checklist' }).waitFor();
    await close();
  });

  it('ignores shortcuts in text fields', async () => {
    const { page, open, close } = await visit(service);
    await open('/welcome');
    await page.getByLabel('Name of the team').pressSequentially('What/why?');
    expect(await page.getByLabel('Name of the team').inputValue()).to.equal('What/why?');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await close();
  });

  it('comes back to where it was on the page, and begins a new screen at its top', async () => {
    const { page, open, close } = await visit(service);
    const place = () => page.evaluate(() => Math.round(scrollY));
    await open(addressOf(path));
    await page.getByRole('heading', { name: 'What if?' }).waitFor();
    await page.getByText('Deployments count from').scrollIntoViewIfNeeded();
    const before = await place();
    expect(before).to.be.above(200);
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/checklist"]')?.click());
    await focusedHeading(page, 'Launch checklist of checkout 2.4');
    expect(await place()).to.equal(0);
    await page.goBack();
    await focusedHeading(page, 'checkout 2.4');
    await page.waitForFunction((at) => Math.abs(scrollY - at) < 120, before);
    await page.goForward();
    await focusedHeading(page, 'Launch checklist of checkout 2.4');
    await close();
  });
});
