import type { Page } from 'playwright-core';

/** Leaves a mark that a reload would take away. */
export const mark = (page: Page): Promise<unknown> => page.evaluate(() => Object.assign(globalThis, { marked: true }));

/** Whether the mark is there still. */
export const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'marked' in globalThis);
