import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { isMarked, mark } from './browser/reload-mark.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('a screen whose files do not come, or that breaks', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
  });
  after(() => service.stop());

  it('stays on its feet where a screen is loaded for the first time without a network', async () => {
    const { page, context, open, close, expectAccessible } = await visit(service, {
      mayComplain: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|dynamically imported module/,
    });
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Analysis' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await expectAccessible('a screen that did not come');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Analysis of checkout 2.4' }).waitFor();
    await close();
  });

  it('loads the page anew, once, when the files it came with are gone from an upgraded server', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 404|dynamically imported module/ });
    await open(addressOf(path));
    await page.getByRole('heading', { name: 'What if?' }).waitFor();
    await mark(page);
    let isUpgraded = true;
    let loads = 0;
    page.on('load', () => {
      loads += 1;
      isUpgraded = false;
    });
    await page.route('**/assets/*.js', (route) =>
      isUpgraded ? route.fulfill({ status: 404, body: 'gone' }) : route.continue(),
    );
    await page.route(`**${addressOf(path)}/analysis`, (route) => {
      isUpgraded = false;
      return route.continue();
    });
    await page.getByRole('link', { name: 'Analysis' }).click();
    await page.getByRole('heading', { name: 'Analysis of checkout 2.4' }).waitFor();
    expect(loads).to.equal(1);
    expect(await isMarked(page)).to.equal(false);
    await close();
  });

  it('does not reload for ever where the files stay gone', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 404|dynamically imported module/ });
    await open('/');
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/assets/api-keys-*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.waitForTimeout(1_000);
    expect(loads).to.equal(1);
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    await close();
  });

  it('keeps its frame and says so when a screen fails on an unexpected answer', async () => {
    const { page, open, complaints, context, expectAccessible } = await visit(service);
    await open('/');
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    const gate = { decision: 'hold' };
    await page.route('**/readiness', (route) => route.fulfill({ json: { data: { project: {}, release: {}, gate } } }));
    await page.getByRole('link', { name: '2.4' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await expectAccessible('a broken screen');
    expect(complaints.some((line) => line.startsWith('fault: '))).to.equal(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'checkout 2.4' }).waitFor();
    await context.close();
  });

  it('gives way to the next screen, without a reload', async () => {
    const { page, open, context } = await visit(service);
    await open('/');
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    await mark(page);
    const gate = { decision: 'hold' };
    await page.route('**/readiness', (route) => route.fulfill({ json: { data: { project: {}, release: {}, gate } } }));
    await page.getByRole('link', { name: '2.4' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    expect(await isMarked(page)).to.equal(true);
    await context.close();
  });
});
