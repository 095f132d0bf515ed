import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';
import { useStage } from '../harness/stage.js';

const EVIL = 'https://evil.example';

describe('OWASP API8, security misconfiguration: the service as it comes, with no setting made', () => {
  const stage = useStage();
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(stage().service.baseUrl, path, { method, headers });
  const authorized = async () => ({ authorization: `Bearer ${await stage().world.key(stage().ada)}` });

  it('protects every answer, the refusals included', async () => {
    const headers = await authorized();
    const answers = [
      await get('/api/teams', headers),
      await get('/api/teams'),
      await get('/api/nothing'),
      await get('/api/teams', headers, 'DELETE'),
      await get('/livez'),
      await get('/api/openapi.json'),
      await get('/api/docs'),
    ];
    for (const { status, headers: given } of answers) {
      expect(given['x-content-type-options'], String(status)).to.equal('nosniff');
      expect(given['content-security-policy'])
        .to.match(/^default-src 'none'/)
        .and.to.contain("frame-ancestors 'none'");
      expect(given['content-security-policy']).not.to.match(/unsafe|\*/);
      expect(given['referrer-policy']).to.equal('no-referrer');
      expect(given).not.to.have.any.keys('server', 'x-powered-by', 'access-control-allow-origin');
    }
    const { headers: given } = await get('/api/teams', headers);
    expect(given['cache-control']).to.match(/no-store|private/);
  });

  it('has browsers come by https for a year where that is its address, and says nothing of it elsewhere', async () => {
    const service = await startBare({ baseUrl: new URL('https://ship.acme.dev') });
    try {
      for (const path of ['/api/teams', '/api/nothing', '/livez']) {
        const { headers } = await ask(service.url, path);
        expect(headers['strict-transport-security'], path).to.equal('max-age=31536000');
        expect((await get(path)).headers).not.to.have.property('strict-transport-security');
      }
    } finally {
      await service.close();
    }
  });

  it('invites no page of another site', async () => {
    const preflight = {
      origin: EVIL,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    };
    for (const path of ['/api/teams', '/api/deployments', '/api/session']) {
      const { headers } = await get(path, preflight, 'OPTIONS');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
    }
    const read = await get('/api/teams', { ...(await authorized()), origin: EVIL });
    expect(read.headers).not.to.have.property('access-control-allow-origin');
  });

  it('reflects no request, and answers no method it has no use for', async () => {
    const marked = { ...(await authorized()), 'x-canary': 'canary-in-a-header' };
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const { status, text } = await get('/api/teams', marked, method);
      expect(status, method).to.be.oneOf([400, 405, 501]);
      expect(text).not.to.contain('canary-in-a-header');
    }
  });

  it('holds no file, no console and no insides', async () => {
    for (const path of [
      '/.env',
      '/.git/config',
      '/package.json',
      '/../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%2f..%2fpackage.json',
      '/debug/pprof/',
      '/actuator/env',
      '/server-status',
      '/data/shipworthy.sqlite',
    ]) {
      const { status, text } = await get(path);
      expect(status, path).to.equal(404);
      expect(text).not.to.match(/\bat .+\.js:\d|node_modules|SQLITE|select /);
    }
    expect((await get('/metrics')).status).to.equal(401);
  });

  it('says in a refusal nothing of how it is made', async () => {
    const headers = { ...(await authorized()), 'content-type': 'application/json' };
    const sent = ['{', '{"name":{"$gt":""}}', `{"name":"' or 1=1 --"}`, '{"app_name":"\\u0000"}'];
    for (const body of sent) {
      const { status, text } = await ask(stage().service.baseUrl, '/api/deployments', {
        method: 'POST',
        headers,
        body,
      });
      expect(status, body).to.be.oneOf([400, 422]);
      expect(text).not.to.match(/\bat .+\.js:\d|node_modules|ajv|knex|sqlite|koa/i);
    }
  });
});
