import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEPT_OPEN } from '../github-server/listener.js';
import { type Answer, missing, ok, refused } from './answer.js';
import { type Fault, goWrong } from './faults.js';
import { graphql } from './graphql.js';
import { revoke, token } from './oauth.js';
import { read } from './routes.js';
import { newWorld, type TokenPair, type World } from './world.js';

/** A request as it arrived, with what it was answered. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  status: number | null;
}

export interface GitlabServer {
  readonly url: URL;
  readonly world: World;
  readonly seen: Seen[];
  /** Answers that will go wrong, each once, first come first served; `null` lets one pass. */
  readonly faults: (Fault | null)[];
  /** Lets so many answers go wrong, once those above are through. */
  fail(fault: Fault, times: number): void;
  recover(): void;
  close(): Promise<void>;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => new URLSearchParams(await textOf(request));

const pairOf = (world: World, request: IncomingMessage): TokenPair | undefined => {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const pair = world.pairs.find(({ access }) => access === given);
  return pair === undefined || pair.ended || pair.expiresAt <= world.now() ? undefined : pair;
};

const answerTo = async (world: World, request: IncomingMessage, url: URL): Promise<Answer> => {
  const path = url.pathname.split('/').slice(1).map(decodeURIComponent);
  if (request.method === 'POST' && url.pathname === '/oauth/token') return token(world, await formOf(request));
  if (request.method === 'POST' && url.pathname === '/oauth/revoke') return revoke(world, await formOf(request));
  const pair = pairOf(world, request);
  if (pair === undefined) return refused(401, 'invalid_token', 'Token is expired. You can refresh.');
  const { account, scopes } = pair;
  if (request.method === 'POST' && url.pathname === '/api/graphql')
    return graphql(world, account, await textOf(request));
  // Nothing but reading is ever asked for; a service that wrote would find out here.
  if (request.method !== 'GET') return refused(405, '405 Not Allowed');
  if (path[0] !== 'api' || path[1] !== 'v4') return refused(404, '404 Not Found');
  if (url.pathname === '/api/v4/personal_access_tokens/self')
    return scopes === undefined ? missing('Personal Access Token') : ok({ id: 1, name: 'own', scopes });
  return read(world, account, path.slice(2), url.searchParams);
};

const limitHeaders = ({ limits }: World): Record<string, string> =>
  limits === null
    ? {}
    : {
        'ratelimit-limit': String(limits.limit),
        'ratelimit-remaining': String(limits.remaining),
        'ratelimit-reset': String(limits.resetAt / 1000),
      };

const send = (world: World, answer: Answer, request: IncomingMessage, response: ServerResponse): number => {
  const text = JSON.stringify(answer.body);
  const etag = `W/"${createHash('md5').update(text).digest('hex')}"`;
  const headers = { ...limitHeaders(world), ...answer.headers, ...(request.method === 'GET' ? { etag } : {}) };
  const isSame = answer.status === 200 && request.headers['if-none-match'] === etag;
  const status = isSame ? 304 : answer.status;
  response.writeHead(status, isSame ? headers : { ...headers, 'content-type': 'application/json' });
  response.end(isSame ? undefined : text);
  return status;
};

/** A server on 127.0.0.1 that answers like GitLab, as far as this service asks it. */
export const gitlabServer = async (now: () => number = Date.now): Promise<GitlabServer> => {
  const world = newWorld(now);
  const seen: Seen[] = [];
  const faults: (Fault | null)[] = [];
  let standing: { readonly fault: Fault; left: number } | undefined;
  const nextFault = (): Fault | null => {
    if (faults.length > 0) return faults.shift() ?? null;
    if (standing === undefined || standing.left <= 0) return null;
    standing.left -= 1;
    return standing.fault;
  };
  const server = createServer(KEPT_OPEN, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const record: Seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      status: null,
    };
    seen.push(record);
    const goRight = (): void => {
      answerTo(world, request, url).then(
        (answer) => {
          record.status = send(world, answer, request, response);
        },
        () => response.destroy(),
      );
    };
    const fault = nextFault();
    if (fault === null) goRight();
    else goWrong(fault, response, goRight);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  world.url = url.origin;
  return {
    url,
    world,
    seen,
    faults,
    fail: (fault, times) => {
      standing = { fault, left: times };
    },
    recover: () => {
      standing = undefined;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
};
