import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const operation = (page: Page, id: string) => page.locator(`details#${id}`);
const answer = (page: Page, id: string) => operation(page, id).locator('output pre');
const press = (page: Page, id: string) => operation(page, id).getByRole('button', { name: 'Try it' }).click();
const keyField = (page: Page) => page.getByLabel(/^API key for trying/);

describe('the page of the HTTP interface, in a browser', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await service.person.createTeam({ body: { name: 'Payments' } });
  });
  after(() => service.stop());

  it('finds operations, tries a read with the session, and leads back to the application', async () => {
    for (const [width, scheme] of [
      [390, 'dark'],
      [1280, 'light'],
    ] as const) {
      const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
      await open('/');
      await page.getByRole('link', { name: 'HTTP interface' }).click();
      await page.getByLabel('Find an operation').fill('TEAMS in sight');
      await page.getByText(/^\d+ of \d+ operations$/).waitFor();
      expect(await page.locator('details:visible').count()).to.be.below(10);
      await operation(page, 'listTeams').locator('summary').press('Enter');
      await press(page, 'listTeams');
      await answer(page, 'listTeams').getByText('Payments').waitFor();
      expect(await answer(page, 'listTeams').textContent()).to.match(/^200/);
      await expectAccessible(`the interface at ${width} pixels, ${scheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(width);
      await page.getByRole('link', { name: 'Back to the application' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/');
      await close();
    }
  });

  it('heeds words that were written before its script had come', async () => {
    const { page, open, close } = await visit(service);
    let letCome = (): void => undefined;
    const awaited = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route('**/try.js', async (route) => {
      await awaited;
      await route.continue();
    });
    const opened = open('/api/docs');
    await page.getByLabel('Find an operation').fill('teams in sight');
    letCome();
    await opened;
    await page.getByText(/^\d+ of \d+ operations$/).waitFor();
    await close();
  });

  it('asks before it sends what may change data, with the focus on the way back', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/api/docs#createTeam');
    await operation(page, 'createTeam').getByLabel('Body').fill('{"name":"Search"}');
    await press(page, 'createTeam');
    await page.getByRole('dialog').getByText('POST /api/teams may change data of this server.').waitFor();
    await expectAccessible('the question');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await answer(page, 'createTeam').count()).to.equal(0);
    await press(page, 'createTeam');
    await page.keyboard.press('Escape');
    const names = async () => (await service.person.listTeams()).body.data.map(({ name }) => name);
    expect(await names()).to.deep.equal(['Payments']);
    await press(page, 'createTeam');
    await page.getByRole('button', { name: 'Send it', exact: true }).click();
    await answer(page, 'createTeam').getByText('"Search"').waitFor();
    expect(await names()).to.have.members(['Payments', 'Search']);
    await close();
  });

  it('needs what the path names, and chooses where values are few', async () => {
    const { page, open, close } = await visit(service);
    await open('/api/docs#listReleases');
    await press(page, 'listReleases');
    expect(await answer(page, 'listReleases').count()).to.equal(0);
    const state = operation(page, 'listReleases').getByLabel(/^state/);
    expect(await state.locator('option').allTextContents()).to.include.members(['planned', 'shipped']);
    await open('/api/docs#followEvents');
    await operation(page, 'followEvents').getByText('cannot be tried here').waitFor();
    await close();
  });

  it('uses a key in place of the session, and forgets it and every answer when it is left', async () => {
    const { body } = await service.person.createApiKey({ body: { name: 'reader', scopes: ['read'], all_teams: true } });
    const { key } = body.data;
    const { page, open, close, context } = await visit(service, { mayComplain: /401/ });
    await open('/api/docs#whoAmI');
    await keyField(page).fill(key);
    await press(page, 'whoAmI');
    await answer(page, 'whoAmI').getByText('reader').waitFor();
    await keyField(page).fill('no-key');
    await press(page, 'whoAmI');
    await answer(page, 'whoAmI').getByText(/^401/).waitFor();
    await keyField(page).fill(key);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).to.not.contain(key);
    expect(JSON.stringify(await context.storageState())).to.not.contain(key);
    expect(page.url()).to.not.contain(key);
    await page.getByRole('link', { name: 'Back to the application' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await keyField(page).waitFor();
    expect(await keyField(page).inputValue()).to.equal('');
    expect(await page.locator('details output pre').count()).to.equal(0);
    await close();
  });
});
