import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { joinedBy } from './browser/people.js';
import { addressOf, fill, makeRelease } from './browser/places.js';
import { ADA, type Service, startService } from './browser/service.js';
import { type Visit, visit } from './browser/visit.js';

/** Tells the page that its tab is hidden or shown: a browser without windows takes all its tabs for visible. */
const turn = (page: Page, to: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, to);

/** Stores in memory that count the open streams of events. */
const countedStreams = () => {
  const stores = memoryStores();
  let isChanged: () => void = () => undefined;
  const streams = { open: 0 };
  const count = (difference: number) => {
    streams.open += difference;
    isChanged();
  };
  const { feed } = stores;
  return {
    stores: {
      ...stores,
      feed: {
        subscribe: (...given: Parameters<typeof feed.subscribe>) => {
          const end = feed.subscribe(...given);
          count(1);
          return () => {
            count(-1);
            end();
          };
        },
      },
    },
    /** Waits until that many streams are open. */
    untilOpen: async (wanted: number) => {
      while (streams.open !== wanted)
        await new Promise<void>((resolve) => {
          isChanged = resolve;
        });
    },
  };
};

describe('several tabs of one browser', () => {
  it('all work, however many there are', async () => {
    const { stores, untilOpen } = countedStreams();
    const service = await startService({ stores });
    const place = await makeRelease(service.person);
    await fill(service.person, place);
    const { page: first, context, open, close } = await visit(service);
    context.setDefaultTimeout(240_000);
    await open(addressOf(place));
    await first.getByText('Live', { exact: true }).waitFor();
    const tabs = [first];
    for (let number = 2; number <= 7; number += 1) {
      await turn(tabs.at(-1) ?? first, 'hidden');
      const tab = await context.newPage();
      tabs.push(tab);
      await tab.goto(addressOf(place));
      await tab.getByText('Live', { exact: true }).waitFor();
      await untilOpen(1);
    }
    await turn(tabs.at(-1) ?? first, 'hidden');
    await untilOpen(0);
    await service.person.recordTestRun({ path: place, body: { total: 412, passed: 300, failed: 112 } });
    await turn(first, 'visible');
    await first.getByText('Live', { exact: true }).waitFor();
    await first.getByText('300 of 412 tests passed').waitFor();
    await untilOpen(1);
    await service.person.recordTestRun({ path: place, body: { total: 412, passed: 301, failed: 111 } });
    await first.getByText('301 of 412 tests passed').waitFor();
    await close();
    await service.stop();
  });

  it('show the decision in the title of a hidden tab, too', async () => {
    const { stores, untilOpen } = countedStreams();
    const service = await startService({ stores });
    const path = await makeRelease(service.person);
    await fill(service.person, path);
    const { page, open, close } = await visit(service);
    await page.clock.install();
    await open(addressOf(path));
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.title()).to.match(/^Hold/);
    await turn(page, 'hidden');
    await untilOpen(0);
    for (const { id } of (await service.person.listChecklist({ path })).body.data)
      await service.person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state: 'done' } });
    await page.clock.runFor(31_000);
    await page.waitForFunction(() => document.title.startsWith('Go'));
    expect(await page.locator('link[rel=icon]').getAttribute('href')).to.contain('icon-go');
    await untilOpen(0);
    await close();
    await service.stop();
  });

  describe('when another person signs in on one of them', () => {
    const begin = async (options: Parameters<typeof startService>[0] = {}) => {
      const service = await startService(options);
      const { release_id, ...path } = await makeRelease(service.person);
      await joinedBy(service, path.team_id, 'member', 'Grace');
      const visited = await visit(service, { mayComplain: /status of 401|ERR_FAILED/ });
      await visited.page.clock.install();
      await visited.open(`/teams/${path.team_id}/projects/${path.project_id}/issues`);
      await visited.page.getByRole('button', { name: 'New issue' }).first().click();
      await visited.page.getByLabel('Title').fill('Written by Ada');
      return { service, ...visited };
    };

    /** As the sign-in screen on another tab does. */
    const signInAsGrace = async ({ context }: Pick<Visit, 'context'>, { url }: Service): Promise<void> => {
      const answer = await context.request.post('/api/session', {
        headers: { origin: url },
        data: { email: 'grace-member@example.org', password: 'another long enough phrase' },
      });
      expect(answer.status()).to.equal(200);
    };

    const expectGrace = async (page: Page): Promise<void> => {
      await page.locator('.whose').getByText('Grace', { exact: true }).waitFor();
      await page.getByRole('heading', { level: 1, name: 'Issues of checkout' }).waitFor();
      expect(await page.content()).not.to.contain('Written by Ada');
      expect(await page.getByRole('dialog').count()).to.equal(0);
    };

    it('the other one goes on as that person once its stream has opened again', async () => {
      const { service, ...visited } = await begin();
      await visited.page.getByText('Live', { exact: true }).waitFor();
      await signInAsGrace(visited, service);
      await expectGrace(visited.page);
      await visited.page.getByText('Live', { exact: true }).waitFor();
      await visited.close();
      await service.stop();
    });

    it('the other one does where a reading is refused that was sent before', async () => {
      const { service, ...visited } = await begin();
      const { page } = visited;
      await page.getByText('Live', { exact: true }).waitFor();
      await page.route('**/api/events', (route) => route.abort());
      const cookie = service.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      // It arrives under the session of Ada, which has ended by then.
      const hold = async (route: Route) => {
        await held;
        const refusal = await fetch(route.request().url(), { headers: { cookie } });
        expect(refusal.status).to.equal(401);
        await route.fulfill({
          status: refusal.status,
          contentType: refusal.headers.get('content-type') ?? '',
          body: await refusal.text(),
        });
      };
      await page.route('**/issues?*', hold, { times: 1 });
      const sent = page.waitForRequest('**/issues?*');
      await page.clock.runFor(31_000);
      await sent;
      // No further regular reading asks who is signed in.
      await page.clock.pauseAt(Date.now() + 40_000);
      await signInAsGrace(visited, service);
      letGo();
      await expectGrace(page);
      await visited.close();
      await service.stop();
    });

    it('the other one does once it is visible again', async () => {
      const { service, ...visited } = await begin();
      await turn(visited.page, 'hidden');
      await signInAsGrace(visited, service);
      // Without the stream, the answer to who is signed in is all there is.
      await visited.page.route('**/api/events', (route) => route.abort());
      await turn(visited.page, 'visible');
      await expectGrace(visited.page);
      await visited.close();
      await service.stop();
    });

    it('the other one does at the next regular reading where the server has no stream', async () => {
      const { events, webhooks, feed, ...stores } = memoryStores();
      const { service, ...visited } = await begin({ stores });
      await visited.page.getByText('Updates every 30 s').waitFor();
      await signInAsGrace(visited, service);
      await visited.page.clock.runFor(31_000);
      await expectGrace(visited.page);
      await visited.close();
      await service.stop();
    });
  });

  it('go on with what is written once the person has signed in again on one of them', async () => {
    const service = await startService();
    const { release_id, ...path } = await makeRelease(service.person);
    const { page, context, open, close } = await visit(service, { mayComplain: /status of 401/ });
    await open(`/teams/${path.team_id}/projects/${path.project_id}/issues`);
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Written by Ada');
    await service.person.signOut();
    const dialog = page.getByRole('dialog', { name: 'Sign in to go on' });
    await dialog.waitFor();
    await turn(page, 'hidden');
    const { email, password } = ADA;
    await context.request.post('/api/session', { headers: { origin: service.url }, data: { email, password } });
    await turn(page, 'visible');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('Written by Ada');
    await close();
    await service.stop();
  });
});
