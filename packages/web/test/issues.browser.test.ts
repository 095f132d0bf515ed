import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the issues of a project', () => {
  let service: Service;
  let place: ReleasePath;
  let address: string;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    address = `${addressOf(place).split('/releases/')[0]}/issues`;
  });
  after(() => service.stop());

  const named = async (title: string) => {
    const { body } = await service.person.listIssues({ path: place, query: {} });
    const found = body.data.find((issue) => issue.title === title);
    if (found === undefined) throw new Error(`no issue ${title}`);
    return found;
  };

  it('are entered, corrected and moved; only a bug has a severity', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(address);
    await page.getByText('No issue here').waitFor();
    await expectAccessible('no issue');
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Cart forgets coupons');
    await page.getByRole('dialog').getByLabel('Type').selectOption('bug');
    await page.getByRole('dialog').getByLabel('Severity').selectOption('critical');
    await page.getByRole('dialog').getByLabel('Release').selectOption({ label: '2.4' });
    await expectAccessible('a new issue');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Bug, critical').waitFor();
    await page.getByText('This is the only one.').waitFor();
    await page.getByRole('button', { name: 'Edit Cart forgets coupons' }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('feature');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Feature' }).waitFor();
    expect(await named('Cart forgets coupons')).to.include({ type: 'feature', severity: null });
    await page.getByLabel('State of Cart forgets coupons').selectOption('done');
    await page.waitForResponse((answer) => answer.url().includes('/issues?'));
    expect((await named('Cart forgets coupons')).state).to.equal('done');
    await close();
  });

  it('are filtered, sorted and exported by what the address says, which Back keeps', async () => {
    const own = await makeRelease(service.person);
    const list = `${addressOf(own).split('/releases/')[0]}/issues`;
    const make = (title: string, body: object = {}) =>
      service.person.createIssue({ path: own, body: { title, type: 'task', state: 'todo', ...body } });
    await make('Pay in euro');
    await make('Refund in euro', { type: 'bug', severity: 'critical' });
    await make('Ship it', { state: 'done' });
    const { page, open, close, expectAccessible } = await visit(service);
    await open(list);
    const titles = () => page.locator('.issue-row th bdi').allTextContents();
    const showing = (count: number) =>
      page.getByText(count === 1 ? 'This is the only one.' : `All ${count} issues`).waitFor();
    await showing(3);
    expect(await titles()).to.deep.equal(['Refund in euro', 'Pay in euro', 'Ship it']);
    await page.getByLabel('Sort').selectOption('Oldest first');
    await page.waitForFunction(() => document.querySelector('.issue-row bdi')?.textContent === 'Pay in euro');
    await page.getByLabel('Find an issue').fill('EURO');
    await showing(2);
    await page.getByLabel('Severity').selectOption('Critical');
    await showing(1);
    expect(await titles()).to.deep.equal(['Refund in euro']);
    await expectAccessible('filtered issues');
    expect(new URL(page.url()).search).to.equal('?sort=created-asc&text=EURO&severity=critical');
    expect((await downloaded(page, 'issues.csv')).split('\r\n').slice(1)).to.have.length(2);
    await page.getByRole('link', { name: 'Test runs' }).first().click();
    await page.getByText('Record the first one by hand').waitFor();
    await page.goBack();
    await showing(1);
    expect(await page.getByLabel('Find an issue').inputValue()).to.equal('EURO');
    await page.getByLabel('State').first().selectOption('Canceled');
    await page.getByText('No such issue').waitFor();
    await expectAccessible('no such issue');
    await page.getByRole('button', { name: 'Show all issues' }).click();
    await showing(3);
    await close();
  });

  it('show what another person saved first, and let the one who comes second choose', async () => {
    const { body } = await service.person.createIssue({
      path: place,
      body: { title: 'Pay by invoice', type: 'task', state: 'todo' },
    });
    const path = { ...place, issue_id: body.data.id };
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 412/ });
    await open(address);
    const edit = async (title: string) => {
      await page.getByRole('button', { name: `Edit ${title}` }).click();
      await page.getByLabel('Title').fill('Pay by mine');
    };
    await edit('Pay by invoice');
    await service.person.changeIssue({ path, body: { title: 'Pay by theirs', state: 'done' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is now “Pay by theirs”, task, Done. Yours is not saved.').waitFor();
    await expectAccessible('two people on one issue');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Title').inputValue()).to.equal('Pay by theirs');
    await page.getByLabel('Title').fill('Pay by mine');
    await service.person.changeIssue({ path, body: { title: 'Pay by theirs again' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Go on with mine' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: /Pay by mine/ }).waitFor();
    expect(await named('Pay by mine')).to.include({ state: 'done' });
    await close();
  });

  it('can only be read by a viewer, and break a name without a space', async () => {
    const endless = 'x'.repeat(180);
    await service.person.createIssue({ path: place, body: { title: endless, type: 'task', state: 'todo' } });
    const viewer = await joinedBy(service, place.team_id, 'viewer');
    const { page, open, close, expectAccessible } = await visit(viewer, { width: 320, scheme: 'dark' });
    await open(address);
    await page.getByText(endless).waitFor();
    expect(await page.getByRole('button', { name: /Edit|New issue/ }).count()).to.equal(0);
    expect(await page.getByLabel(/State of/).count()).to.equal(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(320);
    await expectAccessible('read only');
    await close();
  });
});
