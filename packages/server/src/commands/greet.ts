import { setTimeout as pause } from 'node:timers/promises';
import type { StoresWithFeed } from '@shipworthy/domain';
import { publicAddress } from '../http/base-path.js';
import { VERSION } from '../version.js';
import type { Outside } from './outside.js';

/** What a start has to tell people. */
export interface Greeting {
  /** Where people reach the service. */
  readonly url: URL;
  /** The token that was made up; null: it was given, and who gave it knows it. */
  readonly madeToken: string | null;
  /** Whether the application in the browser is served. */
  readonly application: boolean;
}

/** How often the database is asked again whether somebody is set up, in milliseconds. */
const AGAIN_MS = 1000;

/** Whether somebody is set up, as soon as the database tells; undefined when that ends before. */
const whenKnown = async (any: () => Promise<boolean>, ended: AbortSignal): Promise<boolean | undefined> => {
  while (!ended.aborted) {
    await pause(AGAIN_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    const known = ended.aborted ? undefined : await any().catch(() => undefined);
    if (known !== undefined) return known;
  }
  return undefined;
};

/**
 * Says where the service is, and, while nobody is set up, the token that lets the first administrator in and where to
 * enter it. A token that was given does not go to where the output is kept. While the database is away that is said, and
 * the rest once it answers, or never when `ended` comes first.
 */
export const greet = async (
  { url, madeToken, application }: Greeting,
  { users }: { readonly users: Pick<StoresWithFeed['users'], 'any'> },
  { print }: Pick<Outside, 'print'>,
  ended: AbortSignal,
): Promise<void> => {
  print(`Shipworthy ${VERSION} listens on ${publicAddress(url, '')}`);
  let isSetUp = await users.any().catch(() => undefined);
  if (isSetUp === undefined) {
    print('The database does not answer yet: /readyz says when it does.');
    isSetUp = await whenKnown(() => users.any(), ended);
  }
  if (isSetUp !== false) return;
  print(`Nobody is set up yet. One-time setup token: ${madeToken ?? 'as given in SHIPWORTHY_SETUP_TOKEN'}`);
  if (application) print(`Open ${publicAddress(url, '')} and enter the token.`);
};
