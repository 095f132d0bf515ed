import { expect } from 'chai';
import { fill, makeRelease } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('all projects, in a browser', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('begins with the one thing to do', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByRole('link', { name: 'Create a project' }).waitFor();
    await expectAccessible('no project');
    await close();
  });

  it('puts releases that need attention first, and sorts by each column, by keyboard too', async () => {
    const path = await makeRelease(service.person, 'billing', '1.0');
    await fill(service.person, path);
    const other = await makeRelease(service.person, 'search', '3.1');
    await service.person.createProject({ path: { team_id: other.team_id }, body: { name: 'atlas' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    const names = () =>
      page.getByRole('rowheader').evaluateAll((heads) => heads.map((head) => head.querySelector('a')?.textContent));
    await page.getByText('3 projects').waitFor();
    expect(await names()).to.deep.equal(['billing', 'search', 'atlas']);
    await page.getByText('100 % measured').waitFor();
    await expectAccessible('projects');
    await page.getByRole('button', { name: 'Project' }).press('Enter');
    expect(await names()).to.deep.equal(['atlas', 'billing', 'search']);
    await page.getByRole('button', { name: 'Project' }).press('Enter');
    expect(await names()).to.deep.equal(['search', 'billing', 'atlas']);
    await close();
  });

  it('shows a change another person makes without a reload', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const [project] = (await service.person.readPortfolio()).body.data.filter(
      (entry) => entry.project.name === 'search',
    );
    if (project === undefined) throw new Error('The project is gone.');
    await service.person.createIssue({
      path: { team_id: project.team.id, project_id: project.project.id },
      body: { title: 'One', type: 'feature', state: 'done', release_id: project.readiness?.release.id ?? '' },
    });
    await page.getByText('60 % measured').waitFor();
    await close();
  });

  it('names the own API keys that end within 14 days, and their team’s to its owners', async () => {
    const { body: team } = await service.person.createTeam({ body: { name: 'Keys' } });
    const make = async (name: string, days: number) => {
      const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
      const body = { name, scopes: ['read'] as const, team_id: team.data.id, expires_at };
      return service.person.createApiKey({ body: { ...body, scopes: ['read'] } });
    };
    await make('a key for long', 15.1);
    await make('a key for days', 6.1);
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('a key for days in 6 days').waitFor();
    expect(await page.getByText('a key for long').count()).to.equal(0);
    await expectAccessible('projects with a key that ends');
    await open(`/teams/${team.data.id}/api-keys`);
    const marked = page.locator('tr', { has: page.locator('td .marked') });
    await marked.filter({ hasText: 'a key for days' }).waitFor();
    expect(await marked.filter({ hasText: 'a key for long' }).count()).to.equal(0);
    await service.person
      .listApiKeys()
      .then(({ body }) =>
        Promise.all(body.data.map(({ id }) => service.person.revokeApiKey({ path: { api_key_id: id } }))),
      );
    await close();
  });

  it('fits a narrow screen without making the page scroll sideways', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    await open('/');
    await page.getByText('3 projects').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await expectAccessible('projects, narrow and dark');
    await close();
  });

  it('finds a project among many by name, decision and Enter, and keeps what it was filtered by', async () => {
    const { body: team } = await service.person.createTeam({ body: { name: 'Platform' } });
    const path = { team_id: team.data.id };
    // More than are shown at a time.
    for (let number = 1; number <= 110; number += 1)
      await service.person.createProject({ path, body: { name: `service-${String(number).padStart(3, '0')}` } });
    await service.person.createProject({ path, body: { name: '\u05d7\u05e0\u05d5\u05ea' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('114 projects', { exact: true }).waitFor();
    const rows = page.getByRole('rowheader');
    expect(await rows.count()).to.equal(100);
    await page.getByRole('button', { name: 'Show 14 more of 114 projects' }).click();
    expect(await rows.count()).to.equal(114);
    await expectAccessible('many projects');

    await page.getByRole('button', { name: /^Hold / }).press('Enter');
    await page.waitForURL('**/?standing=hold');
    expect(await rows.count()).to.equal(2);
    await page.getByRole('rowheader', { name: /billing/ }).waitFor();
    await page.getByRole('status').filter({ hasText: '2 projects of 114' }).waitFor();
    await page.getByRole('button', { name: /^Hold / }).press('Enter');

    const find = page.getByRole('searchbox', { name: 'Find a project' });
    await find.fill('platform 07');
    await page.getByRole('rowheader', { name: /service-070/ }).waitFor();
    expect(await rows.count()).to.equal(12);
    await find.press('Enter');
    await page.waitForURL('**/projects/*');
    await page.goBack();
    await page.waitForURL('**/?text=platform+07');
    await page.getByRole('rowheader', { name: /service-070/ }).waitFor();
    expect(await find.inputValue()).to.equal('platform 07');

    await find.fill('nowhere');
    await page.getByRole('heading', { name: 'No project fits' }).waitFor();
    await expectAccessible('no project fits');
    await page.getByRole('button', { name: 'Show all projects' }).click();
    await page.waitForURL((url) => url.search === '');
    await close();
  });

  it('finds them on a narrow screen in the dark, too', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    await open('/?standing=none');
    await page.getByRole('status').filter({ hasText: '112 projects of 114' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await expectAccessible('many projects, narrow and dark');
    await close();
  });
});
