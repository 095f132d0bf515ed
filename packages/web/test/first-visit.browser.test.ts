import { expect } from 'chai';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { ADA, type Service, startService } from './browser/service.js';
import { type Visit, visit } from './browser/visit.js';

const ROWS = '.portfolio tbody tr';
const PROJECTS = 40;

/** Keeps the stream of events from opening, after which all is read again. */
const withoutEvents = ({ page }: Visit) =>
  page.addInitScript(() => {
    globalThis.EventSource = class extends EventTarget {
      close() {}
    } as unknown as typeof EventSource;
  });

/** Waits until so many projects are in the document. */
const rowsShown = (page: Visit['page']) =>
  page.waitForFunction(([rows, count]) => document.querySelectorAll(rows).length === count, [ROWS, PROJECTS] as const);

describe('the first visit, in a browser', () => {
  let service: Service;
  let path: ReleasePath;
  before(async () => {
    service = await startService();
    path = await makeRelease(service.person);
    const { team_id } = path;
    for (let number = 1; number < PROJECTS; number += 1)
      await service.person.createProject({ path: { team_id }, body: { name: `service-${number}` } });
  });
  after(() => service.stop());

  /** Expects that each was asked for once, because the headers of the page said so. */
  const expectPreloaded = async (page: Visit['page'], calls: readonly string[]) => {
    const made = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, initiatorType }) => ({
        call: name.slice(location.origin.length),
        initiatorType,
      })),
    );
    for (const call of calls)
      expect(
        made.filter((each) => each.call === `/api${call}`),
        call,
      ).to.eql([{ call: `/api${call}`, initiatorType: 'link' }]);
  };

  it('asks once for what a scorecard shows, while the script is on its way', async () => {
    const visited = await visit(service);
    const { page, open, close } = visited;
    await withoutEvents(visited);
    await open(addressOf(path));
    await page.getByRole('heading', { name: 'What if?' }).waitFor();
    const project = `/teams/${path.team_id}/projects/${path.project_id}`;
    const release = `${project}/releases/${path.release_id}`;
    const data = ['/whoami', `${release}/readiness`, release, `${release}/waivers`, `${project}/policy`];
    await expectPreloaded(page, ['/about', '/session', ...data]);
    await close();
  });

  it('draws as many projects as fill a high screen, then the others, without the language data of the browser', async () => {
    const visited = await visit(service);
    const { page, open, close } = visited;
    await withoutEvents(visited);
    await page.addInitScript((rows) => {
      const seen = { rows: [] as number[], formatters: [] as number[] };
      Object.assign(globalThis, { seen });
      const count = () => document.querySelectorAll(rows).length;
      new MutationObserver(() => {
        if (count() > 0 && seen.rows.at(-1) !== count()) seen.rows.push(count());
      }).observe(document, { childList: true, subtree: true });
      const { DateTimeFormat, NumberFormat, RelativeTimeFormat } = Intl;
      for (const [name, made] of Object.entries({ DateTimeFormat, NumberFormat, RelativeTimeFormat }))
        Object.assign(Intl, {
          [name]: new Proxy(made, {
            construct: (target, args) => {
              seen.formatters.push(count());
              return Reflect.construct(target, args);
            },
            apply: (target, self, args) => {
              seen.formatters.push(count());
              return Reflect.apply(target, self, args);
            },
          }),
        });
    }, ROWS);
    await service.person.recordTestRun({ path, body: { total: 10, passed: 10, failed: 0 } });
    await open('/');
    await rowsShown(page);
    // The tooltip of the first moment is written after the first picture.
    await page.locator(`${ROWS} time[title]`).first().waitFor();
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Record<string, number[]> }).seen);
    expect(seen.rows).to.eql([25, PROJECTS]);
    expect(seen.formatters).not.to.eql([]);
    expect(Math.min(...(seen.formatters ?? []))).to.be.at.least(25);
    await expectPreloaded(page, ['/portfolio?sort=decision&limit=50']);
    await close();
  });

  for (const width of [700, 1280] as const)
    it(`keeps the columns of the projects in their places for any rows, at ${width} px`, async () => {
      const { page, open, close } = await visit(service);
      await page.setViewportSize({ width, height: 900 });
      await service.person.changeRelease({ path, body: { name: `release_${'x'.repeat(60)}` } });
      const heads = () =>
        page.locator('.portfolio thead th').evaluateAll((all) => all.map((each) => (each as HTMLElement).offsetLeft));
      await open('/');
      await rowsShown(page);
      const before = await heads();
      const overflowing = await page
        .locator('.portfolio :is(td, th)')
        .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length);
      expect(overflowing).to.equal(0);
      await open('/?q=service-1');
      await page.getByRole('link', { name: 'service-1', exact: true }).waitFor();
      expect(await heads()).to.eql(before);
      await close();
    });

  it('draws the first picture once who is there is known, and a skeleton when that takes long', async () => {
    // The call for the projects, made ahead of time, waits longer for its use than the browser likes.
    const { page, open, close } = await visit(service, { mayComplain: /preloaded using link preload but not used/ });
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/session', async (route) => {
      await asked;
      await route.continue();
    });
    await open('/');
    await page.getByText('Loading').waitFor();
    answer();
    await page.getByRole('link', { name: 'service-1', exact: true }).waitFor();
    await close();
  });

  for (const [where, address] of [
    ['the projects', () => '/'],
    ['a scorecard', () => addressOf(path)],
  ] as const)
    it(`signs in on ${where} once, where the browser brought a session that had ended`, async () => {
      const { page, context, open, close } = await visit(service, {
        signedIn: false,
        mayComplain: /401|preloaded using link/,
      });
      await context.addCookies(service.cookies.map((cookie) => ({ ...cookie, value: 'ended' })));
      await open(address());
      await page.getByLabel('Email').fill(ADA.email);
      await page.getByLabel('Password').fill(ADA.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('checkout').first().waitFor();
      await page.getByText('Hold').first().waitFor();
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await close();
    });
});
