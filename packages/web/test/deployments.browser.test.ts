import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const HOUR = 3_600_000;

describe('the deployments of a project, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let list: string;
  const stores = memoryStores();
  before(async () => {
    service = await startService({ stores });
    path = await makeRelease(service.person);
    list = `/teams/${path.team_id}/projects/${path.project_id}/deployments`;
  });
  after(() => service.stop());

  const deploy = (hoursAgo: number, status: 'started' | 'success', environment: string) =>
    service.person.recordDeployment({
      body: {
        app_name: 'checkout',
        environment,
        commit_sha: 'abcdef0123456789',
        status,
        version: '2.4.1',
        deployed_by: 'github-actions',
        url: 'https://ci.example.org/9',
        started_at: new Date(Date.now() - hoursAgo * HOUR).toISOString(),
      },
    });

  it('begin with the lines that report the first one, and show it as it arrives', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    await page.getByText('npx @shipworthy/cli deploy run --app checkout --env production -- ./deploy.sh').waitFor();
    await page.getByText(/"app_name":"checkout"/).waitFor();
    await expectAccessible('no deployment');
    await fill(service.person, path);
    await page.getByRole('table').waitFor();
    await close();
  });

  it('are told apart by environment and status, in addresses that can be shared', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    await page.getByRole('row').nth(4).waitFor();
    await expectAccessible('deployments');
    await page.getByRole('link', { name: 'staging 3' }).click();
    await page.getByText('All 3 deployments are shown.').waitFor();
    await page.getByLabel('Status').selectOption('Failure');
    await page.getByText('This is the only one.').waitFor();
    expect(await page.getByRole('row').nth(1).innerText()).to.match(
      /Failure\s+staging\s+0123abc[\s\S]*42 s[\s\S]*Counts for 2\.4/,
    );
    expect(new URL(page.url()).search).to.equal('?environment=staging&status=failure');
    const address = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const exported = await (await page.request.get(address ?? '')).text();
    expect(exported.split('\r\n')).to.have.length(3);
    expect(exported).to.contain(',"failure","no","staging",');
    await page.getByLabel('To', { exact: true }).fill('2020-12-31');
    await page.getByRole('heading', { name: 'No such deployment' }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByText('This is the only one.').waitFor();
    await page.getByLabel('Status').selectOption('In progress');
    await page.getByRole('heading', { name: 'No such deployment' }).waitFor();
    await page.getByRole('button', { name: 'Show all deployments' }).click();
    await page.getByText('All 4 deployments are shown.').waitFor();
    await close();
  });

  it('are said to be all that is left, once old ones were removed', async () => {
    await deploy(24 * 700, 'success', 'archive');
    const removed = await stores.keptRecords.removeBefore(Date.UTC(2025, 5, 1, 12), null);
    expect(removed.removed).to.have.length(1);
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    await page
      .getByText('All 4 deployments are shown. Older ones than 1 Jun 2025 may have been removed for their age.')
      .waitFor();
    await expectAccessible('some removed');
    await close();
  });

  it('are doubted when they are in progress for too long', async () => {
    await service.person.changeRelease({ path, body: { starts_at: new Date(Date.now() - 24 * HOUR).toISOString() } });
    await deploy(3.1, 'started', 'production');
    const { page, open, close } = await visit(service);
    await open(`${list}?status=started`);
    await page.getByText('for 3 hours: did the pipeline end without a report?').waitFor();
    const row = await page.getByRole('row').nth(1).innerText();
    expect(row).to.match(/In progress[\s\S]*production\s+abcdef0[\s\S]*2\.4\.1\s+github-actions/);
    expect(row).to.contain('Not for 2.4: still in progress');
    expect(await page.getByRole('link', { name: 'Pipeline run' }).getAttribute('href')).to.equal(
      'https://ci.example.org/9',
    );
    await close();
  });

  it('are found by words of commit, version and environment, which the address keeps', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    await page.getByRole('row').nth(1).waitFor();
    await page.getByLabel('Find a deployment').fill('no such version');
    await page.getByText('No deployment of this project matches the filter.').waitFor();
    await page.getByLabel('Find a deployment').fill('STAGING');
    await page.getByRole('row').nth(1).waitFor();
    const environments = await page.locator('td.environment').allTextContents();
    expect(environments.every((environment) => environment.includes('staging'))).to.equal(true);
    expect(new URL(page.url()).search).to.equal('?text=STAGING');
    await expectAccessible('deployments found');
    const starts = () =>
      page.locator('main tbody time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
    const newestFirst = await starts();
    await page.getByLabel('Sort').selectOption('Oldest first');
    await page.waitForFunction(
      (oldest) => document.querySelector('main tbody time')?.getAttribute('datetime') === oldest,
      newestFirst.at(-1),
    );
    expect(await starts()).to.deep.equal(newestFirst.toReversed());
    expect(new URL(page.url()).search).to.equal('?text=STAGING&order=asc');
    const lines = (await downloaded(page, 'deployments.csv')).trimEnd().split('\r\n');
    expect(lines).to.have.length(environments.length + 1);
    await page.getByRole('button', { name: 'Show all deployments' }).waitFor({ state: 'detached' });
    await close();
  });

  it('that count for nothing are listed with the reason and what to do', async () => {
    await deploy(48, 'success', 'preview');
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    await page.getByRole('link', { name: 'Uncounted records' }).click();
    await page.getByRole('heading', { name: 'Uncounted records of checkout' }).waitFor();
    // The heading is there before its rows.
    await page.getByRole('row').nth(2).waitFor();
    const [, progress, outside] = await page.getByRole('row').allInnerTexts();
    expect(progress).to.contain('It has not finished.').and.contain('reports its result');
    expect(outside).to.contain('No release was open when it started.').and.contain('Activate the next release');
    await expectAccessible('not counted');
    expect(await downloaded(page, 'uncounted-deployments.csv')).to.contain(',"no_release_window",');
    await page.getByLabel('Kind').selectOption('Test runs');
    await page.getByRole('heading', { name: 'No uncounted records' }).waitFor();
    await service.person.recordTestRun({ path, body: { total: 2, passed: 2, failed: 0 } });
    await page.getByText('A newer run counts.').waitFor();
    expect(await downloaded(page, 'uncounted-test-runs.csv')).to.contain(',"superseded_by_newer_run",');
    await close();
  });

  it('say of a rollback what it is, and why it is not counted', async () => {
    const timestamp = new Date(Date.now() - HOUR).toISOString();
    await service.person.receiveCdEvent({
      body: {
        context: {
          version: '0.4.1',
          id: 'undo',
          source: '/ci',
          type: 'dev.cdevents.service.rolledback.0.2.0',
          timestamp,
        },
        subject: { id: 'service/checkout', content: { environment: { id: 'rolled-back' } } },
        customData: { commit_sha: 'abcdef0123456789' },
      },
    });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${list}?environment=rolled-back`);
    await page.getByText('This is the only one.').waitFor();
    const row = await page.getByRole('row').nth(1).innerText();
    expect(row).to.contain('Success, rollback');
    expect(row).to.contain('Not for 2.4: a rollback counts neither for nor against a release');
    await expectAccessible('a rollback');
    await open(list);
    await page.getByRole('link', { name: 'Uncounted records' }).click();
    await page.getByText('It is a rollback, which counts neither for nor against a release.').waitFor();
    await close();
  });

  it('are there for a viewer, too', async () => {
    const { page, open, close } = await visit(await joinedBy(service, path.team_id, 'viewer'));
    await open(list);
    await page.getByRole('table').waitFor();
    await close();
  });
});
