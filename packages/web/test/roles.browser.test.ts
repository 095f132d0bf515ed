import { expect } from 'chai';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

/** What changes something: a viewer may do none of it. */
const DEEDS =
  /^(Ship|Activate|Move to planned|Cancel release|Waive|Withdraw|Confirm|Restore|Change reason|Applicable|New release|New issue|Edit|Link evidence|Not applicable|Rename|Remove|Add|Save|Record test run|Link a repository|Make an invitation|Create a webhook)/;

describe('a viewer', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService();
    place = await makeRelease(service.person);
    await fill(service.person, place);
  });
  after(() => service.stop());

  it('is offered nothing in vain, at any address, and asks for nothing that is refused', async () => {
    const viewer = await joinedBy(service, place.team_id, 'viewer');
    // Complaints would be of refused requests.
    const { page, open, close } = await visit(viewer);
    const release = addressOf(place);
    const [project = ''] = release.split('/releases/');
    const settings = ['', '/repository', '/policy', '/checklist', '/webhooks', '/badge'].map(
      (part) => `${project}/settings${part}`,
    );
    const inProject = ['', '/issues', '/test-runs', '/test-runs/record', '/deployments'].map((part) => project + part);
    const inRelease = ['', '/checklist', '/analysis', '/axes/ops', '/axes/scope'].map((part) => release + part);
    for (const address of [...inRelease, ...inProject, ...settings, `/teams/${place.team_id}`]) {
      await open(address);
      await page.locator('main:has(h1):not(:has(.skeleton, .awaited))').waitFor();
      const offered = await page.locator('main button:enabled, main a.button').allInnerTexts();
      expect(
        offered.filter((text) => DEEDS.test(text.trim())),
        address,
      ).to.deep.equal([]);
    }
    await close();
  });

  it('is told that what is not there is not there, under a heading that says what it was', async () => {
    const { body } = await service.person.createTeam({ body: { name: 'Elsewhere' } });
    const stranger = await joinedBy(service, body.data.id, 'member', 'Hopper');
    const { page, open, close, expectAccessible } = await visit(stranger, { mayComplain: /status of 404/ });
    const release = addressOf(place);
    const [project = ''] = release.split('/releases/');
    const inProject = [
      '',
      '/issues',
      '/test-runs',
      '/test-runs/record',
      '/deployments',
      '/settings',
      '/settings/policy',
    ];
    const addresses = [
      ...inProject.map((part) => project + part),
      ...['', '/checklist', '/analysis'].map((part) => release + part),
    ];
    // The page's name as it was at the very moment the heading came, however slow the machine is.
    await page.addInitScript(() => {
      const named: string[] = [];
      Object.assign(globalThis, { named });
      new MutationObserver(() => {
        if (document.querySelector('main')?.textContent?.includes('Not found')) named.push(document.title);
      }).observe(document, { childList: true, subtree: true });
    });
    for (const address of [...addresses, `/teams/${place.team_id}`]) {
      await open(address);
      await page.getByRole('heading', { name: 'Not found' }).first().waitFor();
      const [name] = await page.evaluate(() => (globalThis as unknown as { named: string[] }).named);
      expect(name, address).to.match(/^\w.* · Shipworthy$/);
      await page.locator('main:not(:has(.awaited))').waitFor();
      expect(await page.locator('main').innerText()).to.not.contain('checkout');
    }
    await expectAccessible('not there');
    await close();
  });
});
