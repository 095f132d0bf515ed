import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type ApplicationFiles, readApplicationFiles } from '../src/web-files.js';
import { type BareService, startBare } from './harness/bare-service.js';

const page = {
  contentType: 'text/html; charset=utf-8',
  tag: '1',
  lasting: false,
  plain: Buffer.from(''),
  coded: null,
};
const APPLICATION: ApplicationFiles = { byPath: new Map(), page };
const CALLBACK = '/api/settings/github/callback?error=access_denied';

describe('a person who comes back from the repository host and is refused', () => {
  const started: BareService[] = [];
  const ask = async (application: boolean, accept: string) => {
    const service = await startBare(application ? { application: APPLICATION } : {});
    started.push(service);
    return fetch(service.url + CALLBACK, { headers: { accept } });
  };
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
  });

  it('reads a page with the status of the problem, and goes back into the application', async () => {
    const answer = await ask(true, 'text/html,*/*;q=0.8');
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).to.contain("style-src 'self'");
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(await answer.text()).to.contain('href="/settings/repository-host"');
  });

  it('answers the problem itself to a program, and where there is no application', async () => {
    for (const answer of [await ask(true, 'application/json'), await ask(false, 'text/html')])
      expect(answer.headers.get('content-type')).to.contain('application/problem+json');
  });
});

const SCRIPT = `export const text = '${'x'.repeat(500)}';`;

describe('the application in the browser', () => {
  let folder: string;
  let application: ApplicationFiles;
  let service: BareService;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-application-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Shipworthy</title>');
    await writeFile(join(folder, 'assets', 'main-ABC.js'), SCRIPT);
    const files = await readApplicationFiles(folder);
    if (files === null) throw new Error('The files were not found.');
    application = files;
    service = await startBare({ application });
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(service.url + path, { method, headers: { accept: 'text/html', 'accept-encoding': 'identity', ...headers } });

  it('is one page under every address that is no service path', async () => {
    for (const path of ['/', '/teams/7/projects/8', '/settings/api-keys?tab=1', '/apiary']) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      expect(await answer.text()).to.contain('<title>Shipworthy</title>');
      expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'; script-src 'self';/);
      expect(answer.headers.get('cache-control')).to.equal('no-cache');
    }
  });

  it('never answers for the API', async () => {
    for (const path of ['/api/nonsense', '/api', '/metrics/x', '/livez/x', '/assets/gone.js'])
      expect((await get(path)).status, path).to.equal(404);
    expect((await get('/teams/7', { accept: 'application/json' })).status).to.equal(404);
    expect((await get('/', { accept: 'application/json' })).status).to.equal(404);
    expect((await get('/teams/7', { accept: '*/*' })).status).to.equal(404);
    expect((await get('/', { accept: '*/*' })).status).to.equal(200);
  });

  it('has a browser that brings a session ask for who is there at once, and no other', async () => {
    const linkFor = async (cookie: string, path = '/') => (await get(path, { cookie })).headers.get('link');
    const calls =
      '</api/about>; rel=preload; as=fetch; crossorigin, </api/session>; rel=preload; as=fetch; crossorigin';
    for (const path of ['/setup', '/teams/7'])
      expect(await linkFor('a=b; shipworthy_session=secret', path), path).to.equal(calls);
    expect(await linkFor('shipworthy_session=secret', '/assets/main-ABC.js')).to.equal(null);
    for (const cookie of ['', 'a=b', 'shipworthy_session=', 'another_shipworthy_session=secret'])
      expect(await linkFor(cookie), cookie).to.equal(null);
  });

  it('has it ask for what the portfolio and a scorecard show, too, unless a query says otherwise', async () => {
    const calls = async (path: string) => {
      const link = (await get(path, { cookie: 'shipworthy_session=secret' })).headers.get('link') ?? '';
      return [...link.matchAll(/<([^>]+)>; rel=preload; as=fetch; crossorigin/g)].map(([, call]) => call);
    };
    const first = ['/api/about', '/api/session'];
    const id = '01a22441-0c72-7431-bc59-a0419d1b89f8';
    const project = `/teams/${id}/projects/${id}`;
    const release = `${project}/releases/${id}`;
    const scorecard = [
      '/api/whoami',
      `/api${release}/readiness`,
      `/api${release}`,
      `/api${release}/waivers`,
      `/api${project}/policy`,
    ];
    expect(await calls('/')).to.eql([...first, '/api/portfolio?sort=decision&limit=50']);
    expect(await calls(release)).to.eql([...first, ...scorecard]);
    for (const path of ['/?sort=score', `${release}?view=live`, `${release}/checklist`, `${release}x`, `/x${release}`])
      expect(await calls(path), path).to.eql(first);
  });

  it('says that the page is unchanged only to a browser that still brings a session, or still none', async () => {
    const cookie = 'shipworthy_session=secret';
    const tagWith = async (headers: Record<string, string>) => (await get('/', headers)).headers.get('etag') ?? '';
    const [signedIn, signedOut] = [await tagWith({ cookie }), await tagWith({})];
    expect((await get('/', { cookie, 'if-none-match': signedIn })).status).to.equal(304);
    expect((await get('/', { 'if-none-match': signedOut })).status).to.equal(304);
    expect((await get('/', { 'if-none-match': signedIn })).status).to.equal(200);
    expect((await get('/', { cookie, 'if-none-match': signedOut })).status).to.equal(200);
  });

  it('says to caches which headers an answer depends on', async () => {
    const vary = async (path: string, accept: string) =>
      (await get(path, { accept })).headers.get('vary')?.split(', ').sort();
    expect(await vary('/', 'text/html')).to.deep.equal(['Accept', 'Accept-Encoding', 'Cookie']);
    expect(await vary('/assets/main-ABC.js', '*/*')).to.deep.equal(['Accept-Encoding']);
  });

  it('does so below a path by the cookie of that path, and of an address with https', async () => {
    for (const [address, name, path] of [
      ['https://acme.dev', '__Host-shipworthy', ''],
      ['https://acme.dev/ship', '__Secure-shipworthy-ship', '/ship'],
    ] as const) {
      const other = await startBare({ application, baseUrl: new URL(address) });
      try {
        const headers = { accept: 'text/html', cookie: `${name}=secret` };
        const answer = await fetch(`${other.url}${path}/`, { headers });
        for (const call of ['session', 'portfolio?sort=decision&limit=50'])
          expect(answer.headers.get('link')).to.contain(`<${path}/api/${call}>; rel=preload`);
        expect(answer.headers.get('vary')).to.contain('Cookie');
      } finally {
        await other.close();
      }
    }
  });

  it('lets files whose names change with their content be kept for ever', async () => {
    const answer = await get('/assets/main-ABC.js', { accept: '*/*' });
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(await answer.text()).to.equal(SCRIPT);
  });

  it('sends what the browser can unpack', async () => {
    const raw = async (coding: string) => {
      const { request } = await import('node:http');
      return new Promise<readonly [string | undefined, Buffer]>((resolve, reject) => {
        const call = request(
          `${service.url}/assets/main-ABC.js`,
          { headers: { 'accept-encoding': coding } },
          (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('end', () => resolve([answer.headers['content-encoding'], Buffer.concat(parts)]));
          },
        );
        call.on('error', reject);
        call.end();
      });
    };
    const [brotli, squeezed] = await raw('gzip, deflate, br');
    expect(brotli).to.equal('br');
    expect(brotliDecompressSync(squeezed).toString()).to.equal(SCRIPT);
    const [gzip, zipped] = await raw('gzip, br;q=0');
    expect(gzip).to.equal('gzip');
    expect(gunzipSync(zipped).toString()).to.equal(SCRIPT);
    expect((await raw('identity'))[0]).to.equal(undefined);
  });

  it('sends the compressed forms that the build left, and does not offer them as files', async () => {
    const built = await mkdtemp(join(tmpdir(), 'shipworthy-built-'));
    await writeFile(join(built, 'index.html'), '<!doctype html>');
    await writeFile(join(built, 'icon.svg'), '<svg></svg>');
    await writeFile(join(built, 'icon.svg.br'), 'by the build, brotli');
    await writeFile(join(built, 'icon.svg.gz'), 'by the build, gzip');
    const application = await readApplicationFiles(built);
    await rm(built, { recursive: true });
    expect([...(application?.byPath.keys() ?? [])]).to.deep.equal(['/icon.svg']);
    const icon = application?.byPath.get('/icon.svg');
    expect([icon?.coded?.brotli, icon?.coded?.gzip].map(String)).to.deep.equal([
      'by the build, brotli',
      'by the build, gzip',
    ]);
  });

  it('sends fonts as they are: they are compressed already, and no start compresses them again', async () => {
    const built = await mkdtemp(join(tmpdir(), 'shipworthy-built-'));
    await writeFile(join(built, 'index.html'), '<!doctype html>');
    await writeFile(join(built, 'text.woff2'), 'a font');
    const application = await readApplicationFiles(built);
    await rm(built, { recursive: true });
    expect(application?.byPath.get('/text.woff2')).to.deep.include({ contentType: 'font/woff2', coded: null });
    if (application === null) throw new Error('there is no page');
    const { close, url } = await startBare({ application });
    const { headers, body } = await fetch(`${url}/text.woff2`, { headers: { 'accept-encoding': 'br, gzip' } }).then(
      async (answer) => ({ headers: answer.headers, body: await answer.text() }),
    );
    await close();
    expect([headers.get('content-type'), headers.get('content-encoding'), body]).to.deep.equal([
      'font/woff2',
      null,
      'a font',
    ]);
  });

  it('answers 304 for what the browser has, and 405 for what is no reading', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*'])
      expect((await get('/', { 'if-none-match': known })).status, known).to.equal(304);
    expect((await get('/', { 'if-none-match': '"another"' })).status).to.equal(200);
    expect((await get('/', {}, 'HEAD')).status).to.equal(200);
    const posted = await get('/', {}, 'POST');
    expect(posted.status).to.equal(405);
    expect(posted.headers.get('allow')).to.equal('GET, HEAD');
  });

  it('is not there where it was not built', async () => {
    expect(await readApplicationFiles(join(folder, 'assets'))).to.equal(null);
    expect(await readApplicationFiles(join(folder, 'gone'))).to.equal(null);
  });
});
