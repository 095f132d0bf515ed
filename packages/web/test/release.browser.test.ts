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
    await page.getByRole('button', { name: 'Move to planned' }).click();
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

  it('ask anew where yet another release is active by the time of the answer, and ship neither', async () => {
    const place = await makeRelease(service.person, 'basket');
    const planned = async (name: string) => ({
      ...place,
      release_id: (await service.person.createRelease({ path: place, body: { name } })).body.data.id,
    });
    const [wanted, big] = [await planned('2.5'), await planned('2.6; the big one')];
    const states = async () => {
      const { data } = (await service.person.listReleases({ path: place })).body;
      return Object.fromEntries(data.map(({ name, state }) => [name, state]));
    };
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    await open(addressOf(wanted));
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Another release is active' });
    await dialog.getByText('The release 2.4 is active.').waitFor();
    await dialog.getByLabel('What happens to it').selectOption('Ship it');
    await service.person.activateRelease({ path: big, body: { current: 'park' } });
    await dialog.getByRole('button', { name: 'Activate this one' }).click();
    await dialog.getByText('The release 2.6; the big one is active.').waitFor();
    await dialog.getByText('2.4 is no longer active. Nothing has been changed.').waitFor();
    await expectAccessible('another release is active by now');
    expect(await states()).to.deep.equal({ '2.4': 'planned', '2.5': 'planned', '2.6; the big one': 'active' });
    expect(await dialog.getByLabel('What happens to it').inputValue()).to.equal('park');
    await dialog.getByLabel('What happens to it').selectOption('Ship it');
    await dialog.getByRole('button', { name: 'Activate this one' }).click();
    await page.getByText(/^Active: /).waitFor();
    expect(await states()).to.deep.equal({ '2.4': 'planned', '2.5': 'active', '2.6; the big one': 'shipped' });
    await close();
  });

  it('move the target date by a press and Enter, and take it back', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    const targetOf = async () => (await service.person.readRelease({ path })).body.data.target_at;
    const before = await targetOf();
    await page.getByRole('button', { name: /change the release$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 2.4' });
    const field = dialog.getByLabel('Target date');
    expect(await field.evaluate((input) => input === document.activeElement)).to.equal(true);
    await expectAccessible('changing a release');
    await field.fill('2030-05-17');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Target 17 May 2030: change the release' }).waitFor();
    expect(await targetOf()).to.match(/^2030-05-17T/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await targetOf()).to.equal(before);
    await close();
  });

  it('take nothing back that another client changed since', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /status of 412/ });
    await open(addressOf(path));
    await page.getByRole('button', { name: /change the release$/ }).click();
    await page.getByRole('dialog').getByLabel('Target date').fill('2030-06-21');
    await page.keyboard.press('Enter');
    await page.getByText('2.4: saved.').waitFor();
    await service.person.changeRelease({ path, body: { target_at: '2030-07-22T12:00:00Z' } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Target 22 Jul 2030: change the release' }).waitFor();
    const { body } = await service.person.readRelease({ path });
    expect(body.data.target_at).to.equal('2030-07-22T12:00:00.000Z');
    await service.person.changeRelease({ path, body: { target_at: null } });
    await close();
  });

  it('are not saved over a change that another client made in between, unless they are saved again', async () => {
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 412/ });
    await open(addressOf(next));
    await page.getByRole('button', { name: /change the release$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 2.5' });
    await dialog.getByLabel('Name').fill('2.5 Gift cards');
    await service.person.changeRelease({ path: next, body: { target_at: '2031-01-15T12:00:00Z' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/Someone else changed the release/).waitFor();
    await expectAccessible('a release that another client changed');
    expect((await service.person.readRelease({ path: next })).body.data.name).to.equal('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await service.person.readRelease({ path: next });
    expect([body.data.name, body.data.target_at]).to.deep.equal(['2.5 Gift cards', '2031-01-15T12:00:00.000Z']);
    await service.person.changeRelease({ path: next, body: { name: '2.5' } });
    await close();
  });

  it('do not remove a start, and the form says so', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(path));
    await page.getByRole('button', { name: /change the release$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 2.4' });
    await dialog.getByLabel('Deployments count from').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('A start can be changed, but not removed.').waitFor();
    await expectAccessible('a start that was emptied');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  it('are not made before the start of the release, and the page says why', async () => {
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await service.person.createRelease({ path, body: { name: '3.0', starts_at } });
    const { page, open, close, expectAccessible } = await visit(service, { mayComplain: /status of 409/ });
    await open(addressOf({ ...path, release_id: body.data.id }));
    await page.getByText('Planned: its start lies ahead.').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Not activated' });
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
    const shipped = page.getByRole('region', { name: /^checkout.* 2\.4.* has shipped$/ });
    await shipped.getByText(/^With a score of [\d.]+ and the gate at hold, .* after its start\.$/).waitFor();
    await shipped.getByText('This is the report of that moment.').waitFor();
    await page.getByText('The docs follow.').waitFor();
    expect(await page.getByRole('button', { name: /Ship|Waive|Cancel/ }).count()).to.equal(0);
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

  it('sail in while they are fresh, but not where motion is not wanted', async () => {
    const { body } = await service.person.createRelease({ path, body: { name: '2.6' } });
    const fresh = { ...path, release_id: body.data.id };
    await service.person.activateRelease({ path: fresh });
    await service.person.shipRelease({ path: fresh });
    const { page, open, close } = await visit(service);
    const movement = async () => {
      await open(addressOf(fresh));
      const icon = page.getByRole('region', { name: /has shipped$/ }).locator('svg');
      return icon.evaluate((shown) => getComputedStyle(shown).animationName);
    };
    expect(await movement()).to.equal('sail-in');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await movement()).to.equal('none');
    await close();
  });

  it('cancel a release after a question', async () => {
    const { page, open, close, expectAccessible } = await visit(service);
    await open(addressOf(next));
    await page.getByRole('button', { name: 'Cancel release' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2.5?' });
    await expectAccessible('canceling a release');
    await dialog.getByRole('button', { name: 'Cancel release' }).click();
    await page.getByText('This release was canceled.').waitFor();
    expect(await page.getByRole('button', { name: /Activate|Park|Cancel/ }).count()).to.equal(0);
    await expectAccessible('canceled release');
    await close();
  });
});
