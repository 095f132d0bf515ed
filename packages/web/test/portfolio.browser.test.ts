import { expect } from 'chai';
import { downloaded } from './browser/download.js';
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
    const namesBecome = (...names: readonly string[]) =>
      page.waitForFunction(
        (wanted) => [...document.querySelectorAll('tbody th a')].map((link) => link.textContent).join() === wanted,
        names.join(),
      );
    await page.getByText('3 projects').waitFor();
    await namesBecome('billing', 'search', 'atlas');
    await page.getByText('100 % measured').waitFor();
    await expectAccessible('projects');
    await page.getByRole('button', { name: 'Project' }).press('Enter');
    await namesBecome('atlas', 'billing', 'search');
    await page.getByRole('button', { name: 'Project' }).press('Enter');
    await namesBecome('search', 'billing', 'atlas');
    await page.waitForURL('**/?sort=project&order=desc');
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
    // More than are read at a time.
    for (let number = 1; number <= 110; number += 1)
      await service.person.createProject({ path, body: { name: `service-${String(number).padStart(3, '0')}` } });
    await service.person.createProject({ path, body: { name: '\u05d7\u05e0\u05d5\u05ea' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/');
    await page.getByText('114 projects', { exact: true }).waitFor();
    const rows = page.getByRole('rowheader');
    await rows.nth(49).waitFor();
    expect(await rows.count()).to.equal(50);
    await page.getByRole('button', { name: 'Show 50 more of 114 projects' }).click();
    await page.getByRole('button', { name: 'Show 14 more of 114 projects' }).click();
    await rows.nth(113).waitFor();
    expect(await page.getByRole('button', { name: /^Show / }).count()).to.equal(0);
    await expectAccessible('many projects');

    const hold = page.getByRole('button', { name: /^Hold / });
    expect(await hold.textContent()).to.contain('2');
    await hold.press('Enter');
    await page.waitForURL('**/?decision=hold');
    await page.getByRole('status').filter({ hasText: '2 projects of 114' }).waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: /billing/ }).waitFor();
    expect(await hold.getAttribute('aria-pressed')).to.equal('true');
    await hold.press('Enter');
    await page.waitForURL((url) => url.search === '');

    const find = page.getByRole('searchbox', { name: 'Find a project' });
    await find.fill('platform 07');
    await rows.nth(12).waitFor({ state: 'detached' });
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
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).to.equal('search');
    await expectAccessible('no project fits');
    await page.getByRole('button', { name: 'Show all projects' }).click();
    await page.waitForURL((url) => url.search === '');
    await close();
  });

  it('opens on Enter the first project that fits the typed text, without waiting for the list', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    const find = page.getByRole('searchbox', { name: 'Find a project' });
    await find.pressSequentially('service-042');
    await find.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'service-042' }).waitFor();
    await open('/?sort=project&order=desc&group=team');
    await find.pressSequentially('service-04');
    await find.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'service-049' }).waitFor();
    await close();
  });

  it('filters by team, groups by it, and saves as a table what the filters leave', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/?text=e');
    await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Platform (110)' });
    await page.waitForURL('**/?text=e&team=*');
    await page.getByRole('button', { name: 'Show 50 more of 110 projects' }).waitFor();
    const lines = (await downloaded(page, 'portfolio.csv')).trimEnd().split('\r\n');
    expect(lines).to.have.length(111);
    expect(lines[1]).to.match(/^"Platform","service-001",/);

    await page.getByLabel('Team', { exact: true }).selectOption({ label: 'All teams' });
    await page.getByLabel('Group by team').press('Space');
    await page.waitForURL('**/?text=e&group=team');
    const heads = page.locator('.group th');
    // The rows of the former filter stay until the new ones are there.
    await heads.filter({ hasText: 'Core 1' }).waitFor();
    expect(await heads.allTextContents()).to.deep.equal(['Core 1', 'Core 2', 'Platform 110']);
    await expectAccessible('projects by team');
    await page.reload();
    await heads.first().waitFor();
    expect(await page.getByLabel('Group by team').isChecked()).to.equal(true);
    await close();
  });

  it('marks a source that fell silent, and finds it', async () => {
    const path = await makeRelease(service.person, 'quiet', '1.0');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await service.person.changeRelease({ path, body: { starts_at: daysAgo(9) } });
    const { version, ...policy } = (await service.person.readPolicy({ path })).body.data;
    await service.person.replacePolicy({ path, ifMatch: version, body: { ...policy, silence_hours: 24 } });
    const times = { started_at: daysAgo(3), finished_at: daysAgo(3) };
    const deployed = {
      app_name: 'quiet',
      environment: 'production',
      commit_sha: '0123abc',
      status: 'success',
    } as const;
    await service.person.recordDeployment({ body: { ...deployed, ...times } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/?silent=deployments');
    await page.getByRole('rowheader', { name: /quiet/ }).waitFor();
    expect(await page.getByRole('rowheader').count()).to.equal(1);
    await page.getByText(', silent').waitFor();
    expect(await page.getByLabel('Sources').inputValue()).to.equal('deployments');
    await expectAccessible('a silent source');
    await page.getByLabel('Sources').selectOption('test_runs');
    await page.getByRole('heading', { name: 'No project fits' }).waitFor();
    await service.person.cancelRelease({ path });
    await close();
  });

  it('ignores unknown values in the address', async () => {
    const { page, open, close } = await visit(service);
    await open('/?decision=perhaps&team=7&silent=x&sort=name&order=up&group=x');
    await page.getByText('115 projects', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^All / }).getAttribute('aria-pressed')).to.equal('true');
    await close();
  });

  it('finds them on a narrow screen in the dark, too', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { width: 320, scheme: 'dark' });
    await open('/?decision=none&group=team');
    await page.getByRole('status').filter({ hasText: '113 projects of 115' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await expectAccessible('many projects, narrow and dark');
    await close();
  });
});

/** The service with 999 more projects of twenty teams, half of them with a release of which nothing is known. */
