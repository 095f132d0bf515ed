import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type Ended, runScript } from './script.js';

const IDS = { SHIPWORTHY_TEAM_ID: 't', SHIPWORTHY_PROJECT_ID: 'p' };
const KEY = { SHIPWORTHY_API_KEY: 'swk_secret' };

/** Runs the script against a service that answers like that; answers what it sent too. */
const against = (answer: RequestListener, ...words: readonly string[]) => below('', answer, ...words);

/** The same below a path of the origin. */
const below = async (path: string, answer: RequestListener, ...words: readonly string[]) => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const ended: Ended = await runScript({ ...KEY, ...IDS, SHIPWORTHY_API_URL: url }, ...words);
  server.close();
  server.closeAllConnections();
  return { ended, seen };
};

describe('a pipeline with curl and a service in trouble', () => {
  it('sends a report again under the same key, and is told of one success', async () => {
    let tries = 0;
    const { ended, seen } = await against(
      (request, response) => {
        tries += 1;
        if (tries === 1) request.socket.destroy();
        else if (tries === 2) response.writeHead(503, { 'retry-after': '1' }).end('{}');
        else response.writeHead(201, { location: '/api/x/42' }).end('{"data":{}}');
      },
      'test-run',
      'checkout',
      '3',
      '1',
    );
    expect(ended).to.include({ code: 0, said: 'shipworthy: test run 42: 3 passed, 1 failed\n' });
    expect(seen).to.have.lengthOf(3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).to.equal(1);
    expect([...keys][0]).to.match(/^[\x21-\x7e]{1,255}$/);
    for (const { headers } of seen) expect(headers.authorization).to.equal('Bearer swk_secret');
  });

  it('keeps the key from what deploys', async () => {
    const { ended } = await against(
      (_, response) => response.writeHead(201, { location: '/api/deployments/42' }).end('{"data":{}}'),
      ...['deploy', 'checkout', 'production', '9fceb02', '--', 'sh', '-c', 'test -z "$SHIPWORTHY_API_KEY"'],
    );
    expect(ended).to.include({ code: 0, complained: '' });
  });

  it('finds what it created at a service below a path', async () => {
    const created = { location: '/tools/ship/api/deployments/42' };
    const { ended, seen } = await below(
      '/tools/ship',
      (_, response) => response.writeHead(201, created).end('{"data":{}}'),
      ...['deploy', 'checkout', 'production', '9fceb02', '--', 'true'],
    );
    expect(ended).to.include({ code: 0, complained: '' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'POST /tools/ship/api/deployments',
      'PUT /tools/ship/api/deployments/42',
    ]);
  });

  it('waits for the first request with its key', async () => {
    let tries = 0;
    const { ended } = await against(
      (_, response) => {
        tries += 1;
        if (tries === 2) response.writeHead(201, { location: '/api/x/42' }).end('{"data":{}}');
        else
          response.writeHead(409).end('{"type":"/api/docs/problems/idempotency-key-in-use","detail":"still running"}');
      },
      'test-run',
      'checkout',
      '3',
      '1',
    );
    expect(ended.code).to.equal(0);
  });

  it('never reads a stranger’s page as a decision, and follows none of its redirects', async () => {
    const page = '<html>"gate":{"decision":"nonsense"}</html>';
    const lying = await against((_, response) => response.end(page), 'gate', 'checkout');
    expect(lying.ended).to.deep.equal({ code: 5, said: '', complained: 'shipworthy: the answer names no project\n' });
    const redirect = await against(
      (_, response) => response.writeHead(302, { location: '/elsewhere' }).end('moved'),
      'gate',
      'checkout',
    );
    expect(redirect.seen).to.have.lengthOf(1);
    expect(redirect.ended).to.include({ code: 5 });
    expect(redirect.ended.complained).to.match(/projects\/p: 302 moved\n$/);
  });

  it('deploys and records nothing when a stranger’s page answers a report', async () => {
    const page: RequestListener = (_, response) => response.setHeader('content-type', 'text/html').end('<html></html>');
    const deployed = await against(page, 'deploy', 'checkout', 'production', 'abc1234', '--', 'echo', 'deployed');
    const tested = await against(page, 'test-run', 'checkout', '3', '1');
    for (const { ended } of [deployed, tested]) {
      expect(ended).to.include({ code: 5, said: '' });
      expect(ended.complained).to.contain('the answer names no record');
    }
  });

  it('ends as what it deployed did where the end cannot be reported, and says so', async () => {
    for (const code of [0, 7]) {
      const { ended } = await against(
        ({ method }, response) =>
          method === 'POST'
            ? response.writeHead(201, { location: '/api/deployments/42' }).end('{"data":{}}')
            : response.writeHead(403).end('{"detail":"not with this key"}'),
        ...['deploy', 'checkout', 'production', '9fceb02', '--', 'sh', '-c', `exit ${code}`],
      );
      expect(ended).to.deep.equal({
        code,
        said: '',
        complained:
          'shipworthy: PUT /api/deployments/42: 403 not with this key\n' +
          'shipworthy: the end of deployment 42 was not reported\n',
      });
    }
  });

  it('takes a service that asks for patience to the last for one that is unreachable', async () => {
    const { ended } = await against(
      (_, response) => response.writeHead(429, { 'retry-after': '1' }).end('{"detail":"later"}'),
      ...['test-run', 'checkout', '3', '1'],
    );
    expect(ended).to.include({ code: 5 });
    expect(ended.complained).to.contain('429 later');
  });

  it('shows what a service says as text, so that neither a terminal nor a CI system obeys it', async () => {
    const hostile = [
      '::set-output name=a::b',
      ':::add-mask:::x',
      '##vso[task.setvariable variable=a]b',
      '###[error]x',
      '##teamcity[x]',
      '\u001b]0;title\u0007\u009b31m\r\n::error::line\u0085\u2028\u202etxt\u2067\u200f\u061c',
    ].join(' ');
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(404).end(hostile),
      (_, response) => response.writeHead(403).end(hostile),
      (_, response) =>
        response
          .writeHead(422)
          .end(JSON.stringify({ detail: hostile, faults: [{ message: hostile }, { message: 'b' }] })),
    ];
    for (const answer of answers) {
      const { ended } = await against(answer, 'gate', 'checkout');
      expect(ended.complained).to.match(/^shipworthy: GET \/api\/teams\/t\/projects\/p: \d+ ./);
      expect(ended.complained).not.to.match(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        /::|##\w*\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
      );
      expect(ended.complained)
        .to.match(/set-output name=a/)
        .and.to.match(/vso/);
    }
  });

  it('says what it needs before it sends anything', async () => {
    const url = { SHIPWORTHY_API_URL: 'http://127.0.0.1:1' };
    const complaints = [
      [await runScript(url, 'gate', 'checkout'), /SHIPWORTHY_API_KEY: is not set/],
      [await runScript({ ...url, SHIPWORTHY_API_KEY: 'a"\nb' }, 'gate', 'checkout'), /is not an API key/],
      [await runScript({ ...KEY, SHIPWORTHY_API_URL: 'http://example.org' }, 'gate', 'checkout'), /must be https/],
      [await runScript({ ...KEY, ...url }), /deploy, test-run or gate\?/],
      [
        await runScript({ ...KEY, ...url }, 'deploy', 'checkout', 'production', 'true'),
        /ENVIRONMENT COMMIT -- COMMAND/,
      ],
      [await runScript({ ...KEY, ...url }, 'test-run', 'checkout', '3', '-1'), /APP PASSED FAILED/],
    ] as const;
    for (const [{ code, complained }, expected] of complaints) {
      expect(complained).to.match(expected);
      expect(code).to.be.oneOf([1, 2, 4]);
    }
  });
});
