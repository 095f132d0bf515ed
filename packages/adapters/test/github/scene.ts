import { githubHost } from '@shipworthy/adapters/github';
import type { ConfiguredHost, HostAccess, HostReadRequest, RepositoryIdentity } from '@shipworthy/domain/ports';
import nock from 'nock';
import { grantSeals } from '../../src/host-http/host-secrets.js';
import { conformsToInterface, type Exchange, publishedExample } from './published-interface.js';
import { executed } from './published-schema.js';

// Importing nock puts it into force; other suites of the same process want the real network until a suite asks for this one.
nock.restore();

export const API = 'https://api.github.com';
export const WEB = 'https://github.com';
export const TOKEN = 'gho_canary0123456789';
export const SECRET_KEY = Buffer.alloc(32, 7);
export const OWNER_ID = 'user-1';
export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const REPOSITORY: RepositoryIdentity = { id: '1296269', path: 'acme/shop', defaultBranch: 'main' };
export const ALL: HostReadRequest = { since: null, page: null, validator: null };

export const OPTIONS = {
  clientId: 'client-1',
  clientSecret: 'client-secret-1',
  apiUrl: new URL(API),
  webUrl: new URL(WEB),
  secretKey: SECRET_KEY,
};

const seals = grantSeals(SECRET_KEY, 'github', 'GitHub');

export const hostAt = (options: Partial<Parameters<typeof githubHost>[0]> = {}): ConfiguredHost =>
  githubHost({ ...OPTIONS, ...options });

export const accessOf = (
  options: { readonly token?: string; readonly within?: number; readonly now?: number } = {},
): HostAccess => ({
  ownerId: OWNER_ID,
  grant: seals.sealTokens(OWNER_ID, { access: options.token ?? TOKEN, refresh: null, expiresAt: null }),
  deadline: (options.now ?? Date.now()) + (options.within ?? 60_000),
});

/** Opens what the adapter sealed. */
export const tokensOf = (sealed: string) => seals.openTokens(OWNER_ID, { sealed, expiresAt: null });
export const sealedTokens = (tokens: Parameters<typeof seals.sealTokens>[1]) => seals.sealTokens(OWNER_ID, tokens);

export const BUDGET_HEADERS = {
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '4990',
  'x-ratelimit-reset': String(NOW / 1000),
};
export const BUDGET = { limit: 5000, remaining: 4990, resetAt: NOW };

export type Answer = Omit<Exchange, 'method'> & {
  readonly headers?: Readonly<Record<string, string>>;
  /** The validator that the request has to bear. */
  readonly validator?: string;
};

/** Lets GitHub answer one GET, once: with that very path, query, grant and validator. Held to the published interface. */
export const answersGet = ({ path, query = {}, status, body, headers = {}, validator }: Answer): nock.Scope => {
  conformsToInterface({ method: 'GET', path, query, status, body });
  return nock(API, {
    reqheaders: {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/vnd.github.v3+json',
      'x-github-api-version': '2022-11-28',
      ...(validator === undefined ? {} : { 'if-none-match': validator }),
    },
    badheaders: validator === undefined ? ['if-none-match'] : [],
  })
    .get(path)
    .query(query)
    .reply(status, status === 304 ? undefined : JSON.stringify(body), {
      ...(status === 304 ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    });
};

/** Lets GitHub answer once whose the path of the repository is; its own unless told. */
export const identified = (id = Number(REPOSITORY.id)): nock.Scope => {
  const example = publishedExample('GET', `/repos/${REPOSITORY.path}`) as object;
  // The published example lacks what its own schema demands of it and of its source.
  const body = { ...example, id, language: null, source: undefined, parent: undefined };
  return answersGet({
    path: `/repos/${REPOSITORY.path}`,
    status: 200,
    body: JSON.parse(JSON.stringify(body)) as unknown,
  });
};

/** Makes GitHub answer one GET of that path, with any query, by a value that may differ from the published form. */
export const answersOddly = (
  path: string,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): nock.Scope => nock(API).get(path).query(true).reply(status, text, headers);

export interface AskedQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Lets GitHub answer one query from what it has, once; what was asked is put into the list it answers. */
export const answersQuery = (
  root: Readonly<Record<string, unknown>>,
  options: { readonly typed?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
): AskedQuery[] => {
  const asked: AskedQuery[] = [];
  nock(API, { reqheaders: { authorization: `Bearer ${TOKEN}` } })
    .post('/graphql')
    .reply(
      200,
      async (_, body) => {
        const question = body as unknown as AskedQuery;
        asked.push(question);
        return JSON.stringify(await executed(question.query, question.variables, root, options.typed));
      },
      { 'content-type': 'application/json', ...BUDGET_HEADERS, ...options.headers },
    );
  return asked;
};

/** Lets GitHub answer one query with that body, once. */
export const answersQueryWith = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): nock.Scope =>
  nock(API)
    .post('/graphql')
    .reply(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** Cuts the process off the network for the tests of a suite, and leaves nothing of it behind. */
export const withoutNetwork = (): void => {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    if (pending.length > 0) throw new Error(`never asked for: ${pending.join(', ')}`);
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });
};

/** The failure of a promise as code and details; fails when there is none. */
export const failureOf = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error: unknown = await promise.then(
    () => {
      throw new Error('it was answered');
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || error.name !== 'DomainError' || !('code' in error) || !('details' in error))
    throw error;
  if (JSON.stringify([error.message, error.stack, error.details]).includes('canary')) throw new Error('shows a token');
  return { code: error.code, message: error.message, ...(error.details as Record<string, unknown>) };
};
