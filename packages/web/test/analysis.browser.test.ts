import { expect } from 'chai';
import { startGrown } from './browser/grown-release.js';
import { addressOf, type ReleasePath } from './browser/places.js';
import type { Service } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the analysis of a release, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    ({ service, path } = await startGrown());
    address = `${addressOf(path)}/analysis`;
  });
  after(() => service.stop());

  it('is read: progress, scope change, open bugs, lead, earlier releases and what moved the score', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByRole('heading', { name: 'Analysis of checkout 2.4' }).waitFor();
    await page.getByText('Nothing here is part of the readiness score.').waitFor();
    await page
      .getByText(/^2 of 4 issues are done; on .* it was 0 of 2\.$/)
      .first()
      .waitFor();
    await page
      .getByText(/^Since start: 3 issues added, 1 left, net \+2/)
      .first()
      .waitFor();
    await page
      .getByText(/^1 of 2 bugs is open; peak 2/)
      .first()
      .waitFor();
    for (const name of ['Issues of', 'Scope change of', 'Open bugs of', 'Readiness score of'])
      await page.getByRole('img', { name: new RegExp(`^${name} checkout 2\\.4 over time`) }).waitFor();
    const lead = page.getByRole('region', { name: 'Lead from the first deployment' });
    expect(await lead.innerText()).to.match(
      /First deployment\s+7 days ago[\s\S]*To shipping\s+not yet[\s\S]*1 of 2 succeeded/,
    );
    const compared = page.getByRole('region', { name: 'This release and earlier ones' });
    expect(await compared.getByRole('row').nth(2).innerText()).to.match(/2\.3[\s\S]*7 days\s+1 of 1/);
    await page.getByRole('list', { name: 'What moved the score' }).waitFor();
    await expectAccessible('analysis');
    await close();
  });

  it('says that the lead is not known where deployments were removed for their age', async () => {
    const { page, open, close } = await visit(service);
    await page.route(/\/analysis(\?|$)/, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      const response = await route.fetch();
      const json = await response.json();
      for (const name of Object.keys(json.data.release.lead)) json.data.release.lead[name] = null;
      return route.fulfill({ response, json });
    });
    await open(address);
    const lead = page.getByRole('region', { name: 'Lead from the first deployment' });
    await lead.getByText('Not known: deployments of its window were removed for their age.').waitFor();
    await close();
  });

  it('has every drawing as a table, and all of it as CSV', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    await open(address);
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText('Show as a table').click();
    const table = progress.getByRole('row');
    expect(await table.last().innerText()).to.match(/\s2\s+4$/);
    await page.getByLabel('Interval').selectOption('Every change');
    await page.waitForURL(/step=change/);
    await expectAccessible('tables');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Progress as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).to.match(/\.csv$/);
    const content: Uint8Array[] = [];
    for await (const piece of await download.createReadStream()) content.push(piece);
    expect(Buffer.concat(content).toString().split('\r\n')[0]).to.contain('open_bugs');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await close();
  });

  it('leads from a point of the score to what changed since the one before, record by record', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(address);
    const score = page.getByRole('figure').filter({ has: page.getByRole('img', { name: /^Readiness score of/ }) });
    await score.getByText('Show as a table').click();
    await service.person.recordDeployment({
      body: { app_name: 'checkout', environment: 'production', commit_sha: '0123abc', status: 'failure' },
    });
    const moved = score.getByRole('row').filter({ has: page.getByRole('link', { name: '1 deployment' }) });
    await moved.getByRole('link', { name: 'What changed' }).click();
    await page.getByRole('heading', { name: 'What changed in checkout 2.4' }).waitFor();
    const records = page.getByRole('region', { name: 'Records that changed it' });
    await records.getByText('production, failure').waitFor();
    await page
      .getByRole('region', { name: 'Before and after' })
      .getByRole('rowheader', { name: 'Stability' })
      .waitFor();
    await expectAccessible('what changed');
    await page.getByLabel('From').fill('2199-01-01T00:00:00');
    await page.getByRole('alert').waitFor();
    await expectAccessible('what changed, a moment that has not come');
    await page.getByLabel('From').fill('');
    await page.getByText('Choose the earlier moment').waitFor();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await records.getByText('production, failure').waitFor();
    await close();
  });

  it('shows an example that says so, before there is an issue', async () => {
    const { body } = await service.person.createRelease({ path, body: { name: '2.5' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${addressOf({ ...path, release_id: body.data.id })}/analysis`);
    await page.getByRole('heading', { name: 'Nothing to analyse yet' }).waitFor();
    expect(await page.getByText('Example', { exact: true }).count()).to.equal(3);
    await page.getByRole('img', { name: /^Issues of an example release/ }).waitFor();
    await expectAccessible('example');
    await close();
  });

  it('is not there for a release that is not', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 404/ });
    await open(`${addressOf({ ...path, release_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e' })}/analysis`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await close();
  });
});
