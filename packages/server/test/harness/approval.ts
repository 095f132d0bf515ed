import type { Caller } from './caller.js';
import { CODE } from './test-host.js';

/** Begins to connect; answers the state the host would send back. */
export const beginApproval = async (browser: Caller): Promise<string> => {
  const { url } = (await browser.ok('connectHost')).body.data;
  return new URL(url).searchParams.get('state') ?? '';
};

/** Connects the person in the browser, who approves at once. */
export const connect = async (browser: Caller): Promise<void> => {
  await browser.ok('finishHostConnection', { query: { state: await beginApproval(browser), code: CODE } });
};
