import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Addresses } from './addresses.js';
import type { Approvals } from './approvals.js';
import { queryAnswers } from './graphql/answer.js';
import { rootOf } from './graphql/root.js';
import { publishedSchema } from './graphql/schema.js';
import { type LimitedResource, type Limits, limitHeaders } from './limits.js';
import type { oauthAnswers } from './oauth.js';
import type { Account } from './records.js';
import { jsonReply, pageReply, type Reply, refusal } from './rest/reply.js';
import { restAnswer } from './rest/routes.js';
import type { World } from './world.js';

export interface Asked {
  readonly method: string;
  readonly address: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How answers to reading requests bear validators. */
export type Validators = 'weak' | 'strong' | 'none';

export interface AnswerParts {
  readonly addresses: Addresses;
  readonly world: World;
  readonly approvals: Approvals;
  readonly limits: Limits;
  readonly oauth: ReturnType<typeof oauthAnswers>;
  readonly issueTypes: boolean;
  readonly validators: () => Validators;
}

/** The token of `Authorization`, with any scheme. */
export const tokenOf = (headers: IncomingHttpHeaders): string | undefined =>
  /^(?:bearer|token) (\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** The same answer with its validator; 304 without a body where the asker has it already, which costs nothing. */
const validated = (reply: Reply, kind: Validators, headers: IncomingHttpHeaders): Reply => {
  if (kind === 'none' || reply.status !== 200) return reply;
  const tag = `"${createHash('sha256').update(reply.body).digest('hex')}"`;
  const etag = kind === 'weak' ? `W/${tag}` : tag;
  const known = (headers['if-none-match'] ?? '').split(/\s*,\s*/).map((one) => one.replace(/^W\//, ''));
  return known.includes(tag)
    ? { status: 304, headers: { etag }, body: '' }
    : { ...reply, headers: { ...reply.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' } };
};

/** Answers as the host does when nothing is wrong with it. */
export const answers = (parts: AnswerParts): ((asked: Asked) => Promise<Reply>) => {
  const { addresses, world, approvals, limits, oauth } = parts;
  const read = restAnswer(addresses, world);
  const query = queryAnswers(publishedSchema(parts));
  const apiPath = new URL(addresses.apiUrl).pathname.replace(/\/$/, '');
  const graphqlPath = apiPath === '' ? '/graphql' : apiPath.replace(/\/v3$/, '/graphql');

  const limited = async (
    { headers }: Asked,
    resource: LimitedResource,
    answer: (viewer: Account, token: string) => Reply | Promise<Reply>,
  ): Promise<Reply> => {
    const token = tokenOf(headers);
    if (token === undefined) return refusal(401, 'Requires authentication');
    const issued = approvals.valid(token);
    if (issued === undefined) return refusal(401, 'Bad credentials');
    const spent = (): Reply => {
      const message = `API rate limit exceeded for user ID ${issued.account.id}.`;
      if (resource === 'core') return refusal(403, message);
      return jsonReply(200, { errors: [{ type: 'RATE_LIMITED', message }] });
    };
    const isOpen = limits.of(token, resource).remaining > 0;
    const reply = isOpen ? await answer(issued.account, token) : spent();
    if (reply.status !== 304) limits.take(token, resource);
    const scopes = issued.scopes === null ? {} : { 'x-oauth-scopes': issued.scopes };
    return {
      ...reply,
      headers: { ...limitHeaders(limits.of(token, resource), resource), ...scopes, ...reply.headers },
    };
  };

  return async (asked) => {
    const { method, address, headers, body } = asked;
    const { pathname } = address;
    if (pathname === '/login/oauth/access_token' && method === 'POST') {
      return oauth.token(body, headers['content-type'] ?? '', headers.accept ?? '');
    }
    if (pathname.startsWith('/login/')) return oauth.page(address) ?? pageReply(404, 'Page not found');
    if (pathname === graphqlPath && method === 'POST') {
      return limited(asked, 'graphql', (viewer, token) =>
        query(body, rootOf(addresses, world, viewer, limits.of(token, 'graphql'))),
      );
    }
    if (!pathname.startsWith(`${apiPath}/`)) return pageReply(404, 'Page not found');
    const path = pathname.slice(apiPath.length);
    const [, clientId = '', what = ''] = /^\/applications\/([^/]+)\/(token|grant)$/.exec(path) ?? [];
    if (what !== '' && method === 'DELETE') return oauth.end(what, clientId, headers.authorization ?? '', body);
    if (method !== 'GET') return refusal(404, 'Not Found');
    return limited(asked, 'core', (viewer) => validated(read(path, address, viewer), parts.validators(), headers));
  };
};
