import { inspect } from 'node:util';
import { expect } from 'chai';
import { createClient } from '../src/index.js';
import { type Answering, answering } from './answering.js';
import { deployment, failureOf } from './records.js';

const CANARY = 'swk_canary7Qm2Zr9Lk4Xw8Tn3Vb6Yp1Hs5Gd0J';

/** All that a log, a debugger or a report of the value could show. */
const shown = (value: unknown): string => {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true, showProxy: true }), String(value)];
  parts.push(JSON.stringify(value) ?? '');
  if (value instanceof Error) parts.push(value.stack ?? '', shown(value.cause), JSON.stringify({ ...value }));
  return parts.join('\n');
};

/** What an answer may do with the key it was sent. */
const echoes: Readonly<Record<string, (key: string) => readonly [number, Record<string, string>, string]>> = {
  'a page that prints the request': (key) => [502, { 'content-type': 'text/html' }, `<pre>Authorization: ${key}</pre>`],
  'a problem that quotes it': (key) => [
    401,
    { 'content-type': 'application/problem+json', 'x-request-id': key.replace(/\W/g, '_') },
    JSON.stringify({
      type: 'x',
      status: 401,
      title: key,
      detail: `${key} is unknown`,
      errors: [{ pointer: key }],
      [key]: key,
    }),
  ],
  'broken JSON that quotes it': (key) => [200, { 'content-type': 'application/json' }, `{"key": "${key}`],
  'a redirect that carries it': (key) => [302, { location: `/login?token=${key}` }, key],
  'a content type that carries it': (key) => [200, { 'content-type': `x/${key.replace(/\W/g, '')}` }, key],
};

describe('the API key', () => {
  let server: Answering | undefined;
  const start = async (listener: Parameters<typeof answering>[0]): Promise<string> => {
    server = await answering(listener);
    return server.url;
  };
  afterEach(() => server?.close());

  it('shows nowhere in the client', () => {
    const client = createClient({ baseUrl: 'https://acme.dev', apiKey: CANARY });
    expect(shown(client)).not.to.include(CANARY);
    expect(shown(client.listTeams)).not.to.include(CANARY);
    expect(JSON.stringify(Object.getOwnPropertyDescriptors(client))).not.to.include(CANARY);
  });

  for (const [what, echo] of Object.entries(echoes)) {
    it(`shows nowhere in the error after ${what}`, async () => {
      const url = await start((request, response) => {
        const [status, headers, body] = echo(request.headers.authorization ?? '');
        response.writeHead(status, headers).end(body);
      });
      const client = createClient({ baseUrl: url, apiKey: CANARY, retries: 0 });
      const error = await failureOf(client.recordDeployment({ body: deployment }));
      expect(error).to.be.instanceOf(Error);
      expect(shown(error)).not.to.include(CANARY);
    });
  }

  it('shows nowhere in the error of a broken connection or of a fetch that quotes its headers', async () => {
    const refused = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: CANARY, retries: 0 });
    expect(shown(await failureOf(refused.listTeams()))).not.to.include(CANARY);
    const talkative: typeof fetch = async (_, init) => {
      const cause = Object.assign(new Error(`cannot send ${JSON.stringify(init?.headers)}`), { code: 'EHEADERS' });
      throw new TypeError('fetch failed', { cause });
    };
    const client = createClient({ baseUrl: 'https://acme.dev', apiKey: CANARY, retries: 0, fetch: talkative });
    const error = await failureOf(client.listTeams());
    expect(error).to.include({ code: 'EHEADERS' });
    expect(shown(error)).to.include('[API key]').and.not.to.include(CANARY);
  });

  it('goes to the address it is for and to no other', async () => {
    const other = await answering((_, response) => response.end('{}'));
    const url = await start((_, response) =>
      response.writeHead(307, { location: `${other.url}/api/deployments` }).end(),
    );
    const client = createClient({ baseUrl: url, apiKey: CANARY });
    expect(await failureOf(client.recordDeployment({ body: deployment }))).to.include({ status: 307 });
    expect(other.requests).to.have.length(0);
    await other.close();
  });
});
