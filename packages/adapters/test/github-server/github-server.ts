import { answers, type Validators } from './answers.js';
import { type Approvals, approvals, type OAuthApp } from './approvals.js';
import { exchange } from './exchange.js';
import { type Faults, faults } from './faults.js';
import { type Deliver, deliverer } from './hook-delivery.js';
import { type Limits, limits } from './limits.js';
import { bodyOf, listen } from './listener.js';
import { oauthAnswers, type Visitor } from './oauth.js';
import { type RequestLog, requestLog } from './request-log.js';
import { emptyWorld, type World } from './world.js';

export interface GitHubServerOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** Milliseconds since 1970; the machine's unless given. */
  readonly clock?: () => number;
  /** `/api/v3` makes it an Enterprise Server. */
  readonly apiPath?: '' | '/api/v3';
  /** Whether it knows types of issues, as it does unless told: older Enterprise Servers do not. */
  readonly issueTypes?: boolean;
  readonly app?: Partial<OAuthApp>;
}

/** A server that behaves like GitHub for readers, over real sockets and without leaving this machine. */
export interface GitHubServer {
  readonly url: string;
  readonly webUrl: string;
  readonly apiUrl: string;
  /** The OAuth app; people are sent back only to its `redirectUrls`. */
  readonly app: OAuthApp;
  /** What is at the host; changes show in the next answer. */
  readonly data: World;
  readonly requests: RequestLog;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly approvals: Approvals;
  /** Lets everybody who comes to the page of approval be that account, and approve at once. */
  approveAs(login: string): void;
  /** Lets everybody who comes be that account, and be asked. */
  visitAs(login: string): void;
  /** A token of that account without the way of approval, with these scopes; null: a fine-grained one, of which none are told. */
  tokenFor(login: string, scopes?: string | null): string;
  revokeTokens(): void;
  /** Ends access tokens; those that can be refreshed stay refreshable. */
  expireTokens(): void;
  /** How reading answers are validated from now on; `weak`, as the host does, unless told. */
  validateBy(kind: Validators): void;
  /** Whether the origin that redirects lead to was ever shown a token. */
  leaked(): boolean;
  /** Sends a webhook. */
  readonly deliver: Deliver;
  /** Cannot be reached until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const CREDENTIALS = /gh[opru]_|authorization|client_secret/i;

/** Starts it on 127.0.0.1, empty but for the account `octo`. */
export const startGitHubServer = async (options: GitHubServerOptions = {}): Promise<GitHubServer> => {
  const { clock = Date.now, apiPath = '', issueTypes = true } = options;
  const closing = new AbortController();
  const shownElsewhere: string[] = [];
  const elsewhere = await listen(0, async (request, response) => {
    shownElsewhere.push(`${request.url} ${JSON.stringify(request.headers)} ${await bodyOf(request)}`);
    response.end('{}');
  });
  let handle: ReturnType<typeof exchange> | undefined;
  const listener = await listen(options.port ?? 0, (request, response) => {
    // What goes wrong here, such as an asker that left, ends the connection.
    handle?.(request, response).catch(() => response.destroy());
  });

  const webUrl = listener.url;
  const addresses = { webUrl, apiUrl: `${webUrl}${apiPath}` };
  const world = emptyWorld(clock);
  const log = requestLog();
  const injected = faults();
  const budgets = limits(clock);
  const given = approvals(clock);
  const { clientId = 'client', clientSecret = 'client-secret', redirectUrls = [] } = options.app ?? {};
  const app: OAuthApp = { clientId, clientSecret, redirectUrls };
  const visitor: Visitor = { account: world.account('octo'), approvesAtOnce: false };
  let validators: Validators = 'weak';
  const answer = answers({
    addresses,
    world,
    approvals: given,
    limits: budgets,
    oauth: oauthAnswers(app, given, visitor, clock),
    issueTypes,
    validators: () => validators,
  });
  handle = exchange({ webUrl, elsewhere: elsewhere.url, log, faults: injected, answer, closing: closing.signal });

  return {
    url: webUrl,
    ...addresses,
    app,
    data: world,
    requests: log,
    faults: injected,
    limits: budgets,
    approvals: given,
    approveAs: (login) => {
      visitor.account = world.account(login);
      visitor.approvesAtOnce = true;
    },
    visitAs: (login) => {
      visitor.account = world.account(login);
      visitor.approvesAtOnce = false;
    },
    tokenFor: (login, scopes) => given.issue(world.account(login), scopes).token,
    revokeTokens: given.revokeTokens,
    expireTokens: given.expireTokens,
    validateBy: (kind) => {
      validators = kind;
    },
    leaked: () => shownElsewhere.some((text) => CREDENTIALS.test(text)),
    deliver: deliverer(addresses),
    shut: listener.shut,
    open: listener.open,
    close: async () => {
      closing.abort();
      await Promise.all([listener.shut(), elsewhere.shut()]);
    },
  };
};
