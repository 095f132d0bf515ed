import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('the moves of a release, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  let next: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    await fill(service.person, path);
    const { body } = await service.person.createRelease({ path, body: { name: '2.5' } });
    next = { ...path, release_id: body.data.id };
  });
  after(() => service.stop());

  it('park the active release and activate it again', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByText('Active: what the pipeline reports counts here.').waitFor();
    await page.getByRole('button', { name: 'Park' }).click();
    await page.getByText(/^Planned: /).waitFor();
    await expectAccessible('planned release');
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText(/^Active: /).waitFor();
    await close();
  });

  it('ask what becomes of another active release', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    await open(addressOf(next));
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Another release is active' });
    await dialog.getByText('The release 2.4 is active. A project has one active release at a time.').waitFor();
    await expectAccessible('another release is active');
    await dialog.getByRole('button', { name: 'Activate this one' }).click();
    await page.getByText(/^Active: /).waitFor();
    expect((await service.person.readRelease({ path })).body.data.state).to.equal('planned');
    await service.person.activateRelease({ path, body: { current: 'park' } });
    await close();
  });

  it('are not made before the start of the release, and the page says why', async () => {
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await service.person.createRelease({ path, body: { name: '3.0', starts_at } });
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    await open(addressOf({ ...path, release_id: body.data.id }));
    await page.getByText('Planned: its start lies ahead.').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog', { name: 'It was not activated' });
    await dialog.getByText(`3.0 starts at ${starts_at}; it cannot be active before.`).waitFor();
    await expectAccessible('a release that starts later');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await close();
  });

  it('ship in spite of a hold, whose reasons are shown before, and keep the report of that moment', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('button', { name: 'Ship …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ship 2.4?' });
    await dialog.getByText('Ops is at 33.33, below its minimum of 100').waitFor();
    await expectAccessible('shipping in spite of a hold');
    await dialog.getByLabel('Note').fill('The docs follow.');
    await dialog.getByRole('button', { name: 'Ship 2.4' }).click();
    await page.getByText('This is the report of that moment.').waitFor();
    await page.getByText('The docs follow.').waitFor();
    expect(await page.getByRole('button', { name: /Ship|Accept|Cancel/ }).count()).to.equal(0);
    expect(await page.getByRole('region', { name: 'What if?' }).count()).to.equal(0);
    await expectAccessible('shipped release');
    await page.getByRole('link', { name: 'Show how it reads now' }).click();
    await page.getByText('This is how the shipped release reads now.').waitFor();
    await page.getByRole('link', { name: 'Show the report it shipped with' }).click();
    await page.getByText('This is the report of that moment.').waitFor();
    await page.getByRole('link', { name: 'Scope' }).click();
    await page.getByText(/The numbers are those the release shipped with/).waitFor();
    await expectAccessible('axis of a shipped release');
    await close();
  });

  it('cancel a release after a question', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(next));
    await page.getByRole('button', { name: 'Cancel the release' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2.5?' });
    await expectAccessible('canceling a release');
    await dialog.getByRole('button', { name: 'Cancel the release' }).click();
    await page.getByText('This release was canceled.').waitFor();
    expect(await page.getByRole('button', { name: /Activate|Park|Cancel/ }).count()).to.equal(0);
    await expectAccessible('canceled release');
    await close();
  });
});
