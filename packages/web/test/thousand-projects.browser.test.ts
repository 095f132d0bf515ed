import { randomUUID } from 'node:crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { addressOf, makeRelease, type ReleasePath } from './browser/places.js';
import { type Service, startService } from './browser/service.js';
import { visit } from './browser/visit.js';

const startWithThousand = async (): Promise<{ readonly service: Service; readonly held: ReleasePath }> => {
  const stores = memoryStores();
  const service = await startService({ stores });
  const held = await makeRelease(service.person, 'web-shop', '9.9');
  const [project, release] = await Promise.all([
    stores.projects.byId(held.project_id),
    stores.releases.byId(held.release_id),
  ]);
  const [owner] = await stores.teams.members(held.team_id);
  if (project === undefined || release === undefined || owner === undefined) throw new Error('Nothing was made.');
  const { createdAt } = project;
  await stores.transaction(async (inside) => {
    for (let place = 0; place < 20; place += 1) {
      const names = { name: `Team ${String(place + 1).padStart(2, '0')}`, slug: `team-${place + 1}` };
      const team = { id: randomUUID(), ...names, version: 1, createdAt, demo: false };
      await inside.teams.create(team, { teamId: team.id, userId: owner.userId, role: 'owner', createdAt });
      for (let nth = place === 0 ? 1 : 0; nth < 50; nth += 1) {
        const name = `service-${String(place * 50 + nth).padStart(3, '0')}`;
        const made = { ...project, id: randomUUID(), teamId: team.id, name, slug: name };
        await inside.projects.create(made);
        // Without a checklist nothing is measured: the gate says unknown.
        if (nth % 2 === 0) await inside.releases.create({ ...release, id: randomUUID(), projectId: made.id }, []);
      }
    }
  });
  return { service, held };
};

/** Shows 100 rows, then 200, and answers the heads of the rows. */
const showFirst200 = async (page: Page): Promise<Locator> => {
  const rows = page.getByRole('rowheader');
  for (const [more, shown] of [
    [50, 100],
    [100, 200],
  ] as const) {
    await page.getByRole('button', { name: `Show ${more} more of 1,000 projects` }).click();
    await rows.nth(shown - 1).waitFor();
  }
  return rows;
};

describe('a thousand projects, in a browser', () => {
  let service: Service;
  let held: ReleasePath;
  before(async () => {
    ({ service, held } = await startWithThousand());
  });
  after(() => service.stop());

  const asksOf = (page: Page): readonly string[] => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/portfolio') asked.push(search);
    });
    return asked;
  };

  it('are read a page at a time, the one on hold first, and it is one press away from anywhere in the list', async () => {
    for (const [width, scheme] of [
      [390, 'light'],
      [1280, 'dark'],
      [1920, 'light'],
    ] as const) {
      const { page, open, close, expectAccessible } = await visit(service, { width, scheme });
      const asked = asksOf(page);
      await page.addInitScript(() => {
        const shifts = { sum: 0 };
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const each of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!each.hadRecentInput) shifts.sum += each.value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await open('/');
      await page.getByText('1,000 projects', { exact: true }).waitFor();
      const rows = page.getByRole('rowheader');
      await rows.nth(49).waitFor();
      expect(await rows.count()).to.equal(50);
      // They are read again once the stream of events is open.
      expect([...new Set(asked)]).to.deep.equal(['?sort=decision&limit=50']);
      expect(await rows.first().textContent()).to.contain('web-shop');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(width);
      await expectAccessible(`a thousand projects at ${width} pixels, ${scheme}`);
      const shifted = await page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum);
      expect(shifted).to.be.at.most(0.02);

      await open('/?sort=project');
      await rows.nth(49).waitFor();
      expect(await page.getByText('web-shop').count()).to.equal(0);
      await page.getByRole('button', { name: 'Hold 1', exact: true }).click();
      await rows.nth(1).waitFor({ state: 'detached' });
      expect(await rows.first().textContent()).to.contain('web-shop');
      await page.getByText('Ops is at 0, below its minimum of 100').waitFor();
      await page.getByRole('status').filter({ hasText: '1 project of 1,000' }).waitFor();
      await close();
    }
  });

  it('lead to its scorecard by one press from the first view', async () => {
    const { page, open, close } = await visit(service);
    await open('/');
    await page.getByRole('row').nth(1).getByRole('link', { name: '9.9', exact: true }).click();
    await page.waitForURL(`**${addressOf(held)}`);
    await page.getByRole('heading', { level: 1, name: /9\.9/ }).waitFor();
    await close();
  });

  it('keep their place on the way back', async () => {
    const { page, open, close } = await visit(service);
    await open('/?sort=project&decision=unknown');
    const rows = page.getByRole('rowheader');
    await page.getByRole('button', { name: 'Show 50 more of 499 projects' }).click();
    await rows.nth(99).waitFor();
    const link = rows.nth(80).getByRole('link');
    const name = (await link.textContent()) ?? '';
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).to.be.above(1_000);
    await link.click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goBack();
    await rows.nth(99).waitFor();
    await page.waitForFunction((at) => Math.abs(scrollY - at) < 2, before);
    expect(await page.getByRole('button', { name: /^Unknown / }).getAttribute('aria-pressed')).to.equal('true');
    await close();
  });

  it('have only the rows near the view in the document, each with its number, once hundreds are shown', async () => {
    for (const width of [1280, 390] as const) {
      const { page, open, close, expectAccessible } = await visit(service, { width });
      await open('/?sort=project');
      await showFirst200(page);
      const table = page.getByRole('table');
      expect(await table.getAttribute('aria-rowcount')).to.equal(null);
      for (const shown of [400, 600, 800, 1_000]) {
        await page.getByRole('button', { name: 'Show 200 more of 1,000 projects' }).click();
        await page.locator(`table[aria-rowcount="${shown + 1}"]`).waitFor();
      }
      const present = () => page.evaluate(() => document.querySelectorAll('tbody tr[aria-rowindex]').length);
      const untilFew = () =>
        page.waitForFunction(() => document.querySelectorAll('tbody tr[aria-rowindex]').length < 500);
      await page.getByText('The browser’s own search finds only the rows near the view.').waitFor();
      await untilFew();
      await page.evaluate(() => scrollTo(0, 0));
      await page.locator('tr[aria-rowindex="2"]').getByRole('link', { name: 'service-001' }).waitFor();
      await untilFew();
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await expectAccessible(`a long table at ${width} pixels`);

      // By Tab from row to row, over the ends of what comes and goes together.
      await page.locator('tr[aria-rowindex="2"] a').first().focus();
      let row = 2;
      while (row < 110) {
        await page.keyboard.press('Tab');
        const next = await page.evaluate(() =>
          Number(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')),
        );
        expect(next).to.be.within(row, row + 1);
        row = next;
      }

      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.locator('tr[aria-rowindex="1001"]').getByRole('link', { name: 'web-shop' }).waitFor();
      await untilFew();
      const after = await page.evaluate(() => document.documentElement.scrollHeight);
      // Gates may be settled in the meantime, which makes a row or two higher.
      expect(Math.abs(after - height), 'what leaves keeps its room').to.be.below(height / 100);
      expect(await present()).to.be.below(500);
      // What is in the document when all that listens has heard of the printing is what the browser puts on paper.
      await page.evaluate(() => {
        const count = () => {
          document.body.setAttribute(
            'data-printed',
            String(document.querySelectorAll('tbody tr[aria-rowindex]').length),
          );
        };
        addEventListener('beforeprint', count, { once: true });
      });
      await page.pdf();
      expect(await page.locator('body').getAttribute('data-printed'), 'on paper all are there').to.equal('1000');
      await untilFew();
      await close();
    }
  });

  it('keep the focus when the table becomes a long one', async () => {
    const { page, open, close } = await visit(service);
    await open('/?sort=project');
    const rows = await showFirst200(page);
    const link = rows.nth(120).getByRole('link');
    const name = (await link.textContent()) ?? '';
    // Pressed by the script: the focus stays in the row.
    await link.focus();
    await page
      .getByRole('button', { name: 'Show 200 more of 1,000 projects' })
      .evaluate((button: HTMLElement) => button.click());
    await page.locator('table[aria-rowcount="401"]').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal(name);
    await close();
  });

  it('are cut by team where they are grouped, and each row says its team or has it above', async () => {
    const { page, open, close } = await visit(service);
    await open('/?group=team&sort=project');
    for (const more of [50, 100, 200])
      await page.getByRole('button', { name: `Show ${more} more of 1,000 projects` }).click();
    await page.locator('table[aria-rowcount]').waitFor();
    await page.locator('tr.unshown').first().waitFor({ state: 'attached' });
    const parts = await page.evaluate(async () => {
      dispatchEvent(new Event('beforeprint'));
      await Promise.resolve();
      return [...document.querySelectorAll('tbody')].map((body) => ({
        heads: body.querySelectorAll('tr.group').length,
        isHeaded: body.querySelector('tr')?.className === 'group',
        names: [...body.querySelectorAll('th[scope="row"]')].map((head) => head.textContent),
      }));
    });
    expect(parts.flatMap(({ names }) => names)).to.have.length(400);
    for (const { heads, isHeaded, names } of parts) {
      expect(heads).to.equal(isHeaded ? 1 : 0);
      for (const name of names)
        expect(name).to.match(isHeaded ? /^(service-\d{3}|web-shop)$/ : /^service-\d{3}Team \d\d$/);
    }
    expect(parts.filter(({ isHeaded }) => !isHeaded)).not.to.deep.equal([]);
    await close();
  });

  it('are filtered and opened by keyboard alone', async () => {
    const { page, open, close } = await visit(service);
    await open('/?sort=project');
    await page.getByRole('rowheader').nth(49).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        if (name.test(await focused())) return;
      }
      throw new Error(`Tab does not lead to ${name.source}.`);
    };
    await tabTo(/^Hold 1$/);
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader').nth(1).waitFor({ state: 'detached' });
    expect(await focused()).to.match(/^Hold 1$/);
    await tabTo(/^web-shop$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'web-shop' }).waitFor();
    await close();
  });

  it('show the rows of the former filter as such until the new ones are there, and say when they cannot be read', async () => {
    const { page, open, close } = await visit(service, { mayComplain: /503|Failed to load/ });
    await open('/');
    await page.getByRole('rowheader').nth(49).waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/portfolio?decision=go*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Go / }).click();
    await page.locator('[aria-busy="true"]').waitFor();
    expect(await page.getByRole('rowheader').count()).to.equal(50);
    answer();
    await page.getByRole('heading', { name: 'No project fits' }).waitFor();
    await page.route('**/api/portfolio?decision=none*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('button', { name: /^No active release / }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await page.getByRole('rowheader').count()).to.equal(0);
    await close();
  });
});
