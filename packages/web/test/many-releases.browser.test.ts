import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** As many releases as one page of the interface holds. */
const PAGE = 200;

describe('a project whose active release has 200 newer ones, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let project: string;
  let former: string;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    project = addressOf(path).split('/releases/')[0] ?? '';
    const made = async (name: string) => (await service.person.createRelease({ path, body: { name } })).body.data.id;
    await made('planned long ago');
    former = await made('2.3');
    const issue = { title: 'Of a closed release', type: 'task', state: 'todo', release_id: former } as const;
    await service.person.createIssue({ path, body: issue });
    await service.person.cancelRelease({ path: { ...path, release_id: former } });
    for (let count = 0; count < PAGE; count += 1)
      await service.person.cancelRelease({ path: { ...path, release_id: await made(`milestone ${count}`) } });
  });
  after(() => service.stop());

  it('offers the open ones for a test run', async () => {
    const { page, open, close } = await visit(service);
    await open(`${project}/test-runs/record`);
    const choice = page.getByLabel('Counts for release');
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).to.deep.equal([
      '2.4 (active)',
      'planned long ago (planned)',
    ]);
    await page.getByLabel('Passed').fill('7');
    await page.getByLabel('Total').fill('7');
    await page.getByRole('button', { name: 'Record test run' }).click();
    await page.getByText('It counts for 2.4.').waitFor();
    await close();
  });

  it('lets an owner set a run of an open one aside', async () => {
    const { page, open, close } = await visit(service);
    await open(`${project}/test-runs`);
    await page.getByRole('button', { name: 'Set aside: unit, 410 of 412' }).waitFor();
    await close();
  });

  it('names the release of an issue, and never says none where there is one', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(`${project}/issues`);
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Pay by invoice').getByRole('cell', { name: '2.4', exact: true }).waitFor();
    await row('Of a closed release').getByRole('cell', { name: '–', exact: true }).waitFor();
    expect(await page.getByRole('cell', { name: 'none', exact: true }).count()).to.equal(0);
    await expectAccessible('issues of releases that are not read');
    await page.getByRole('button', { name: 'Edit Of a closed release' }).click();
    const field = page.getByRole('dialog').getByLabel('Release', { exact: true });
    expect(await field.locator('option:checked').innerText()).to.equal('–');
    expect(await field.inputValue()).to.equal(former);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await open(`${project}/issues?release=${former}`);
    await page.getByText('This is the only one.').waitFor();
    expect(await page.getByLabel('Release', { exact: true }).inputValue()).to.equal(former);
    await close();
  });

  it('names it where two moments are compared', async () => {
    const { page, open, close } = await visit(service);
    await open(`${addressOf({ ...path, release_id: former })}/difference`);
    await page.getByRole('heading', { level: 1, name: 'What changed in checkout 2.3' }).waitFor();
    await close();
  });
});
