import { expect } from 'chai';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the launch checklist, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    address = `${addressOf(path)}/checklist`;
  });
  after(() => service.stop());

  const states = async () => {
    const { body } = await service.person.listChecklist({ path });
    return body.data.map(({ title, state }) => `${title}: ${state}`);
  };

  it('always has Docs, Feature flag and Rollback, and toggles them, by keyboard too', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByRole('heading', { name: 'Launch checklist of checkout 2.4' }).waitFor();
    await expectAccessible('new checklist');
    await page.getByRole('checkbox', { name: 'Docs' }).press('Space');
    await page.getByText('1 of 3 items done').waitFor();
    await page.getByText(/Done by Ada/).waitFor();
    await page.getByRole('button', { name: 'Not applicable' }).nth(1).click();
    await page.getByText('1 of 2 items done').waitFor();
    expect(await states()).to.deep.equal(['Docs: done', 'Feature flag: not_applicable', 'Rollback: open']);
    await page.getByRole('button', { name: 'Undo the change of Feature flag' }).click();
    await page.getByText('1 of 3 items done').waitFor();
    await expectAccessible('changed checklist');
    await close();
  });

  it('links evidence, and refuses what is no address', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(address);
    await page.getByRole('button', { name: 'Link evidence for Rollback' }).click();
    await page.getByLabel('Address').fill('javascript:alert(1)');
    await page.getByLabel('What it shows').fill('Rehearsal of Tuesday');
    await page.getByLabel('What it shows').press('Enter');
    await page.getByRole('alert').waitFor();
    await expectAccessible('evidence refused');
    await page.getByLabel('Address').fill('https://docs.example.org/rollback');
    await page.getByRole('button', { name: 'Link it' }).click();
    const link = page.getByRole('link', { name: 'Rehearsal of Tuesday' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).to.contain('noopener');
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.contain('Link evidence');
    await page.getByRole('button', { name: 'Remove the evidence Rehearsal of Tuesday' }).click();
    await link.waitFor({ state: 'detached' });
    await close();
  });

  it('adds, renames and removes items', async () => {
    const { page, open, close } = await visit(service);
    await open(address);
    await page.getByLabel('Another item').fill('Support is briefed');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('checkbox', { name: 'Support is briefed' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).nth(3).click();
    await page.getByLabel('Title').fill('Support is trained');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('button', { name: 'Remove Support is trained' }).click();
    await page.getByText('Support is trained').waitFor({ state: 'detached' });
    await close();
  });

  it('shows two people both states when they change one item, and overwrites nothing unseen', async () => {
    const [ada, other] = [await visit(service), await visit(service, { mayComplain: /status of 412/ })];
    await ada.open(address);
    await other.open(address);
    await other.page.getByRole('checkbox', { name: 'Rollback' }).waitFor();
    // The other one's news are held up, as in a tunnel.
    await other.context.route('**/checklist', (route) => route.abort());
    await ada.page.getByRole('checkbox', { name: 'Rollback' }).click();
    await ada.page.getByText('2 of 3 items done').waitFor();
    await other.context.unroute('**/checklist');
    await other.page.getByRole('button', { name: 'Not applicable' }).nth(2).click();
    await other.page.getByText(/you wanted/).waitFor();
    await other.expectAccessible('conflict');
    expect((await states())[2]).to.equal('Rollback: done');
    await other.page.getByRole('button', { name: 'Set mine' }).click();
    await other.page.getByText('1 of 2 items done').waitFor();
    await ada.page.getByText('1 of 2 items done').waitFor();
    await ada.close();
    await other.context.close();
  });

  it('stays as it is once the release has shipped', async () => {
    await service.person.shipRelease({ path, body: {} });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByText('The release is shipped: its checklist stays as it is.').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Docs' }).isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Add' }).count()).to.equal(0);
    await expectAccessible('closed checklist');
    await close();
  });
});
