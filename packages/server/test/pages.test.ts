import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { compressAnswers } from '../src/http/answer.js';
import { fetchBy } from '../src/http/listener.js';
import type { RequestState } from '../src/http/request.js';
import { connectedPage, notConnectedPage, servePages } from '../src/pages.js';

describe('servePages', () => {
  it('has each page compressed once per coding, however often it is asked for', async () => {
    const text = 'the same words '.repeat(1000);
    const sent: unknown[] = [];
    const app = new Koa<RequestState>();
    app.use(async (ctx, next) => {
      Object.assign(ctx.state, { path: ctx.path });
      await next();
      sent.push(ctx.body);
    });
    app.use(compressAnswers());
    app.use(servePages({ '/page': { contentType: 'text/html; charset=utf-8', text } }));
    const ask = fetchBy(app.callback());
    for (const coding of ['br', 'br', 'gzip', 'gzip']) {
      const request = new Request('http://shipworthy.test/page', { headers: { 'accept-encoding': coding } });
      const { status, headers } = await ask(request);
      expect([status, headers.get('content-encoding')]).to.deep.equal([200, coding]);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    }
    expect(sent[0]).to.be.instanceOf(Buffer).and.to.equal(sent[1]);
    expect(sent[2]).to.be.instanceOf(Buffer).and.to.equal(sent[3]);
    expect(brotliDecompressSync(sent[0] as Buffer).toString()).to.equal(text);
  });
});

describe('connectedPage', () => {
  it('names host and account as text', () => {
    const page = connectedPage('Forge', '<b>ada</b>', { basePath: '', application: false });
    expect(page).to.contain('<title>Forge is connected</title>').and.contain('&lt;b&gt;ada&lt;/b&gt;');
    expect(page).not.to.contain('<script').and.not.to.contain('/settings');
  });

  it('leads on to the application, where it is served, by itself and by a link', () => {
    const page = connectedPage('Forge', 'ada', { basePath: '', application: true });
    expect(page).to.contain('<meta http-equiv="refresh" content="0; url=/settings/repository-host">');
    expect(page).to.contain('href="/settings/repository-host"').and.not.to.contain('close this page');
  });
});

describe('notConnectedPage', () => {
  it('says why as text and leads back, but not by itself, so that it can be read', () => {
    const page = notConnectedPage('Forge said <i>no</i>.', 'r-1', '');
    expect(page).to.contain('Forge said &lt;i&gt;no&lt;/i&gt;.').and.contain('Request r-1');
    expect(page).to.contain('href="/settings/repository-host"').and.not.to.contain('http-equiv');
  });
});
