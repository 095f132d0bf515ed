import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** Marks an item as not applicable, as people do it. */
const markIn = async (page: Page, title: string, reason: string) => {
  await page.getByRole('button', { name: `Not applicable: ${title}` }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('textbox', { name: 'Reason' }).press('Enter');
};

describe('the launch checklist, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let address: string;
  let member: Service;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    address = `${addressOf(path)}/checklist`;
    member = await joinedBy(service, path.team_id, 'member');
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
    await markIn(page, 'Feature flag', 'A repair of two lines');
    await page.getByText('1 of 2 items done').waitFor();
    expect(await states()).to.deep.equal(['Docs: done', 'Feature flag: not_applicable', 'Rollback: open']);
    await page.getByText('A repair of two lines', { exact: true }).waitFor();
    await page.getByText(/Marked by Ada .*Confirmed by Ada/).waitFor();
    await expectAccessible('item that does not apply');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 3 items done').waitFor();
    await expectAccessible('changed checklist');
    await close();
  });

  it('asks for the reason why an item does not apply, and shows what is wrong with it', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(address);
    await page.getByRole('button', { name: 'Not applicable: Rollback' }).click();
    await expectAccessible('dialog for the reason');
    await page.getByRole('button', { name: 'Mark not applicable' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByText('Enter a reason').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('x'.repeat(501));
    await page.getByRole('textbox', { name: 'Reason' }).press('Enter');
    await page.getByText('Enter 500 characters or fewer.').waitFor();
    await expectAccessible('reason refused');
    await page.keyboard.press('Escape');
    expect((await states())[2]).to.equal('Rollback: open');
    await close();
  });

  it('counts the mark of a member as open until an owner has confirmed it, on the scorecard too', async () => {
    const [grace, ada] = [await visit(member), await visit(service)];
    await grace.open(address);
    await markIn(grace.page, 'Rollback', 'Nothing can be rolled back');
    await grace.page.getByText('1 of 3 items done, 1 item awaiting an owner’s confirmation').waitFor();
    expect(await grace.page.getByRole('button', { name: /^Confirm/ }).count()).to.equal(0);
    await grace.expectAccessible('mark that awaits an owner');
    await ada.open(addressOf(path));
    const left = ada.page.getByRole('region', { name: 'Checklist exceptions' });
    await left.getByText('Open: awaiting an owner’s confirmation').waitFor();
    await left.getByText('Nothing can be rolled back').waitFor();
    await ada.expectAccessible('scorecard with a mark that awaits an owner');
    await left.getByRole('link', { name: 'Launch checklist' }).click();
    await ada.page.getByRole('button', { name: 'Confirm: Rollback is not applicable' }).click();
    const question = ada.page.getByRole('dialog', { name: 'Confirm that Rollback is not applicable?' });
    await question.getByText('Nothing can be rolled back').waitFor();
    await ada.expectAccessible('confirming a mark');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await ada.page.getByText('1 of 2 items done').waitFor();
    await ada.page.getByText(/Marked by Grace .*Confirmed by Ada/).waitFor();
    await ada.page.goBack();
    await left.getByText(/Marked by Grace .*; confirmed by Ada/).waitFor();
    await grace.page.getByText('1 of 2 items done').waitFor();
    await grace.page.getByRole('button', { name: 'Change reason: Rollback' }).click();
    await grace.page.getByRole('textbox', { name: 'Reason' }).fill('Another reason');
    await grace.page.getByRole('textbox', { name: 'Reason' }).press('Enter');
    await grace.page.getByText('1 of 3 items done, 1 item awaiting an owner’s confirmation').waitFor();
    await grace.page.getByRole('button', { name: 'Applicable: Rollback' }).click();
    await grace.page.getByText('1 of 3 items done', { exact: true }).waitFor();
    await grace.close();
    await ada.close();
  });

  it('confirms nothing that changed since it was read', async () => {
    const [item] = (await service.person.listChecklist({ path })).body.data.slice(2);
    if (item === undefined) throw new Error('A third item was expected.');
    const inItem = { ...path, item_id: item.id };
    const { person } = member;
    const mark = (reason: string) =>
      person.changeChecklistItem({ path: inItem, body: { state: 'not_applicable', reason } });
    await mark('Nothing can be rolled back');
    const { page, open, context, close } = await visit(service, { mayComplain: /status of 412|ERR_FAILED/ });
    await open(address);
    await page.getByText('Nothing can be rolled back').waitFor();
    // The news are held up, as in a tunnel.
    await context.route('**/checklist', (route) => route.abort());
    await mark('Because I say so');
    await page.getByRole('button', { name: 'Confirm: Rollback is not applicable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await context.unroute('**/checklist');
    await page.getByText('It was changed by someone else in the meantime.').waitFor();
    await page.getByRole('dialog').getByText('Because I say so').waitFor();
    expect((await service.person.listChecklist({ path })).body.data[2]?.confirmed_at).to.equal(null);
    await person.changeChecklistItem({ path: inItem, body: { state: 'open' } });
    await close();
  });

  it('links evidence, and refuses what is no address', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(address);
    await page.getByRole('button', { name: 'Link evidence for Rollback' }).click();
    await page.getByLabel('Address').fill('javascript:alert(1)');
    await page.getByLabel('What it shows').fill('Rehearsal of Tuesday');
    await page.getByLabel('What it shows').press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await expectAccessible('evidence refused');
    await page.getByLabel('Address').fill('https://docs.example.org/rollback');
    await page.getByRole('button', { name: 'Link it' }).click();
    const link = page.getByRole('link', { name: 'Rehearsal of Tuesday' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).to.contain('noopener');
    await page.locator(':focus', { hasText: 'Link evidence' }).waitFor();
    expect(await downloaded(page, 'checklist.csv')).to.contain(',"https://docs.example.org/rollback","Ada",');
    await page.getByRole('button', { name: 'Remove the evidence Rehearsal of Tuesday' }).click();
    await expectAccessible('asked before removing evidence');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await link.waitFor({ state: 'detached' });
    await close();
  });

  it('adds, renames, removes and restores items', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByLabel('Another item').fill('Support is briefed');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('checkbox', { name: 'Support is briefed' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).nth(3).click();
    await page.getByLabel('Title').fill('Support is trained');
    await page.getByLabel('Title').press('Enter');
    expect(await page.getByRole('button', { name: 'Remove Docs' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Remove Support is trained' }).click();
    await expectAccessible('asked before removing');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const removed = page.getByRole('region', { name: 'Removed items' });
    await removed.getByText(/Removed by Ada .*can be restored until/).waitFor();
    expect(await states()).to.have.lengthOf(3);
    await expectAccessible('removed items');
    const card = await visit(service);
    await card.open(addressOf(path));
    const left = card.page.getByRole('region', { name: 'Checklist exceptions' });
    await left.getByText(/Removed by Ada/).waitFor();
    await card.close();
    await removed.getByRole('button', { name: 'Restore Support is trained' }).click();
    await page.getByRole('checkbox', { name: 'Support is trained' }).waitFor();
    await removed.waitFor({ state: 'detached' });
    const [, , , added] = (await service.person.listChecklist({ path })).body.data;
    await service.person.removeChecklistItem({ path: { ...path, item_id: added?.id ?? '' } });
    await close();
  });

  it('shows two people both states when they change one item, and overwrites nothing unseen', async () => {
    const [ada, other] = [await visit(service), await visit(service, { mayComplain: /status of 412/ })];
    await ada.open(address);
    await other.open(address);
    await other.page.getByRole('button', { name: 'Not applicable: Rollback' }).click();
    await ada.page.getByRole('checkbox', { name: 'Rollback' }).click();
    await ada.page.getByText('2 of 3 items done').waitFor();
    // The news arrive while the dialog is open: what counts is what was seen when it opened.
    await other.page.getByText('2 of 3 items done').waitFor({ timeout: 4_000 });
    await other.page.getByRole('textbox', { name: 'Reason' }).fill('Nothing can be rolled back');
    await other.page.getByRole('textbox', { name: 'Reason' }).press('Enter');
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
