import { type OperationId, openApiDocument } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Answer, Message } from './connection.js';
import { type OpenApi, operationsIn } from './description.js';
import { createOracle } from './oracle.js';

const document = openApiDocument({
  serverUrl: 'http://127.0.0.1',
  sessionCookie: 'shipworthy_session',
  version: '1',
}) as unknown as OpenApi;
const oracle = createOracle(document);
const operations = new Map(operationsIn(document).map((operation) => [operation.id, operation]));

const GENERAL = {
  'x-request-id': 'r',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json; charset=utf-8' };
const asked: Message = { method: 'GET', target: '/api/teams?x=1', headers: [], body: null };

const faultOf = (id: OperationId, answer: Partial<Answer>, sent?: { readonly sent: unknown }): string | null => {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`There is no ${id}.`);
  const whole = { status: 200, text: '', ...answer, headers: { ...GENERAL, ...answer.headers } };
  return oracle.faultOf(operation, asked, whole, sent);
};

const problem = (members: object = {}): string =>
  JSON.stringify({
    type: '/api/docs/problems/unauthenticated',
    title: 'A valid API key or session is needed',
    status: 401,
    detail: 'Sign in.',
    instance: '/api/teams',
    request_id: 'r',
    ...members,
  });
const unauthenticated = (members: object, headers: Readonly<Record<string, string>> = {}) =>
  faultOf('listTeams', {
    status: 401,
    headers: { ...PROBLEM_TYPE, 'www-authenticate': 'Bearer', ...headers },
    text: problem(members),
  });

describe('the judge of fuzzed answers', () => {
  it('lets pass what the document describes', () => {
    expect(faultOf('listTeams', { headers: JSON_TYPE, text: '{"data":[]}' })).to.equal(null);
    expect(unauthenticated({})).to.equal(null);
    expect(faultOf('checkAlive', { headers: JSON_TYPE, text: '{"status":"ok"}' })).to.equal(null);
    expect(faultOf('signOut', { status: 204, headers: { 'set-cookie': 'shipworthy_session=' } })).to.equal(null);
  });

  it('finds answers the document does not know', () => {
    expect(faultOf('listTeams', { status: 500, text: problem() })).to.equal('is a 500');
    expect(faultOf('listTeams', { status: 503, text: problem() })).to.equal('is a 503');
    expect(faultOf('listTeams', { status: 431, text: '' })).to.equal('finds a short head too long');
    expect(faultOf('listTeams', { status: 418, text: problem() })).to.equal('is a 418');
    expect(faultOf('listTeams', { headers: JSON_TYPE, text: '{"data":[{}]}' })).to.contain('breaks its schema');
    expect(faultOf('listTeams', { headers: JSON_TYPE, text: '{"data":[],"more":1}' })).to.contain('breaks its schema');
    expect(faultOf('listTeams', { headers: { 'content-type': 'text/html' } })).to.contain('is a text/html');
    expect(faultOf('signOut', { status: 204, text: 'x' })).to.contain('has a body');
  });

  it('finds headers that are missing, or not described', () => {
    const fine = { ...JSON_TYPE, etag: '"1"' };
    const text = '{"data":[]}';
    expect(faultOf('listTeams', { headers: fine, text })).to.contain('etag');
    expect(faultOf('listTeams', { headers: { ...JSON_TYPE, 'set-cookie': 'a=b' }, text })).to.contain('set-cookie');
    expect(faultOf('listTeams', { headers: { ...JSON_TYPE, server: 'x' }, text })).to.contain('made of');
    expect(unauthenticated({}, { location: '/x' })).to.contain('location');
    const bare = { status: 401, headers: PROBLEM_TYPE, text: problem() };
    expect(faultOf('listTeams', bare)).to.contain('www-authenticate');
    expect(faultOf('listTeams', { status: 429, headers: PROBLEM_TYPE, text: problem() })).to.contain('come again');
  });

  it('finds problems that say something wrong or too much', () => {
    expect(unauthenticated({ status: 403 })).to.contain('status');
    expect(unauthenticated({ instance: '/api' })).to.contain('path');
    expect(unauthenticated({ request_id: 'other' })).to.contain('another request');
    expect(unauthenticated({ type: '/api/docs/problems/forbidden' })).to.contain('forbidden');
    expect(unauthenticated({ detail: 'at file:///srv/app.js' })).to.contain('internals');
    expect(unauthenticated({ detail: 'SQLITE_CONSTRAINT' })).to.contain('internals');
  });

  it('finds bodies that were taken although the document refuses them', () => {
    const passwords = { current_password: 'a long enough phrase', new_password: 'another long phrase' };
    expect(faultOf('changePassword', { status: 204 }, { sent: passwords })).to.equal(null);
    const short = { ...passwords, new_password: 'short' };
    expect(faultOf('changePassword', { status: 204 }, { sent: short })).to.contain('took a body');
  });
});
