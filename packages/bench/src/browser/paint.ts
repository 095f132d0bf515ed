import type { Browser, BrowserContextOptions } from 'playwright-core';

/** A page to be opened for the first time, and what must be seen on it. */
export interface Opening {
  readonly url: string;
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[];
  /** A selector; it is looked at in every frame. */
  readonly seen: string;
  /** How many times slower the processor is made. */
  readonly slowdown: number;
}

const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' };

/** Milliseconds from the navigation until the selector has been painted, with nothing in the cache. */
export const paintOf = async (browser: Browser, { url, cookies, seen, slowdown }: Opening): Promise<number> => {
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
