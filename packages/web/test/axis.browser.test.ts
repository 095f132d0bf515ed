import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const AXES = ['scope', 'quality', 'ops', 'verification', 'stability'] as const;

describe('an axis opened, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let empty: ReleasePath;
  before(async () => {
    service = await startService();
    empty = await makeRelease(service.person, 'search', '1.0');
    path = await makeRelease(service.person);
    await fill(service.person, path);
  });
  after(() => service.stop());

  it('says how to connect a source, with a line to copy, while nothing is listed', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    for (const [axis, words] of [
      ['scope', 'No issue yet'],
      ['quality', 'No bug'],
      ['verification', 'No test run yet'],
      ['stability', 'No deployment yet'],
    ] as const) {
      await open(`${addressOf(empty)}/axes/${axis}`);
      await page.getByRole('heading', { name: words }).waitFor();
      await page.getByText('Not measured', { exact: true }).waitFor();
      await expectAccessible(`empty ${axis}`);
    }
    await page.getByText('npx @shipworthy/cli deploy run --app search --env production -- ./deploy.sh').waitFor();
    await page.getByRole('link', { name: 'create one in Settings' }).waitFor();
    await close();
  });

  it('offers a viewer nothing to do that a viewer may not', async () => {
    const { page, open, close, expectAccessible } = await visit(await joinedBy(service, empty.team_id, 'viewer'));
    for (const axis of ['scope', 'verification'] as const) {
      await open(`${addressOf(empty)}/axes/${axis}`);
      await page.getByRole('heading', { name: /^No .* yet$/ }).waitFor();
      expect(await page.getByRole('link', { name: /Enter|Link|Record/ }).count()).to.equal(0);
      await expectAccessible(`empty ${axis} of a viewer`);
    }
    await close();
  });

  for (const [width, scheme] of [
    [1280, 'light'],
    [320, 'dark'],
  ] as const)
    it(`shows formula, weight and records of each, ${scheme} at ${width} px`, async () => {
      const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
      const formulas = {
        scope: '100 × 5 done ÷ 6 issues = 83.3',
        quality: '100 × 2 resolved ÷ 2 bugs = 100.0',
        ops: '100 × 1 ticked ÷ 3 items = 33.3',
        verification: '100 × 410 passed ÷ 412 tests = 99.5',
        stability: '100 × 3 succeeded ÷ 4 finished deployments = 75.0',
      };
      await open(`${addressOf(path)}/axes/scope`);
      for (const axis of AXES) {
        const tab = page.getByRole('navigation', { name: 'The five axes' }).getByRole('link');
        await tab.nth(AXES.indexOf(axis)).click();
        await page.getByText(formulas[axis]).waitFor();
        await page.getByText(/It weighs 1 of the 5 that are measured/).waitFor();
        await page.getByText('Counts', { exact: true }).first().waitFor();
        await expectAccessible(`filled ${axis}`);
      }
      await close();
    });

  it('says of each record whether it counts, and if not, why', async () => {
    const { person } = service;
    await person.recordTestRun({ path, body: { total: 10, passed: 10, failed: 0, suite: 'smoke' } });
    await person.recordDeployment({
      body: { app_name: 'checkout', environment: 'production', commit_sha: 'fedcba9', status: 'started' },
    });
    await person.createIssue({
      path,
      body: { title: 'Dropped idea', type: 'feature', state: 'canceled', release_id: path.release_id },
    });
    const { page, open, close } = await visit(service);
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await open(`${addressOf(path)}/axes/verification`);
    await row('unit').getByText('Not counted: a newer run counts').waitFor();
    await row('smoke').getByText('Counts', { exact: true }).waitFor();
    const runs = (await downloaded(page, 'verification-rows.csv')).trimEnd().split('\r\n');
    expect(runs).to.have.length(3);
    expect(runs[1])
      .to.match(/^"yes",,/)
      .and.contain('"smoke",10,10,0,');
    expect(runs[2])
      .to.match(/^"no","superseded_by_newer_run",/)
      .and.contain('"unit",412,');
    await open(`${addressOf(path)}/axes/stability`);
    await row('fedcba9').getByText('Not counted: still in progress').waitFor();
    await row('fedcba9').getByText('In progress', { exact: true }).waitFor();
    await page.getByText('1 deployment in progress: counted as soon as finished.').waitFor();
    await open(`${addressOf(path)}/axes/scope`);
    await row('Dropped idea').getByText('Not counted: canceled').waitFor();
    expect(await downloaded(page, 'scope-rows.csv')).to.contain('\r\n"no","canceled","Dropped idea","feature",');
    await close();
  });

  it('draws the change failure rate with its interval, says both, and lists them as a table', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${addressOf(path)}/axes/stability`);
    await page.getByRole('img', { name: 'Change failure rate and its 95 % interval' }).waitFor();
    await page
      .getByText(/1 of 4 finished deployments failed.*95 % confidence interval: 4\.5 % to 70\.0 %/)
      .first()
      .waitFor();
    await page.getByText('Show as a table').click();
    const table = page.getByRole('region', { name: 'Change failure rate and its 95 % interval' });
    expect(await table.getByRole('row').allTextContents()).to.include('Measured25.0 %');
    await expectAccessible('table of the failure rate');
    await close();
  });

  it('lists more on demand', async () => {
    for (let index = 0; index < 55; index += 1)
      await service.person.createIssue({
        path: empty,
        body: { title: `Task ${index}`, type: 'task', state: 'todo', release_id: empty.release_id },
      });
    const { page, open, close } = await visit(service);
    await open(`${addressOf(empty)}/axes/scope`);
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await page.getByText('All 55 issues are shown.').waitFor();
    expect(await page.getByRole('row').count()).to.equal(56);
    await close();
  });
});
