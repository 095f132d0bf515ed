import { readFile } from 'node:fs/promises';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { addressOf, fill, makeRelease, type ReleasePath } from './browser/places.js';
import { coreInMemory, type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const APP = new URL('../../src/main.tsx', import.meta.url);

/** What the address of every route is for a release, and what is read there; `default` is any other address. */
const ROUTES: Readonly<Record<string, (place: ReleasePath) => readonly [address: string, heading: string]>> = {
  '{HOME}': () => ['/', 'Projects'],
  '{WELCOME}': () => ['/welcome', 'A new project'],
  '{GATE_CHANGES}': () => ['/gate-changes', 'Gate changes'],
  '{TEAM}': ({ team_id }) => [`/teams/${team_id}`, 'Core'],
  '{`${TEAM}/api-keys`}': ({ team_id }) => [`/teams/${team_id}/api-keys`, 'Core'],
  '{`${TEAM}/audit`}': ({ team_id }) => [`/teams/${team_id}/audit`, 'Core'],
  '{PROJECT}': (place) => [projectOf(place), 'checkout'],
  '{`${PROJECT}/issues`}': (place) => [`${projectOf(place)}/issues`, 'Issues of checkout'],
  '{`${PROJECT}/deployments`}': (place) => [`${projectOf(place)}/deployments`, 'Deployments of checkout'],
  '{`${PROJECT}/test-runs`}': (place) => [`${projectOf(place)}/test-runs`, 'Test runs of checkout'],
  '{`${PROJECT}/test-runs/record`}': (place) => [
    `${projectOf(place)}/test-runs/record`,
    'Record a test run of checkout',
  ],
  '{RELEASE}': (place) => [addressOf(place), 'checkout 2.4'],
  '{`${RELEASE}/axes/:axis`}': (place) => [`${addressOf(place)}/axes/stability`, 'Stability'],
  '{`${RELEASE}/checklist`}': (place) => [`${addressOf(place)}/checklist`, 'Launch checklist of checkout 2.4'],
  '{`${RELEASE}/difference`}': (place) => [`${addressOf(place)}/difference`, 'What changed in checkout 2.4'],
  '{`${RELEASE}/analysis`}': (place) => [`${addressOf(place)}/analysis`, 'Analysis of checkout 2.4'],
  '{`${PROJECT}/settings`}': (place) => [`${projectOf(place)}/settings`, 'checkout'],
  '{`${PROJECT}/settings/repository`}': (place) => [`${projectOf(place)}/settings/repository`, 'checkout'],
  '{`${PROJECT}/settings/policy`}': (place) => [`${projectOf(place)}/settings/policy`, 'checkout'],
  '{`${PROJECT}/settings/checklist`}': (place) => [`${projectOf(place)}/settings/checklist`, 'checkout'],
  '{`${PROJECT}/settings/webhooks`}': (place) => [`${projectOf(place)}/settings/webhooks`, 'checkout'],
  '{`${PROJECT}/settings/badge`}': (place) => [`${projectOf(place)}/settings/badge`, 'checkout'],
  '{SETUP}': () => ['/setup', 'Projects'],
  '{SETTINGS}': () => ['/settings', 'API keys'],
  '{HOST_SCREEN}': () => ['/settings/repository-host', 'Repository host'],
  '{`${SETTINGS}/account`}': () => ['/settings/account', 'Account'],
  '{`${SETTINGS}/archived`}': () => ['/settings/archived', 'Archived'],
  '{`${SETTINGS}/people`}': () => ['/settings/people', 'People'],
  default: () => ['/nothing/lives/here', 'Page not found'],
};

const projectOf = ({ team_id, project_id }: ReleasePath): string => `/teams/${team_id}/projects/${project_id}`;

describe('every screen, in both lights and on both widths', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService({ stores: memoryStores(), demo: true });
    place = await makeRelease(service.person);
    await fill(service.person, place);
  });
  after(() => service.stop());

  it('is looked at: no route of the application is left out here', async () => {
    const source = await readFile(APP, 'utf8');
    const routes = [...source.matchAll(/<Screen (?:path=(?:"([^"]+)"|(\{.+?\}(?= component)))|(default))/g)];
    expect(routes.length).to.equal(source.match(/<Screen\b/g)?.length);
    expect(routes.map(([, path, named, other]) => path ?? named ?? other)).to.have.members(Object.keys(ROUTES));
  });

  for (const route of Object.keys(ROUTES))
    it(`reads without findings, complaints or anything beside the screen: ${route}`, async () => {
      const { page, open, close, expectAccessible } = await visit(service);
      const [address, heading] = ROUTES[route]?.(place) ?? ['', ''];
      await open(address);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      const marked = page.getByRole('navigation', { name: 'Project', exact: true }).locator('a[aria-current]');
      expect(await marked.count(), 'the part of the project that is marked').to.equal(
        address.includes('/projects/') ? 1 : 0,
      );
      for (const width of [1280, 320])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
          const where = `${route}, ${width}, ${colorScheme}`;
          expect(await page.evaluate(() => document.documentElement.scrollWidth), where).to.equal(width);
          await expectAccessible(where);
        }
      await close();
    });
});

/** The screens that need stores beyond the core, and what they say without them. */
const BEYOND_CORE: Readonly<Record<string, string>> = {
  '{GATE_CHANGES}': 'This server has no list of gate changes',
  '{`${TEAM}/audit`}': 'This server has no audit log',
  '{`${RELEASE}/difference`}': 'This server has no history of the score',
  '{`${PROJECT}/settings/repository`}': 'This server has no repository host',
  '{`${PROJECT}/settings/webhooks`}': 'This server has no webhooks',
  '{`${PROJECT}/settings/badge`}': 'This server has no badges',
  '{HOST_SCREEN}': 'This server has no repository host',
};

describe('every screen of a server with the core of the stores alone', () => {
  let service: Service;
  let place: ReleasePath;
  before(async () => {
    service = await startService({ stores: coreInMemory() });
    place = await makeRelease(service.person);
    await fill(service.person, place);
  });
  after(() => service.stop());

  /** Goes there, and fails for a request that fails and for a link to a screen that has nothing. */
  const look = async (address: string, heading: string, said?: string) => {
    const { page, open, close } = await visit(service);
    const failed: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });
    await open(address);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText('Updates every 30 s').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    if (said === undefined) expect(await page.getByText('This server has no').count()).to.equal(0);
    else await page.getByRole('heading', { level: 2, name: said }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(failed).to.deep.equal([]);
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const beyond = Object.keys(BEYOND_CORE).map((route) => ROUTES[route]?.(place)[0]);
    expect(links.filter((link) => beyond.includes(link?.split('?', 1)[0]))).to.deep.equal([]);
    await close();
  };

  for (const route of Object.keys(ROUTES))
    it(`reads without a failing request: ${route}`, async () => {
      const [address, heading] = ROUTES[route]?.(place) ?? ['', ''];
      await look(address, heading, BEYOND_CORE[route]);
    });

  it('reads so before anything is reported, and for an invitation', async () => {
    const empty = await makeRelease(service.person, 'billing', '7.0');
    await look(addressOf(empty), 'billing 7.0');
    await look(`${addressOf(empty)}/axes/scope`, 'Scope');
    await look(`${addressOf(empty)}/analysis`, 'Analysis of billing 7.0');
    await look('/invitation#token', 'You are invited', 'This server has no invitations');
  });

  it('offers no search among records, and reads the screen again by itself', async () => {
    const { page, open, close } = await visit(service);
    await page.clock.install();
    await open(addressOf(place));
    await page.getByText('Updates every 30 s').waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Find a screen or action' });
    await field.fill('webhooks');
    await page.getByText('No results.').waitFor();
    await field.fill('checklist');
    await page.getByRole('option', { name: 'Launch checklist' }).waitFor();
    await page.keyboard.press('Escape');
    const { release_id, ...path } = place;
    await service.person.recordTestRun({ path, body: { total: 7, passed: 7, failed: 0, suite: 'unit' } });
    await page.clock.runFor(31_000);
    await page.getByText('7 of 7 tests passed').first().waitFor();
    await close();
  });
});
