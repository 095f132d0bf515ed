import { createClient } from '@shipworthy/client';
import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath, trendWritten } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const SCREENS = [
  [1280, 'light'],
  [1280, 'dark'],
  [320, 'light'],
  [320, 'dark'],
] as const;

describe('the scorecard, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
  });
  after(() => service.stop());

  it('says of a release nothing was reported for what is not measured, and what to do', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('heading', { name: 'checkout 2.4' }).waitFor();
    const gate = page.getByRole('region', { name: 'Ship gate' });
    expect(await gate.textContent()).to.match(/Hold/);
    expect(await page.getByRole('list', { name: 'The five axes' }).textContent()).to.contain('Not measured');
    await page.getByRole('region', { name: 'Score over time' }).waitFor();
    await expectAccessible('empty scorecard');
    await close();
  });

  it('shows the score of one axis small and grey, behind what it covers, and unknown as the headline', async () => {
    const partial = await makeRelease(service.person, 'basket');
    const { body } = await service.person.listChecklist({ path: partial });
    for (const { id } of body.data)
      await service.person.changeChecklistItem({ path: { ...partial, item_id: id }, body: { state: 'done' } });
    const { page, open, close, expectAccessible } = await visit(service);
    const project = `/teams/${partial.team_id}/projects/${partial.project_id}`;
    for (const [address, covers] of [
      [addressOf(partial), '1 of 5 measured'],
      [project, '1 of 5 measured'],
      ['/', '20 % measured'],
    ] as const) {
      await open(address);
      const score = page.getByText('Score 100.0').first();
      await score.waitFor();
      await page.getByText(covers, { exact: true }).first().waitFor();
      await page.getByText('Unknown', { exact: true }).first().waitFor();
      const pixels = await score.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(pixels, address).to.be.below(16);
      expect(await page.locator('.verdict-number, .standing-score, .portfolio-score').count(), address).to.equal(0);
      await expectAccessible(`a score of one axis at ${address}`);
    }
    await close();
  });

  it('names in the trend and in what changed who did it, with the way to each record', async () => {
    const moved = await makeRelease(service.person, 'invoices');
    await trendWritten(service.person, moved);
    const from = new Date().toISOString();
    const made = await service.person.createApiKey({
      body: { name: 'ci of invoices', scopes: ['test-runs:write'], team_id: moved.team_id },
    });
    const pipeline = createClient({ baseUrl: service.url, apiKey: made.body.data.key });
    await pipeline.recordTestRun({ path: moved, body: { total: 3, passed: 3, failed: 0 } });
    const title = 'Invoices in Dutch';
    await service.person.createIssue({
      path: moved,
      body: { title, type: 'task', state: 'todo', release_id: moved.release_id },
    });
    await trendWritten(service.person, moved);
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${addressOf(moved)}/difference?${new URLSearchParams({ from })}`);
    const records = page.getByRole('region', { name: 'Records that changed it' });
    const run = records.getByRole('row').filter({ hasText: '3 of 3 passed' });
    await run.getByText('ci of invoices (API key)').waitFor();
    await records.getByRole('row').filter({ hasText: title }).getByText('Ada', { exact: true }).waitFor();
    await expectAccessible('what changed, with who did it');
    const table = await downloaded(page, 'difference.csv', 'changed records');
    expect(table)
      .to.contain(',"test_run","3 of 3 passed","recorded","verification","ci of invoices","api_key",')
      .and.contain(`,"issue","${title}","added","scope","Ada","person",`);
    await run.getByRole('link', { name: 'Test run' }).click();
    await page.getByRole('heading', { name: /^Test runs/, level: 1 }).waitFor();
    await open(addressOf(moved));
    await page.getByRole('region', { name: 'Score over time' }).locator('summary').first().click();
    await page.getByText(/by .*ci of invoices \(API key\)/).waitFor();
    await page.getByRole('link', { name: '1 test run' }).waitFor();
    await expectAccessible('the trend, with who moved it');
    await page.setViewportSize({ width: 390, height: 844 });
    const points = page.getByRole('region', { name: /^Readiness score of .* over time$/ });
    const beside = await points.evaluate((room) => room.scrollWidth - room.clientWidth);
    expect(beside, 'each point is a card on a phone').to.equal(0);
    await expectAccessible('the trend as cards');
    await close();
  });

  for (const [width, scheme] of SCREENS)
    it(`shows decision, score with coverage, axes, reasons and next steps, ${scheme} at ${width} px`, async () => {
      if (width === 1280 && scheme === 'light') await fill(service.person, path);
      const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
      await open(addressOf(path));
      const gate = page.getByRole('region', { name: 'Ship gate' });
      await gate.getByText('Hold', { exact: true }).waitFor();
      const { body } = await service.person.readReadiness({ path });
      expect(await gate.textContent()).to.contain(`${(Math.floor((body.data.score ?? 0) * 10) / 10).toFixed(1)}5 of 5`);
      await page.getByText('Ops is at 33.33, below its minimum of 100').first().waitFor();
      await page.getByRole('link', { name: 'Tick 2 checklist items: Feature flag, Rollback' }).waitFor();
      await page.getByRole('img', { name: 'Readiness score of checkout 2.4 over time' }).waitFor();
      await page.getByRole('region', { name: 'What if: result' }).waitFor();
      await expectAccessible('filled scorecard');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, 'nothing scrolls sideways').to.be.at.most(0);
      await close();
    });

  it('keeps what it knew when it cannot be read again, with its age, a way to retry, and the id of the request', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 500/ });
    await open(addressOf(path));
    await page.getByText('Ops is at 33.33').first().waitFor();
    await page.route('**/readiness', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        headers: { 'x-request-id': 'r-4711' },
        body: JSON.stringify({
          type: 'https://x/api/docs/problems/internal',
          title: 'Internal error',
          status: 500,
          detail: 'Something broke.',
          instance: '/',
          request_id: 'r-4711',
        }),
      }),
    );
    await service.person.createIssue({
      path,
      body: { title: 'One more', type: 'task', state: 'todo', release_id: path.release_id },
    });
    await page.getByText('Something broke.').waitFor();
    await page.getByText('Request r-4711').waitFor();
    await page.getByText(/What follows was read/).waitFor();
    await page.getByText('Ops is at 33.33').first().waitFor();
    await expectAccessible('failing scorecard');
    await page.unroute('**/readiness');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Something broke.').waitFor({ state: 'detached' });
    await page.getByText('5 of 7 issues done').waitFor();
    await close();
  });

  it('says that a release is not there', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 404/ });
    await open(addressOf({ ...path, release_id: '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d80' }));
    await page.getByText('It may have been removed, or you may not have access to it.').waitFor();
    await expectAccessible('release that is gone');
    await close();
  });

  it('shows a viewer everything, and offers nothing a viewer may not do', async () => {
    const grace = await joinedBy(service, path.team_id, 'viewer');
    const { page, open, close, expectAccessible } = await visit(grace);
    await open(addressOf(path));
    await page.getByText('Ops is at 33.33').first().waitFor();
    await page.getByRole('slider', { name: 'Issues done' }).waitFor();
    for (const name of [/Ship/, /^Waive/, 'Move to planned', 'Cancel release'])
      expect(await page.getByRole('button', { name }).count(), String(name)).to.equal(0);
    await expectAccessible('scorecard of a viewer');
    await close();
  });

  it('opens an axis by its card, and goes back', async () => {
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('link', { name: 'Stability' }).click();
    await page.getByRole('heading', { name: 'Stability', level: 1 }).waitFor();
    await page.getByRole('link', { name: '2.4', exact: true }).click();
    await page.getByRole('heading', { name: 'checkout 2.4' }).waitFor();
    await close();
  });
});
