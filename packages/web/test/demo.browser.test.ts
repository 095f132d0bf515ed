import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { makeRelease } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the demo, in a browser', () => {
  const stores = memoryStores();
  let service: Service;
  before(async () => {
    service = await startService({ stores, demo: true });
    while ((await stores.teams.demo()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  after(() => service.stop());

  it('is marked as sample data, and shows a release with go, one with hold and one with unknown', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('Demo data').waitFor();
    await page.getByRole('button', { name: 'Remove it' }).waitFor();
    await expectAccessible('projects with a demo');
    await page.getByRole('link', { name: 'demo-shop' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'demo-shop' }).waitFor();
    for (const name of ['1.0 Search', '1.1 Gift cards', '1.0.1 Repair'])
      await page.getByRole('link', { name, exact: true }).first().waitFor();
    await page.getByRole('link', { name: '1.1 Gift cards', exact: true }).first().click();
    await page.getByText('1 critical bug open, at most 0 allowed').first().waitFor();
    await close();
  });

  it('is not offered as a team for a project of one’s own, which would be removed with it', async () => {
    const { page, open, close } = await visit(service);
    await open('/welcome');
    await page.getByLabel('Name of the team').waitFor();
    expect(await page.getByRole('button', { name: 'Demo', exact: true }).count()).to.equal(0);
    await close();
  });

  it('fits a narrow screen in the dark', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    await open('/');
    await page.getByText('Demo data').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await expectAccessible('projects with a demo, narrow and dark');
    await close();
  });

  it('goes by one click, by keyboard too, and takes nothing else with it', async () => {
    await makeRelease(service.person, 'billing', '1.0');
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('2 projects').waitFor();
    await page.getByRole('button', { name: 'Remove it' }).press('Enter');
    await page.getByText('1 project', { exact: true }).waitFor();
    expect(await page.getByText('Demo data').count()).to.equal(0);
    await page.getByRole('link', { name: 'billing' }).waitFor();
    await expectAccessible('projects without the demo');
    await page.reload();
    await page.getByText('1 project', { exact: true }).waitFor();
    await close();
  });
});
