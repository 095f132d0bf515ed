import type { Instant } from '@shipworthy/domain';

/** What the server needs in order to talk to GitHub, or to a GitHub Enterprise Server. */
export interface GithubOptions {
  /** Of the OAuth app registered at the host. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise Server. */
  readonly apiUrl: URL;
  /** `https://github.com`, or `https://host`. */
  readonly webUrl: URL;
  /** The server's secret key, 32 bytes at least: grants are sealed and webhooks signed under keys derived from it. */
  readonly secretKey: Uint8Array;
  /** The service's clock, in milliseconds since 1970; the machine's unless given. */
  readonly clock?: () => Instant;
}

/** In paths and in external ids. */
export const NAME = 'github';
/** For people. */
export const TITLE = 'GitHub';
