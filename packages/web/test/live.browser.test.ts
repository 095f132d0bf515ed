import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { addressOf, fill, makeRelease, trendWritten } from './browser/places.js';
import { startEmpty, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

describe('what others report, in a browser', () => {
  it('shows in two browsers by itself, without a reload and without anything jumping', async () => {
    const service = await startService();
    const path = await makeRelease(service.person);
    await fill(service.person, path);
    const [one, two] = await Promise.all([visit(service), visit(service)]);
    for (const { page, open } of [one, two]) {
      await open(addressOf(path));
      await page.getByText('410 of 412 tests passed').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    }
    for (const passed of [300, 301, 302]) {
      await service.person.recordTestRun({ path, body: { total: 412, passed, failed: 412 - passed } });
      await Promise.all([one, two].map(({ page }) => page.getByText(`${passed} of 412 tests passed`).waitFor()));
    }
    await one.close();
    await two.close();
    await service.stop();
  });

  it('announces a decision that changed', async () => {
    const service = await startService();
    const path = await makeRelease(service.person);
    await fill(service.person, path);
    const { page, open, close } = await visit(service);
    await open(addressOf(path));
    await page.getByText('Live', { exact: true }).waitFor();
    // A point of the trend is one per second: the change is to be one of its own.
    await page.getByRole('img', { name: /over time/ }).waitFor();
    const { body } = await service.person.listChecklist({ path });
    for (const { id } of body.data)
      await service.person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state: 'done' } });
    await page.getByRole('status').getByText('checkout 2.4: the gate now says go.').waitFor();
    await page.getByRole('region', { name: 'Ship gate' }).getByText('Go', { exact: true }).waitFor();
    await close();
    await service.stop();
  });

  it('is read once where the server says several times at once that something may have been missed', async () => {
    const service = await startService();
    await makeRelease(service.person);
    const { page, open, close } = await visit(service);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/events', async (route) => {
      await held;
      const body = `retry: 600000\n\n${'event: resync\ndata: {}\n\n'.repeat(5)}`;
      await route.fulfill({ contentType: 'text/event-stream', body });
    });
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/portfolio') asked += 1;
    });
    // On a slow machine the regular reading would be counted as well.
    await page.addInitScript(() => Object.assign(globalThis, { setInterval: () => 0 }));
    await open('/');
    await page.getByText('1 project', { exact: true }).waitFor();
    expect(asked).to.equal(1);
    const again = page.waitForResponse('**/api/portfolio?*');
    answer();
    await again;
    expect(asked).to.equal(2);
    await close();
    await service.stop();
  });

  it('misses nothing between the first answers and the stream of events', async () => {
    const service = await startService();
    const path = await makeRelease(service.person);
    await fill(service.person, path);
    const { page, open, close } = await visit(service);
    let letOpen: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letOpen = resolve;
    });
    await page.route('**/api/events', async (route) => {
      await held;
      await route.continue();
    });
    await open(addressOf(path));
    await page.getByText('410 of 412 tests passed').waitFor();
    await service.person.recordTestRun({ path, body: { total: 412, passed: 399, failed: 13 } });
    // Its event is sent by then.
    await trendWritten(service.person, path);
    letOpen();
    await page.getByText('399 of 412 tests passed').waitFor();
    await close();
    await service.stop();
  });

  it('comes back by itself when the server was restarted', async () => {
    const stores = memoryStores();
    const service = await startService({ stores });
    const path = await makeRelease(service.person);
    await fill(service.person, path);
    const { page, open, close, expectAccessible } = await visit(service, {
      mayComplain: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_CONNECTION_RESET/,
    });
    await open(addressOf(path));
    await page.getByText('Live', { exact: true }).waitFor();
    await service.stop();
    await page.getByText('Waiting for the server').waitFor();
    await page.getByText('410 of 412 tests passed').waitFor();
    await expectAccessible('waiting for the server');
    const again = await startEmpty({ stores }, Number(new URL(service.url).port));
    await service.person.recordTestRun({ path, body: { suite: 'unit', total: 412, passed: 411, failed: 1 } });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('411 of 412 tests passed').waitFor();
    await close();
    await again.stop();
  });

  it('shows within 30 seconds also what changes no score and so makes no event', async () => {
    const service = await startService();
    const path = await makeRelease(service.person);
    const { page, open, close } = await visit(service);
    await page.clock.install();
    let letOpen: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letOpen = resolve;
    });
    await page.route('**/api/events', async (route) => {
      await held;
      await route.continue();
    });
    await open(`${addressOf(path).split('/releases/')[0]}/deployments`);
    await page.getByRole('heading', { level: 2, name: 'No deployment yet' }).waitFor();
    // The reading after the stream has opened is not the one that is meant.
    const again = page.waitForResponse(/\/deployments\?/);
    letOpen();
    await again;
    await page.getByText('Live', { exact: true }).waitFor();
    const project = { app_name: 'checkout', commit_sha: '0123abc' };
    await service.person.recordDeployment({ body: { ...project, environment: 'canary', status: 'started' } });
    await page.clock.runFor(31_000);
    await page.getByText('canary').first().waitFor();
    await close();
    await service.stop();
  });

  it('shows while events come faster than answers', async () => {
    const service = await startService();
    const path = await makeRelease(service.person);
    const { page, open, close } = await visit(service);
    // The clock stays where it is but for the time that events take to settle, so that no call takes too long.
    await page.clock.install();
    await page.addInitScript(() => {
      const seen = { events: 0 };
      const Stream = EventSource;
      class Counted extends Stream {
        constructor(address: string) {
          super(address);
          this.addEventListener('readiness.changed', () => {
            seen.events += 1;
          });
        }
      }
      Object.assign(globalThis, { seen, EventSource: Counted });
    });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    await page.route('**/api/portfolio?*', async (route) => {
      asked += 1;
      if (asked > 1) await held;
      await route.continue().catch(() => undefined);
    });
    await open('/');
    await page.getByText('1 project', { exact: true }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.clock.pauseAt(Date.now() + 1_000);
    while (asked < 2) await page.clock.runFor(200);
    const { data } = (await service.person.listChecklist({ path })).body;
    for (const [done, { id }] of data.entries()) {
      await service.person.changeChecklistItem({ path: { ...path, item_id: id }, body: { state: 'done' } });
      await page.waitForFunction(
        (wanted) => (globalThis as unknown as { seen: { events: number } }).seen.events >= wanted,
        done + 1,
        { polling: 50 },
      );
      await page.clock.runFor(200);
    }
    expect(asked, 'what is being read is not asked for again').to.equal(2);
    const onceMore = page.waitForRequest('**/api/portfolio?*');
    answer();
    await onceMore;
    await page.getByText('100.0').first().waitFor();
    expect(asked, 'and once more after its answer').to.equal(3);
    await close();
    await service.stop();
  });
});
