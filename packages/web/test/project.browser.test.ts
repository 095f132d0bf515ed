import { expect } from 'chai';
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
});
