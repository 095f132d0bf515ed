import { expect } from 'chai';
import { joinedBy } from './browser/people.js';
import { makeRelease, type ReleasePath } from './browser/places.js';
import { type HostedService, startHosted } from './browser/repository-host.js';
import { visit } from './browser/visit.js';

describe('the repository of a project, in a browser', () => {
  let service: HostedService;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    service = await startHosted();
    path = await makeRelease(service.person);
    address = `/teams/${path.team_id}/projects/${path.project_id}/settings/repository`;
  });
  after(() => service.stop());

  it('asks to connect first, and says why there is none to pick', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByRole('heading', { name: 'Connect your account at GitHub first' }).waitFor();
    await expectAccessible('not connected');
    await page.getByRole('link', { name: 'Connect GitHub' }).click();
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByText('The connection works.').waitFor();
    await open(address);
    await page.getByText(/ada has no readable repositories at GitHub, or you are signed in there/).waitFor();
    await page.getByText('Signed in at GitHub as ada').waitFor();
    await expectAccessible('none readable');
    await close();
  });

  it('is found by its name, linked, imported with visible progress, changed and unlinked', async () => {
    const { data } = service.github;
    for (let number = 0; number < 60; number += 1) data.addRepository(`acme/service-${number}`, { private: true });
    const shop = data.addRepository('acme/shop');
    const milestone = data.addMilestone(shop, { title: '3.0' });
    for (const labels of [['bug'], ['enhancement'], ['enhancement']])
      data.addIssue(shop, { title: `Something about ${labels}`, labels, milestone });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('All 61 repositories are shown.').waitFor();
    await expectAccessible('repositories');
    await page.getByLabel('Search').fill('nothing of that name');
    await page.getByText('ada can read no repository with that in its name.').waitFor();
    await page.getByLabel('Search').fill('shop');
    await page.getByText('This is the only one.').waitFor();
    await page.getByRole('button', { name: 'Select acme/shop' }).click();
    await page.locator('select:focus').waitFor();
    await page.getByText('What labels and types mean').click();
    await page.getByText('Only some issues of the repository').click();
    await expectAccessible('what to import');
    await page.getByLabel('Test runs').selectOption('none');
    await page.getByRole('button', { name: 'Link the repository' }).click();
    await page.getByText('Up to date.').waitFor();
    await page.getByText(/1 milestone, 3 issues/).waitFor();
    await expectAccessible('linked');
    const { body } = await service.person.listReleases({ path });
    expect(body.data.map(({ name }) => name)).to.include('3.0');

    await page.getByLabel('Milestones that become releases').selectOption('some');
    await page.getByRole('checkbox', { name: '3.0' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Importing again.').waitFor();
    const link = (await service.person.readRepositoryLink({ path })).body.data;
    expect([link.milestones, link.test_runs]).to.deep.equal([[1], 'none']);
    await page.getByRole('button', { name: 'Show what to enter there' }).click();
    await page.getByText(`${service.url}/api/hooks/github?project_id=`).waitFor();
    await expectAccessible('what to enter');
    await close();
  });

  it('says in words how far its import has come', async () => {
    const { data: link } = (await service.person.readRepositoryLink({ path })).body;
    const { page, open, close, expectAccessible } = await visit(service);
    const at = new Date().toISOString();
    const failure = { code: 'host-unavailable', message: 'GitHub did not answer in time.', at, attempts: 2 };
    const states = [
      [{ state: 'running', stage: 'issues', completed_at: null }, 'First import: issues. So far'],
      [{ state: 'running', stage: 'test_runs', completed_at: at }, 'Reading what is new: test runs.'],
      [{ state: 'waiting', message: 'Waits until 10:00 UTC: little of the budget is left.' }, 'Waits until 10:00 UTC'],
      [{ state: 'waiting', completed_at: null }, 'Import starts shortly.'],
      [{ state: 'failing', failure }, 'GitHub did not answer in time.'],
    ] as const;
    for (const [members, words] of states) {
      const json = { data: { ...link, import: { ...link.import, ...members } } };
      await page.route(/\/repository$/, (route) =>
        route.request().isNavigationRequest() ? route.continue() : route.fulfill({ json }),
      );
      await open(address);
      await page.getByText(words).waitFor();
      await expectAccessible(words);
      await page.unroute(/\/repository$/);
    }
    await page.reload();
    await page.getByText('Up to date.').waitFor();
    await close();
  });

  it('is watched by viewers, who change nothing', async () => {
    const grace = await joinedBy(service, path.team_id, 'viewer');
    const { page, open, close, expectAccessible } = await visit(grace);
    await open(address);
    await page.getByRole('heading', { name: 'Linked to acme/shop' }).waitFor();
    for (const name of ['Read it now', 'Unlink', 'Save'])
      expect(await page.getByRole('button', { name }).count(), name).to.equal(0);
    await expectAccessible('as a viewer');
    await close();
  });

  it('says what went wrong at the host, and pauses without a connection', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    service.github.revokeTokens();
    await open(address);
    await page.getByRole('button', { name: 'Read it now' }).click();
    await page.getByText('Import paused.').waitFor();
    await page.getByText(/must approve access again/).waitFor();
    await expectAccessible('stopped');
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page
      .getByText(/GitHub refused the connection|Select a repository/)
      .first()
      .waitFor();
    await close().catch(() => undefined);
  });
});
