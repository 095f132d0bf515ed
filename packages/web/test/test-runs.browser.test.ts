import { expect } from 'chai';
import { fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the test runs of a project, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let list: string;
  const record = (body: { readonly suite?: string; readonly ran_at?: string; readonly passed?: number }) =>
    service.person.recordTestRun({ path, body: { total: 40, passed: 40, failed: 0, ...body } });
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    list = `/teams/${path.team_id}/projects/${path.project_id}/test-runs`;
    await record({ suite: 'end to end', ran_at: '2026-01-05T09:30:00Z' });
  });
  after(() => service.stop());

  it('are listed latest first, with what each counts for, and filtered by suite and release', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    const rows = page.getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).innerText()).to.match(
      /unit\s+410 of 412\s+99\.5 %\s+2\s+–\s+0123abc[\s\S]*Counts for 2\.4/,
    );
    expect(await rows.nth(2).innerText()).to.contain('Not for 2.4: a newer run counts');
    await expectAccessible('test runs');
    await page.getByLabel('Find a test run').fill('0123ABC unit');
    await page.getByText('This is the only one.').waitFor();
    expect(new URL(page.url()).search).to.equal('?text=0123ABC+unit');
    await page.getByLabel('Find a test run').fill('');
    await page.getByText('All 2 test runs are shown.').waitFor();
    await page.getByLabel('Sort').selectOption('Oldest first');
    await rows.nth(1).getByText('end to end').waitFor();
    expect(new URL(page.url()).search).to.equal('?order=asc');
    await page.getByLabel('Sort').selectOption('Newest first');
    await rows.nth(2).getByText('end to end').waitFor();
    await page.getByLabel('Suite').selectOption('end to end');
    await page.getByText('This is the only one.').waitFor();
    expect(page.url()).to.contain('suite=end+to+end');
    await page.reload();
    await page.getByText('This is the only one.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByRole('heading', { name: 'No such test run' }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-05');
    await page.getByLabel('From', { exact: true }).fill('2026-01-05');
    await page.getByText('This is the only one.').waitFor();
    expect(new URL(page.url()).search).to.equal('?suite=end+to+end&to=2026-01-05&from=2026-01-05');
    const address = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const exported = await (await page.request.get(address ?? '')).text();
    expect(exported.split('\r\n')).to.have.length(3);
    expect(exported).to.contain('\r\n"2026-01-05T09:30:00.000Z","end to end",40,40,0,');
    await page.goto(`${list}?suite=end+to+end`);
    const { body } = await service.person.createRelease({ path, body: { name: '2.5' } });
    await page.reload();
    await page.getByLabel('Release').selectOption('2.5');
    await page.getByRole('heading', { name: 'No such test run' }).waitFor();
    expect(page.url()).to.contain(`release=${body.data.id}`);
    await expectAccessible('nothing found');
    await page.getByRole('button', { name: 'Show all test runs' }).click();
    await page.getByText('All 2 test runs are shown.').waitFor();
    await close();
  });

  it('are set aside by an owner with a reason, and restored', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(list);
    await page.getByRole('button', { name: 'Set aside: unit, 410 of 412' }).click();
    await expectAccessible('asking why');
    await page.getByRole('button', { name: 'Set aside', exact: true }).last().click();
    await page.getByLabel('Reason').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Reason').fill('It ran on the wrong branch.');
    await page.getByLabel('Reason').press('Enter');
    await page.getByText('It ran on the wrong branch.').waitFor();
    const row = page.getByRole('row').nth(1);
    expect(await row.innerText()).to.match(/Not for 2\.4: an owner set it aside[\s\S]*Set aside by /);
    await expectAccessible('set aside');
    const { body } = await service.person.readReadiness({ path });
    expect(body.data.axes[3]).to.include({ state: 'unmeasured', cause: 'test_run_set_aside' });
    await page.getByRole('button', { name: 'Restore: unit, 410 of 412' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).last().click();
    await page.getByText('It ran on the wrong branch.').waitFor({ state: 'detached' });
    expect(await row.innerText()).to.contain('Counts for 2.4');
    await close();
  });

  it('copies a commit', async () => {
    const { page, open, close } = await visit(service);
    await open(list);
    await page.getByRole('button', { name: 'Copy commit 0123abc' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('0123abc');
    await close();
  });

  it('show more on demand, and as many again when a new one arrives', async () => {
    for (let ago = 1; ago <= 60; ago += 1)
      await record({ ran_at: new Date(Date.UTC(2026, 0, 5) - ago * 60_000).toISOString() });
    const { page, open, close } = await visit(service);
    await open(list);
    await page.getByText('The latest 50 test runs are shown.').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('All 62 test runs are shown.').waitFor();
    await record({ passed: 39 });
    await page.getByText('All 63 test runs are shown.').waitFor();
    await close();
  });

  it('do not jump while the server takes three seconds', async () => {
    const { page, open, context, close } = await visit(service);
    await open(list.replace('test-runs', 'deployments'));
    await page.getByRole('table').waitFor();
    await context.route('**/test-runs?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await page.evaluate(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((seen) => {
        for (const entry of seen.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) shifts.push(entry.value);
      }).observe({ type: 'layout-shift' });
    });
    await page.getByRole('link', { name: 'Test runs', exact: true }).click();
    await page.getByRole('heading', { name: 'Test runs of checkout' }).waitFor();
    const shape = page.locator('.skeleton');
    await shape.waitFor();
    await page.waitForFunction(() => {
      const element = document.querySelector('.skeleton');
      return element !== null && getComputedStyle(element).opacity === '1';
    });
    expect(await page.getByRole('table').count()).to.equal(0);
    // What came before was the way from the other screen.
    await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts.splice(0));
    await page.getByRole('table').waitFor();
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: readonly number[] }).shifts);
    expect(shifts.reduce((sum, value) => sum + value, 0)).to.be.below(0.01);
    await close();
  });

  it('stay with their age while the network is away, and are read again when it is back', async () => {
    const { page, open, context, close, expectAccessible } = await visit(service, {
      mayComplain: /ERR_|Failed to load/,
    });
    await open(list);
    await page.getByRole('table').waitFor();
    await context.route('**/test-runs?*', (route) => route.abort());
    await record({ passed: 38 });
    await page.getByText(/What follows was read/).waitFor();
    await page.getByText('The server cannot be reached.').first().waitFor();
    expect(await page.getByRole('table').count()).to.equal(1);
    await expectAccessible('failing');
    await context.unroute('**/test-runs?*');
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await page.getByText('38 of 40').waitFor();
    await page.getByText(/What follows was read/).waitFor({ state: 'detached' });
    await close();
  });

  it('is read again by itself after the browser was offline', async () => {
    const { page, open, context, close } = await visit(service, { mayComplain: /ERR_|Failed to load/ });
    await open(list);
    await page.getByRole('table').waitFor();
    await context.setOffline(true);
    await page.getByLabel('Suite').selectOption('unit');
    await page.getByText('The server cannot be reached.').waitFor();
    await context.setOffline(false);
    await page.getByText('410 of 412').waitFor();
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
    await close();
  });

  it('are not there for a project that is not', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 404/ });
    await open(list.replace(path.project_id, '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e'));
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await expectAccessible('not there');
    await close();
  });
});
