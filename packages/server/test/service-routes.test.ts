import { operations, PROBLEMS } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { createMetrics } from '../src/observability/metrics.js';
import { docsPage, documentationPages } from '../src/pages.js';
import { createHealth, serviceRoutes } from '../src/service-routes.js';
import { ask } from './harness/ask.js';
import { type BareService, startBare } from './harness/bare-service.js';

const ABOUT = { repositoryHost: { name: 'github', title: 'GitHub' }, notOffered: [], isSetUp: async () => true };

describe('serviceRoutes', () => {
  const metrics = createMetrics();
  const state = { answers: true };
  const time = { now: 0, asked: 0 };
  const health = createHealth(
    async () => {
      time.asked += 1;
      if (!state.answers) throw new Error('postgres://user:pw@host is away');
    },
    { now: () => time.now },
  );
  let service: BareService;
  before(async () => {
    const facts = { health, metrics, ...ABOUT, metricsToken: 'm'.repeat(16), openApi: () => '{"openapi":"3.1.0"}' };
    service = await startBare({
      routes: serviceRoutes({ ...facts, docsPage: () => docsPage(operations, { basePath: '', application: true }) }),
      pages: documentationPages(operations, ''),
    });
  });
  after(async () => {
    metrics.stop();
    await service.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) => ask(service.url, path, { headers });

  it('is alive for any state of the database, and ready only when it answers', async () => {
    state.answers = false;
    expect((await get('/livez')).json).to.deep.equal({ status: 'ok' });
    const away = await get('/readyz');
    expect(away.status).to.equal(503);
    expect(away.headers['retry-after']).to.equal('1');
    expect(away.text).to.not.contain('postgres');
    state.answers = true;
    time.now += 1000;
    expect((await get('/readyz')).status).to.equal(200);
  });

  it('asks the database once a second, however many ask whether it is ready', async () => {
    time.now += 1000;
    const before = time.asked;
    await Promise.all(Array.from({ length: 20 }, () => get('/readyz')));
    time.now += 999;
    await get('/readyz');
    expect(time.asked - before).to.equal(1);
    time.now += 1;
    await get('/readyz');
    expect(time.asked - before).to.equal(2);
  });

  it('says what a visitor must know to go on', async () => {
    expect((await get('/api/about')).json).to.deep.equal({
      data: { set_up: true, repository_host: { name: 'github', title: 'GitHub' }, not_offered: [] },
    });
  });

  it('serves metrics to a caller with the token', async () => {
    expect((await get('/metrics')).status).to.equal(401);
    expect((await get('/metrics', { authorization: 'Bearer wrong' })).status).to.equal(401);
    const { status, headers, text } = await get('/metrics', { authorization: `Bearer ${'m'.repeat(16)}` });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(text).to.contain('# TYPE shipworthy_requests_total counter');
  });

  it('serves no metrics where the server has no token for them', async () => {
    const facts = { health, metrics, ...ABOUT, metricsToken: null, openApi: () => '', docsPage: () => '' };
    const closed = await startBare({ routes: serviceRoutes(facts) });
    try {
      expect((await ask(closed.url, '/metrics', { headers: { authorization: 'Bearer guessed' } })).status).to.equal(
        404,
      );
    } finally {
      await closed.close();
    }
  });

  it('shows every operation on a page that loads nothing from elsewhere', async () => {
    expect((await get('/api/openapi.json')).json).to.deep.equal({ openapi: '3.1.0' });
    const { headers, text } = await get('/api/docs');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['content-security-policy']).to.match(/default-src 'none'; script-src 'self'/);
    for (const id of Object.keys(operations)) expect(text).to.contain(`<details id="${id}">`);
    expect(text).to.not.match(/(?:src|href|action)="(?![/#])|<style|style=|<script>|\son\w+=/);
    expect(text).to.contain('<a href="/">Back to the application</a>');
    const linked = new Set([...text.matchAll(/(?:src|href)="(\/api\/docs\/[^"#]+)"/g)].map(([, path = '']) => path));
    for (const path of linked) expect((await get(path)).status, path).to.equal(200);
  });

  it('explains every problem on a page of its own', async () => {
    for (const [type, { title }] of Object.entries(PROBLEMS)) {
      const { status, text } = await get(`/api/docs/problems/${type}`);
      expect(status, type).to.equal(200);
      expect(text).to.contain(`<h1>${title.replaceAll("'", '&#39;')}</h1>`);
    }
    expect((await get('/api/docs/problems/nonsense')).status).to.equal(404);
    expect((await get('/api/docs/problems/toString')).status).to.equal(404);
    expect((await ask(service.url, '/api/docs/style.css', { method: 'POST' })).headers.allow).to.equal('GET, HEAD');
  });

  it('is no longer ready once it drains', async () => {
    health.drain();
    const { status, json } = await get('/readyz');
    expect(status).to.equal(503);
    expect(json?.detail).to.match(/shutting down/);
    expect((await get('/livez')).status).to.equal(200);
  });
});
