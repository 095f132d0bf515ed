import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { isMarked, mark } from './browser/reload-mark.js';
import { startServerProcess } from './browser/server-process.js';
import { ADA, clientWith, cookiesOf, type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const NETWORK =
  /ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED|EMPTY|CONNECTION_RESET|INTERNET_DISCONNECTED|NETWORK_CHANGED)/;
/** A server that ends or begins also answers 503 for a moment. */
const RESTART = new RegExp(`${NETWORK.source}|status of 503`);

describe('the application when something fails', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
  });
  after(() => service.stop());

  it('waits for a server that is restarted, and goes on by itself without a reload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shipworthy-restart-'));
    const server = await startServerProcess(folder);
    const { headers } = await createClient({ baseUrl: server.url, timeoutMs: 120_000 }).setUp({
      body: { setup_token: server.setupToken, ...ADA },
    });
    const cookies = cookiesOf(server.url, headers);
    const person = clientWith(server.url, cookies);
    const place = await makeRelease(person);
    const { page, open, close } = await visit({ url: server.url, cookies }, { mayComplain: RESTART });
    await open(addressOf(place));
    await page.getByText('Live', { exact: true }).waitFor();
    await mark(page);
    await server.end();
    await page.getByText('Waiting for the server').waitFor();
    await page.getByText('0 of 3 checklist items done').waitFor();
    await server.start();
    await page.getByText('Live', { exact: true }).waitFor();
    await person.recordTestRun({ path: place, body: { total: 10, passed: 9, failed: 1 } });
    await page.getByText('9 of 10 tests passed').waitFor();
    expect(await isMarked(page)).to.equal(true);
    await close();
    await server.end();
    await rm(folder, { recursive: true });
  });

  it('says on a slow network that it is loading, and takes a second click for no second wish', async () => {
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    let ticks = 0;
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'PATCH') ticks += 1;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await page.getByRole('link', { name: 'Launch checklist' }).click();
    await page.locator('.skeleton').first().waitFor();
    await page.getByLabel('Docs', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Not applicable: Docs' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('A release of texts only');
    await page.getByRole('button', { name: 'Mark not applicable' }).dblclick();
    await page.getByText('Not applicable by Ada').waitFor();
    expect(ticks).to.equal(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });

  /** Leaves a scorecard that was read, and comes back to it with the network gone. */
  const comeBackWithout = async (page: Page, leave: () => Promise<unknown>) => {
    await page.getByText('410 of 412 tests passed').waitFor();
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'checkout' }).click();
    await page.getByRole('heading', { level: 1, name: 'checkout' }).waitFor();
    await leave();
    await page.goBack();
    await page.getByText('410 of 412 tests passed').waitFor();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.getByText('What follows was read just now.').first().waitFor();
  };
  const allIsRead = (page: Page) => page.waitForFunction(() => document.querySelector('.notice.bad') === null);

  it('keeps what it knows with its age when the network goes, and reads again by itself', async () => {
    const { page, context, open, close, expectAccessible } = await visit(service, { mayComplain: NETWORK });
    await open(addressOf(path));
    await comeBackWithout(page, () => context.setOffline(true));
    await expectAccessible('offline');
    await context.setOffline(false);
    await allIsRead(page);
    await page.getByText('Live', { exact: true }).waitFor();
    await close();
  });

  it('reads again on one Retry everything that failed', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /ERR_FAILED/ });
    await open(addressOf(path));
    await comeBackWithout(page, () => page.route('**/api/**', (route) => route.abort()));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await allIsRead(page);
    await close();
  });

  it('shows the way in when the session ended elsewhere, and comes back to the same address', async () => {
    const { page, context, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 401/ });
    await open(`${addressOf(path)}/checklist`);
    await page.getByLabel('Docs', { exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto('/settings');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible('the session ended');
    await page.getByLabel('Email').fill(ADA.email);
    await page.getByLabel('Password').fill(ADA.password);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Launch checklist of checkout 2.4' }).waitFor();
    await close();
  });
});
