import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { alternate, comparedLine, type RowResult } from '../figures.js';
import type { Workshop } from '../process/workshop.js';
import { setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, startShipworthy } from '../subject/shipworthy.js';
import type { BenchRow, RunSize } from './row.js';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the Chromium of this machine, or the one CHROMIUM_PATH names. @throws Error when there is none */
const startChromium = async (): Promise<Browser> => {
  const executablePath = process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('No Chromium was found; CHROMIUM_PATH names one.');
  // Imported only when needed: it makes everything else in the process several times slower.
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  return chromium.launch({ executablePath, args: [...args, '--disable-component-update', '--disable-sync'] });
};

/** A page to be opened for the first time, and what must be seen on it. */
interface Opening {
  readonly url: string;
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[];
  /** A selector; it is looked at in every frame. */
  readonly seen: string;
  /** How many times slower the processor is made. */
  readonly slowdown: number;
}

const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' };

/** Milliseconds from the navigation until the selector has been painted, with nothing in the cache. */
const paintOf = async (browser: Browser, { url, cookies, seen, slowdown }: Opening): Promise<number> => {
  const context = await browser.newContext(CONTEXT);
  try {
    await context.addCookies([...cookies]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // Looked for by the page itself, frame by frame: asking from outside would disturb what is measured.
    await page.addInitScript((selector) => {
      const look = () => {
        if (document.querySelector(selector) === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => performance.mark('seen'));
      };
      requestAnimationFrame(look);
    }, seen);
    await page.goto(url);
    const marked = await page.waitForFunction(() => performance.getEntriesByName('seen')[0]?.startTime ?? null);
    return Number(await marked.jsonValue());
  } finally {
    await context.close();
  }
};

/** Serves one page as it is from memory; answers its address. */
const serveStillPage = async (workshop: Workshop, html: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  workshop.atClose(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const SLOWDOWN = 4;
const DECISION = '.verdict-decision';
const A_DAY = 86_400_000;

/** The scorecard as the browser shows it, with its styles, in one file without script. */
const stillOf = async (browser: Browser, opening: Opening): Promise<string> => {
  const context = await browser.newContext();
  await context.addCookies([...opening.cookies]);
  const page = await context.newPage();
  await page.goto(opening.url);
  await page.locator(opening.seen).waitFor();
  const [body, style] = await page.evaluate(() => [
    document.body.innerHTML,
    [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n'),
  ]);
  await context.close();
  return `<!doctype html><meta charset="utf-8"><title>Still</title><style>${style}</style><body>${body}</body>`;
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const server = await startShipworthy(workshop, `sqlite:${workshop.path('paint.sqlite')}`);
  const person = await firstPerson(server);
  const teamId = await setUpTeam(person);
  const { id, releaseId } = await setUpProject(person, teamId, 'checkout', Date.now() - A_DAY);
  const base = `http://127.0.0.1:${server.port}`;
  const cookies = person.cookies.map(({ name, value }) => ({ name, value, url: base }));
  const browser = await startChromium();
  workshop.atClose(() => browser.close());

  const url = `${base}/teams/${teamId}/projects/${id}/releases/${releaseId}`;
  const ours: Opening = { url, cookies, seen: DECISION, slowdown: SLOWDOWN };
  const still: Opening = { ...ours, url: await serveStillPage(workshop, await stillOf(browser, ours)), cookies: [] };
  await paintOf(browser, ours);
  await paintOf(browser, still);
  const rounds = await alternate(size.rounds, {
    ours: () => paintOf(browser, ours),
    still: () => paintOf(browser, still),
  });
  const line = comparedLine(rounds, 'ours', 'still', {
    what: `scorecard, first visit, until the decision is painted, processor ${SLOWDOWN}x slower`,
    against: 'the same picture as one still page: no script, no call',
    unit: 'ms',
    aims: [],
  });
  return { lines: [line], verifiedRecords: 0, remarks: ['Headless Chromium on this machine, empty cache, loopback.'] };
};

/** How soon a slow machine shows the decision. */
export const scorecardPaint: BenchRow = {
  name: 'scorecard-paint',
  title: 'Scorecard in a browser',
  run,
};
