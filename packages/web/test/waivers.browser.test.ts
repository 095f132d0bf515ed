import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const DAY = 86_400_000;
const dayText = (ahead: number): string => new Date(Date.now() + ahead * DAY).toISOString().slice(0, 10);

describe('waivers, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const { body } = await service.person.listIssues({ path, query: { state: 'in_progress' } });
    for (const { id } of body.data)
      await service.person.changeIssue({ path: { ...path, issue_id: id }, body: { state: 'done' } });
  });
  after(() => service.stop());

  it('accept a reason with a text and an expiry, and give the decision with and without', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 422/ });
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
    const dialog = page.getByRole('dialog', { name: 'Waive this reason' });
    await expectAccessible('accepting a reason');
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.getByText('Fill this in.').waitFor();
    await dialog.getByLabel('Why it is acceptable').fill('Docs follow on Monday');
    await dialog.getByLabel('Until').fill(dayText(100));
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.getByText('A waiver expires after now and within 90 days.').waitFor();
    await expectAccessible('accepting a reason, refused');
    await dialog.getByLabel('Until').fill(dayText(7));
    await dialog.getByLabel('Until').press('Enter');
    const waivers = page.getByRole('region', { name: 'Waivers' });
    await waivers.getByText('Docs follow on Monday').waitFor();
    await waivers.getByText('in force').waitFor();
    await waivers.getByText('expires in 7 days').waitFor();
    expect(await waivers.textContent()).to.match(/With them.*Go.*without.*Hold/);
    const gate = page.getByRole('region', { name: 'Ship gate' });
    await gate.getByText('Go with 1 waiver. Without it: Hold.').waitFor();
    await page.getByText('Nothing more: the rest is waived.').waitFor();
    expect(await page.locator('body').innerText()).not.to.match(/Everything the policy asks for is met|Ship it\./);
    await expectAccessible('a waiver in force');
    for (const address of ['/', `/teams/${path.team_id}/projects/${path.project_id}`]) {
      await open(address);
      await page.getByText('Go with 1 waiver. Without it: Hold.').waitFor();
      expect(await page.getByText('None').count()).to.equal(0);
    }
    await close();
  });

  it('are shown to a viewer, who cannot withdraw them', async () => {
    const { page, open, close } = await visit(await joinedBy(service, path.team_id, 'viewer'));
    await open(addressOf(path));
    await page.getByText('Docs follow on Monday').waitFor();
    expect(await page.getByRole('button', { name: /Withdraw/ }).count()).to.equal(0);
    await close();
  });

  it('are withdrawn after a question, and stay on record', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Withdraw: Ops below its minimum' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw this waiver?' });
    await expectAccessible('withdrawing a waiver');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('withdrawn by Ada').waitFor();
    await page.getByRole('region', { name: 'Ship gate' }).getByText('Hold', { exact: true }).waitFor();
    await expectAccessible('a waiver withdrawn');
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
    await page.getByRole('dialog').getByLabel('Why it is acceptable').fill('Docs follow on Tuesday');
    await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click();
    const waivers = page.getByRole('region', { name: 'Waivers' });
    await waivers.getByText('Docs follow on Tuesday').waitFor();
    await waivers.getByLabel('Show waivers').selectOption('Withdrawn');
    await waivers.getByText('1 of 2 waivers').waitFor();
    expect(await waivers.getByText('Docs follow on Tuesday').count()).to.equal(0);
    await expectAccessible('the waivers of one state');
    const table = await downloaded(page, 'waivers.csv');
    expect(table).to.contain('"Docs follow on Monday"').and.not.contain('Tuesday');
    await page.reload();
    await waivers.getByText('1 of 2 waivers').waitFor();
    await waivers.getByLabel('Show waivers').selectOption('All');
    await waivers.getByText('Docs follow on Tuesday').waitFor();
    await page.getByRole('button', { name: 'Withdraw: Ops below its minimum' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).waitFor();
    await close();
  });

  it('are refused where the reason has become worse since it was shown, and the present one is shown', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    const bugs: string[] = [];
    const addBug = async () => {
      const bug = { type: 'bug', severity: 'critical', state: 'todo', release_id: path.release_id } as const;
      const { body } = await service.person.createIssue({ path, body: { ...bug, title: `Crash ${bugs.length}` } });
      bugs.push(body.data.id);
    };
    const bugWaivers = async () =>
      (await service.person.listWaivers({ path })).body.data.filter(({ code }) => code === 'open_critical_bugs');
    await addBug();
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Waive: Open critical bugs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Waive this reason' });
    await dialog.getByText('1 critical bug open, at most 0 allowed').waitFor();
    await dialog.getByLabel('Why it is acceptable').fill('The one bug is only in the demo');
    for (let more = 0; more < 5; more += 1) await addBug();
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.getByText('This is worse than what you saw before. Nothing is waived yet.').waitFor();
    await dialog.getByText('6 critical bugs open, at most 0 allowed').waitFor();
    await expectAccessible('a reason that became worse');
    expect(await bugWaivers()).to.deep.equal([]);
    await addBug();
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.getByText('7 critical bugs open, at most 0 allowed').waitFor();
    expect(await bugWaivers()).to.deep.equal([]);
    await dialog.getByLabel('Why it is acceptable').fill('All seven are only in the demo');
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [waiver, ...others] = await bugWaivers();
    expect(waiver).to.include({ actual: 7, text: 'All seven are only in the demo' });
    expect(others).to.deep.equal([]);
    await close();
    for (const issue_id of bugs)
      await service.person.changeIssue({ path: { ...path, issue_id }, body: { state: 'canceled' } });
  });

  it('show a fault when the reason is gone before it is accepted', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Waive: Ops below its minimum' }).click();
    const { body } = await service.person.listChecklist({ path });
    for (const { id } of body.data)
      await service.person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state: 'done' } });
    const dialog = page.getByRole('dialog', { name: 'Waive this reason' });
    await dialog.getByLabel('Why it is acceptable').fill('Too late');
    await dialog.getByRole('button', { name: 'Waive' }).click();
    await dialog.getByText('The gate no longer gives this reason: there is nothing to waive.').waitFor();
    await expectAccessible('a reason that is gone');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Nothing blocks this release.').waitFor();
    await close();
  });
});
