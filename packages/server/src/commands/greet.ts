import type { StoresWithFeed } from '@shipworthy/domain';
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

/**
 * Says where the service is, and, while nobody is set up, the token that lets the first administrator in and where to
 * enter it. A token that was given does not go to where the output is kept.
 */
export const greet = async (
  { url, madeToken, application }: Greeting,
  { users }: { readonly users: Pick<StoresWithFeed['users'], 'any'> },
  { print }: Pick<Outside, 'print'>,
): Promise<void> => {
  print(`Shipworthy ${VERSION} listens on ${url.origin}`);
  try {
    if (await users.any()) return;
    print(`Nobody is set up yet. One-time setup token: ${madeToken ?? 'as given in SHIPWORTHY_SETUP_TOKEN'}`);
    if (application) print(`Open ${url.origin} and enter the token.`);
  } catch {
    print('The database does not answer yet: /readyz says when it does.');
  }
};
