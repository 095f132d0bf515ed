// Takes the pictures of the application that the documents show.
// Usage: node packages/web/dist/test/browser/pictures.js [FOLDER]; the folder is docs/screens unless it is named.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './launch.js';
import { startForPictures } from './picture-data.js';
import { type Service, startEmpty } from './service.js';

/** A fixed moment, so that a picture changes only with its content. */
const NOW = Date.UTC(2026, 8, 17, 9, 30);

const LOOKS = [
  ['light', 'light', 1280, 960],
  ['dark', 'dark', 1280, 960],
  ['narrow', 'light', 320, 720],
] as const;

/** Pixels below what ends before the picture does. */
const MARGIN = 32;

interface Shot {
  readonly name: string;
  readonly at: Pick<Service, 'url' | 'cookies'>;
  readonly address: string;
  /** What a person does on the screen before the picture is taken, and the part of it that is shown; else all from the top. */
  readonly part?: { readonly prepare: (page: Page) => Promise<unknown>; readonly panel: string };
}

const take = async (browser: Browser, { name, at, address, part }: Shot, folder: string): Promise<void> => {
  for (const [look, colorScheme, width, height] of LOOKS) {
    const context = await browser.newContext({
      baseURL: at.url,
      viewport: { width, height },
      deviceScaleFactor: 1,
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await context.addCookies([...at.cookies]);
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => undefined);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const path = join(folder, `${name}-${look}.png`);
    if (part !== undefined) {
      await part.prepare(page);
      const panel = page.locator('.panel', { has: page.getByRole('heading', { name: part.panel, exact: true }) });
      await panel.screenshot({ path, animations: 'disabled' });
      await context.close();
      continue;
    }
    // No desert below what is short.
    const end = await page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('main > *, main > * > *')].map((part) => part.getBoundingClientRect().bottom),
      ),
    );
    const clip = { x: 0, y: 0, width, height: Math.min(height, Math.ceil(end) + MARGIN) };
    await page.screenshot({ path, animations: 'disabled', clip });
    await context.close();
  }
};

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../../../docs/screens', import.meta.url));
await mkdir(folder, { recursive: true });
const empty = await startEmpty();
const { service, project, release } = await startForPictures(NOW);
const shots: readonly (readonly [name: string, address: string])[] = [
  ['portfolio', '/'],
  ['project', project],
  ['scorecard', release],
  ['axis', `${release}/axes/stability`],
  ['checklist', `${release}/checklist`],
  ['test-runs', `${project}/test-runs`],
  ['deployments', `${project}/deployments`],
  ['analysis', `${release}/analysis`],
  ['settings', '/settings'],
];
const browser = await launchChromium();
try {
  await take(browser, { name: 'setup', at: { url: empty.url, cookies: [] }, address: '/' }, folder);
  for (const [name, address] of shots) await take(browser, { name, at: service, address }, folder);
  const part = {
    panel: 'What if?',
    prepare: (page: Page) => page.getByRole('button', { name: 'One more: Critical bugs resolved' }).click(),
  };
  await take(browser, { name: 'what-if', at: service, address: release, part }, folder);
} finally {
  await browser.close();
  await service.stop();
  await empty.stop();
}
