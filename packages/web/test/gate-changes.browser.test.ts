import { expect } from 'chai';
import { downloaded } from './browser/download.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** Waits until the trend of the release has a point with that decision. */
const decided = async ({ person }: Service, path: ReleasePath, decision: string): Promise<void> => {
  for (;;) {
    const { data } = (await person.listHistory({ path, query: { limit: 200 } })).body;
    if (data.at(-1)?.decision === decision) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Ticks all items of the checklist or none, which lets the gate say go or hold. */
const tick = async (service: Service, path: ReleasePath, state: 'done' | 'open'): Promise<void> => {
  const { data } = (await service.person.listChecklist({ path })).body;
  for (const { id } of data)
    await service.person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state } });
  await decided(service, path, state === 'done' ? 'go' : 'hold');
};

describe('the bell, in a browser', () => {
  let service: Service;
  let place: ReleasePath;
  beforeEach(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    await fill(service.person, place);
    await decided(service, place, 'hold');
  });
  afterEach(() => service.stop());

  it('counts what changed as it happens, and leads by keyboard to what, why and the scorecard', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const bell = page.getByRole('link', { name: /^Gate changes/ });
    const before = await bell.boundingBox();
    expect(await bell.getAttribute('aria-label')).to.equal('Gate changes');
    await tick(service, place, 'done');
    await page.getByRole('link', { name: 'Gate changes, 1 unread' }).waitFor();
    expect(await bell.boundingBox(), 'the bell stays where it was').to.deep.equal(before);
    await tick(service, place, 'open');
    await page.getByRole('link', { name: 'Gate changes, 2 unread' }).waitFor();
    await bell.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Gate changes' }).waitFor();
    await page.getByText('2 unread', { exact: true }).waitFor();
    const rows = page.getByRole('row');
    expect((await rows.nth(1).innerText()).replace(/\s+/g, ' ')).to.match(/checkout.* 2\.4.* Unread Go to Hold .*Ops/);
    expect((await rows.nth(2).innerText()).replace(/\s+/g, ' ')).to.match(/Unread Hold to Go None/);
    await page.getByRole('button', { name: 'Mark all as read' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('All read', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Gate changes', exact: true }).first().waitFor();
    expect(await page.getByText('Unread', { exact: true }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 unread', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Gate changes, 2 unread' }).waitFor();
    await rows.nth(1).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /checkout.* 2\.4/ }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(addressOf(place));
    await close();
  });

  it('reads without findings, with and without unread changes', async () => {
    await tick(service, place, 'done');
    for (const width of [390, 1280] as const)
      for (const scheme of ['light', 'dark'] as const) {
        const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
        await open('/gate-changes');
        await page.getByText('Unread', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Gate changes, 1 unread' }).waitFor();
        await expectAccessible(`one unread, ${width}, ${scheme}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(width);
        await close();
      }
    const { page, open, close, expectAccessible } = await visit(service);
    await open('/gate-changes');
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
    const lines = (await downloaded(page, 'gate-changes.csv')).trimEnd().split('\r\n');
    expect(lines).to.have.length(2);
    expect(lines[1]).to.contain(',"checkout","2.4","hold","go",,"yes",');
    await open('/gate-changes?text=payments');
    await page.getByRole('heading', { level: 2, name: 'No such gate change' }).waitFor();
    await expectAccessible('no such gate change');
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count(), 'of those found').to.equal(0);
    await page.getByLabel('Find a gate change').fill('CHECK 2.4');
    await page.getByRole('row').nth(1).waitFor();
    expect((await downloaded(page, 'gate-changes.csv')).trimEnd().split('\r\n')).to.have.length(2);
    const later = await makeRelease(service.person, 'ledger', '1.0');
    await fill(service.person, later);
    await decided(service, later, 'hold');
    await tick(service, later, 'done');
    await page.getByText('2 unread', { exact: true }).waitFor();
    const find = page.getByLabel('Find a gate change');
    await find.press('ControlOrMeta+a');
    await find.press('Backspace');
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
    expect(await find.evaluate((field) => field === document.activeElement), 'the field keeps the focus').to.equal(
      true,
    );
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('All read', { exact: true }).waitFor();
    expect((await service.person.listGateChanges()).body.unread, 'the newest one, which was not found, too').to.equal(
      0,
    );
    await expectAccessible('all read');
    await close();
  });

  it('says what is listed while nothing has changed', async () => {
    const { page, open, close } = await visit(service);
    await open('/gate-changes');
    await page.getByRole('heading', { level: 2, name: 'No gate has changed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).to.equal(0);
    await close();
  });
});
