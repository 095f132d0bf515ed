import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from './chromium.js';
import type { Service } from './service.js';

/** One person's browser: a page, and everything it complained of. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to an address of the service. */
  readonly open: (path: string) => Promise<void>;
  /** What the page has complained of so far: console errors, uncaught faults, breaches of the content policy. */
  readonly complaints: readonly string[];
  /** Fails with what axe finds on the page as it is now. */
  readonly expectAccessible: (where: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface VisitOptions {
  /** Signed in as the person who set the service up. */
  readonly signedIn?: boolean;
  readonly width?: 320 | 390 | 1280 | 1920;
  readonly scheme?: 'light' | 'dark';
  /** Complaints that the test itself brings about, such as failed requests of a server it stops. */
  readonly mayComplain?: RegExp;
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const findingsOn = async (page: Page): Promise<readonly Finding[]> => {
  // Evaluated, not added as a script: the page's own content policy stays on.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: readonly Finding[] }> } };
    return (await axe.run()).violations;
  });
};

/** Opens a browser of its own at the service. */
export const visit = async (service: Pick<Service, 'url' | 'cookies'>, options: VisitOptions = {}): Promise<Visit> => {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.scheme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (options.signedIn ?? true) await context.addCookies([...service.cookies]);
  const page = await context.newPage();
  // Only what hangs ends here: how long a page takes depends on what else the machine does.
  page.setDefaultTimeout(240_000);
  const complaints: string[] = [];
  const complain = (line: string) => {
    if (!options.mayComplain?.test(line)) complaints.push(line);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complain(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complain(`fault: ${error.message}`));
  return {
    page,
    context,
    complaints,
    open: async (path) => {
      await page.goto(path);
    },
    expectAccessible: async (where) => {
      const findings = await findingsOn(page);
      const text = findings.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
      );
      expect(text, where).to.deep.equal([]);
    },
    close: async () => {
      await context.close();
      expect(complaints).to.deep.equal([]);
    },
  };
};
