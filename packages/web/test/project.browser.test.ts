import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('a project and its issues, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    address = addressOf(path).split('/releases')[0] ?? '';
  });
  after(() => service.stop());

  it('says what there is not yet, and how to begin', async () => {
    const { team_id } = path;
    const { body } = await service.person.createProject({ path: { team_id }, body: { name: 'empty' } });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${team_id}/projects/${body.data.id}`);
    await page.getByRole('heading', { name: 'No release yet' }).waitFor();
    await page.getByText('Not linked.').waitFor();
    await expectAccessible('empty project');
    await close();
  });

  it('enters issues, changes their state, and counts them at once', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(`${address}/issues`);
    await page.getByRole('heading', { name: 'No issue here' }).waitFor();
    await expectAccessible('no issue');
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await expectAccessible('new issue');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByLabel('Title').fill('Refund fails for split payments');
    await page.getByRole('dialog').getByLabel('Type').selectOption('Bug');
    await page.getByRole('dialog').getByLabel('Severity').selectOption('Critical');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Bug, critical' }).waitFor();
    await page.getByLabel('State of Refund fails for split payments').selectOption('Done');
    await expectAccessible('issues');
    await page.getByRole('button', { name: 'Edit Refund fails for split payments' }).click();
    await page.getByLabel('Title').fill('Refund works for split payments');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: /Refund works/ }).waitFor();
    const { body } = await service.person.readReadiness({ path });
    expect(body.data.axes[1]).to.include({ state: 'measured', score: 100 });
    await close();
  });

  it('shows the active release, all releases and plans a new one', async () => {
    await fill(service.person, path);
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByText('5 of 5 measured').waitFor();
    await expectAccessible('project');
    await page.getByRole('button', { name: 'New release' }).click();
    await page.getByLabel('Name').fill('2.5');
    await expectAccessible('new release');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'checkout 2.5' }).waitFor();
    await page.getByRole('link', { name: 'checkout' }).click();
    await page.getByRole('rowheader', { name: '2.5' }).waitFor();
    expect(await page.getByRole('row').allTextContents()).to.have.length(3);
    await close();
  });

  it('finds releases by name and state, sorts them, keeps that in the address and exports it', async () => {
    const { team_id } = path;
    const { data: project } = (await service.person.createProject({ path: { team_id }, body: { name: 'planned' } }))
      .body;
    const inProject = { team_id, project_id: project.id };
    for (const body of [
      { name: 'Spring 3.0', target_at: '2027-03-01T12:00:00Z' },
      { name: 'Winter 2.9', target_at: '2027-01-01T12:00:00Z' },
      { name: 'Some day' },
    ])
      await service.person.createRelease({ path: inProject, body });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`/teams/${team_id}/projects/${project.id}`);
    const names = () => page.locator('tbody th a').allTextContents();
    const first = (name: string) =>
      page.waitForFunction((it) => document.querySelector('tbody th a')?.textContent === it, name);
    await page.getByText('All 3 releases are shown.').waitFor();
    expect(await names()).to.deep.equal(['Some day', 'Winter 2.9', 'Spring 3.0']);
    await page.getByLabel('Sort').selectOption('Earliest target');
    await first('Winter 2.9');
    expect(await names()).to.deep.equal(['Winter 2.9', 'Spring 3.0', 'Some day']);
    await page.getByLabel('Find a release').fill('SPRING');
    await page.getByText('This is the only one.').waitFor();
    await expectAccessible('filtered releases');
    expect(new URL(page.url()).search).to.equal('?sort=target&text=SPRING');
    expect((await downloaded(page, 'releases.csv')).split('\r\n')[1]).to.match(/^"Spring 3\.0","planned",/);
    await page.getByLabel('State').selectOption('Shipped');
    await page.getByText('No release of this project matches the filter.').waitFor();
    await expectAccessible('no such release');
    await page.getByLabel('State').selectOption('Any state');
    await page.getByLabel('Find a release').fill('');
    await page.getByText('All 3 releases are shown.').waitFor();
    expect(await page.getByLabel('Find a release').evaluate((field) => field === document.activeElement)).to.equal(
      true,
    );
    await page.getByLabel('Find a release').fill('winter');
    await page.reload();
    await page.getByText('This is the only one.').waitFor();
    expect(await names()).to.deep.equal(['Winter 2.9']);
    await close();
  });
});
