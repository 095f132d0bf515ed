import type { Browser } from 'playwright-core';
import { startChromium } from '../browser/chromium.js';
import { type Opening, paintOf } from '../browser/paint.js';
import { serveStillPage } from '../browser/still-page.js';
import { alternate } from '../measure/alternate.js';
import { lineOf, type RowResult } from '../measure/line.js';
import type { Workshop } from '../process/workshop.js';
import { firstPerson } from '../subject/person.js';
import { createProject, createTeam } from '../subject/project.js';
import { startShipworthy } from '../subject/shipworthy.js';
import type { Row, RunSize } from './row.js';

const SLOWDOWN = 4;
const DECISION = '.verdict-decision';
const A_DAY = 86_400_000;

/** The scorecard as it stands in the browser, styles and all, in one file without script. */
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
  const teamId = await createTeam(person);
  const { id, releaseId } = await createProject(person, teamId, 'checkout', Date.now() - A_DAY);
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
  const line = lineOf(rounds, 'ours', 'still', {
    what: `scorecard, first visit, until the decision is painted, processor ${SLOWDOWN}x slower`,
    against: 'the same picture as one still page: no script, no call',
    unit: 'ms',
    aims: [],
  });
  return { lines: [line], verifiedRecords: 0, remarks: ['Headless Chromium on this machine, empty cache, loopback.'] };
};

/** How soon somebody on a slow machine sees the decision. */
export const scorecardPaint: Row = {
  name: 'scorecard-paint',
  title: 'Scorecard in a browser',
  run,
};
