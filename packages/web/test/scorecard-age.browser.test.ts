import type { ReadinessReport } from '@shipworthy/client';
import { expect } from 'chai';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

describe('how old a scorecard is, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await service.person.changeRelease({ path, body: { starts_at: ago(200) } });
    const { body } = await service.person.readPolicy({ path });
    const { version, ...policy } = body.data;
    await service.person.replacePolicy({ path, ifMatch: version, body: { ...policy, silence_hours: 24 } });
    await service.person.recordDeployment({
      body: {
        app_name: 'checkout',
        environment: 'production',
        commit_sha: '0123abc',
        status: 'success',
        started_at: ago(75),
        finished_at: ago(75),
      },
    });
    await service.person.recordTestRun({ path, body: { total: 10, passed: 10, failed: 0, ran_at: ago(5) } });
  });
  after(() => service.stop());

  it('says which source fell silent and when the tests ran, on the card and where the axis is opened', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    const notice = 'No deployment was reported for too long. The last one came 3 days ago';
    await page.getByText(notice).waitFor();
    const cards = page.getByRole('list', { name: 'The five axes' }).getByRole('listitem');
    expect(await cards.nth(3).textContent()).to.contain('ran 5 hours ago');
    expect(await cards.nth(4).textContent()).to.contain('silent, last 3 days ago');
    await expectAccessible('a silent source');
    await cards.nth(4).getByRole('link').click();
    await page.getByRole('heading', { name: 'Stability', level: 1 }).waitFor();
    await page.getByText(notice).waitFor();
    await close();
  });

  it('says as of when the issues are known while their host cannot be read', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await page.route('**/readiness', async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: ReadinessReport };
      const axes = data.axes.map((reading) => (reading.axis === 'scope' ? { ...reading, as_of: ago(50) } : reading));
      await route.fulfill({ response: answer, json: { data: { ...data, axes } } });
    });
    await open(addressOf(path));
    await page.getByText('as of 2 days ago').waitFor();
    await expectAccessible('issues as of earlier');
    await close();
  });

  it('shows the shape of what is to come on a slow network, and lists the course as a table', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/waivers', async (route) => {
      await held;
      await route.continue();
    });
    await open(addressOf(path));
    await page.getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Projects' }).last().waitFor();
    await expectAccessible('scorecard that is loading');
    letThrough();
    const history = page.getByRole('region', { name: 'Score over time', exact: true });
    await history.getByText('Show as a table').press('Enter');
    const table = page.getByRole('region', { name: 'Readiness score of checkout 2.4 over time' });
    expect(await table.getByRole('row').first().textContent()).to.equal('WhenScoreMeasuredGateWhat moved it');
    expect(await table.getByRole('row').nth(1).textContent()).to.match(/of 5Hold.+/);
    await expectAccessible('course as a table');
    await close();
  });
});
