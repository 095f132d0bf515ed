import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn } from '../stand-in.js';
import type { Behaviour } from './laptop/git-host.js';
import { type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

const CANARY = 'c4n4ry';
const secret = (name: string): string => `${CANARY}-${name}-0123456789`;

/** A host that echoes everything it receives. */
const echo: Behaviour = (request, response) => {
  const told = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  response
    .writeHead(500, `no ${told.replace(/[^\x20-\x7e]/g, '')}`, { 'x-told': told })
    .end(`${told} ${request.headers.authorization}`);
};

describe('doctor and secrets', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  beforeEach(async () => {
    const name = secret('address');
    laptop = await openLaptop(office, {
      env: {
        SHIPWORTHY_API_KEY: secret('key'),
        GIT_TRACE: '1',
        GIT_CURL_VERBOSE: '1',
        GIT_TRACE_CURL: '1',
        GIT_TRACE_REDACT: '0',
        HTTPS_PROXY: '',
      },
      remote: `https://ada:${name}@localhost:${office.host.port}/acme/shop.git`,
    });
    laptop.set(
      'credential.helper',
      `!f() { echo username=ada; echo password=${secret('helper')}; echo ${secret('talkative')} >&2; }; f`,
    );
    laptop.set('http.extraHeader', `X-Secret: ${secret('header')}`);
    writeFileSync(
      join(laptop.folder, '.shipworthy.json'),
      JSON.stringify({ api_url: office.service.url, api_key: secret('file') }),
    );
    writeFileSync(join(laptop.folder, 'answer'), `${secret('agent')}\n`);
  });
  afterEach(async () => {
    office.host.behave((_request, _response, git) => git());
    office.host.tokens.clear();
    await laptop.remove();
  });

  const silent = async (...words: readonly string[]) => {
    for (const extra of [[], ['--json']]) {
      const { out, err } = await runIn(laptop, 'doctor', ...words, ...extra);
      expect(out).to.not.equal('');
      for (const text of [out, err]) {
        expect(text).to.not.contain(CANARY);
        for (const name of ['key', 'file', 'address', 'helper'])
          expect(text).to.not.contain(Buffer.from(`ada:${secret(name)}`).toString('base64'));
      }
    }
  };

  for (const [name, behaviour] of [
    ['answers', (_request, _response, git) => git()],
    ['says back what it is told', echo],
    ['cuts the connection', (request) => request.socket.destroy()],
    [
      'leads elsewhere',
      (request, response) =>
        response
          .writeHead(302, { location: `https://ada:${secret('address')}@elsewhere.example/?t=${secret('address')}` })
          .end(request.url),
    ],
  ] as const satisfies readonly (readonly [string, Behaviour])[])
    it(`shows none when the host ${name}`, async () => {
      office.host.behave(behaviour);
      await silent();
    });

  it('shows none when the host wants credentials, or rejects them', async () => {
    office.host.tokens.set('something-else', 'write');
    await silent();
  });

  it('shows nothing git or its helper says when git alone is refused', async () => {
    office.host.behave((request, response, git) => {
      if (!request.headers['user-agent']?.startsWith('git/2')) return git();
      response.writeHead(401, { 'www-authenticate': `Basic realm="${secret('realm')}"` }).end(secret('body'));
    });
    await silent();
  });

  it('shows none when everything fails', async () => {
    laptop = {
      ...laptop,
      fetch: async (_input, init) => {
        throw new Error(`cannot send ${JSON.stringify(Object.fromEntries(new Headers(init?.headers)))}`);
      },
    };
    await silent('--timeout', '1');
  });

  it('shows none of a proxy', async () => {
    laptop = {
      ...laptop,
      env: {
        ...laptop.env,
        HTTPS_PROXY: `http://ada:${secret('proxy')}@localhost:9`,
        HTTP_PROXY: `http://ada:${secret('proxy')}@localhost:9`,
      },
    };
    await silent('--timeout', '1');
  });

  it('shows nothing an agent answers', async () => {
    await silent('agent', '--agent', `cat answer; echo ${secret('agent')} >&2 #`);
    execFileSync('git', ['status'], { cwd: laptop.folder, env: laptop.env, stdio: 'pipe' });
  });

  it('shows no token that is to be stored', async () => {
    for (const behaviour of [echo, ((_request, _response, git) => git()) satisfies Behaviour]) {
      office.host.behave(behaviour);
      const { stdin } = await openLaptop(office, { stdin: secret('stored') });
      const { out, err } = await runIn({ ...laptop, stdin }, 'doctor', '--store-token', '--json');
      expect(err).to.not.equal('');
      expect(out + err).to.not.contain(CANARY);
    }
  });
});
