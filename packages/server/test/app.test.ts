import { connect } from 'node:net';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { Problem } from '../src/http/problem.js';
import { ask } from './harness/ask.js';
import { type BareService, startBare } from './harness/bare-service.js';

describe('createApp', () => {
  const thrown: { what: unknown } = { what: null };
  let service: BareService;
  before(async () => {
    service = await startBare({
      routes: {
        checkAlive: async () => {
          throw thrown.what;
        },
      },
    });
  });
  after(() => service.close());

  const answerTo = async (what: unknown) => {
    thrown.what = what;
    return ask(service.url, '/livez');
  };

  it('answers a fault without its insides, and notes it under the request id', async () => {
    for (const what of [
      new Error('postgres://user:pw@host'),
      null,
      undefined,
      'text',
      { status: 200, expose: true },
      404,
    ]) {
      const { status, headers, text, json } = await answerTo(what);
      expect(status).to.equal(500);
      expect(headers['content-type']).to.equal('application/problem+json; charset=utf-8');
      expect(text).to.not.contain('postgres');
      expect(json).to.include({ type: '/api/docs/problems/internal', instance: '/livez', status: 500 });
      const lines = await service.logged();
      const fault = lines.find((line) => line.message === 'fault' && line.request_id === json?.request_id);
      expect(fault?.operation).to.equal('checkAlive');
    }
  });

  it('notes the end of every request that may have stored something, and of no read', async () => {
    const noted: string[] = [];
    const listening = await startBare({ stored: () => void noted.push('stored') });
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH'])
      await ask(listening.url, '/api/deployments', { method });
    await listening.close();
    expect(noted).to.have.length(4);
  });

  it('answers refusals of the domain and of the steps before a route as problems', async () => {
    const domain = await answerTo(new DomainError('unavailable', 'The database does not answer.'));
    expect(domain.status).to.equal(503);
    expect(domain.headers['retry-after']).to.equal('1');
    const own = await answerTo(new Problem('name-taken', 'It is taken.', { members: { id: 'x', status: 200 } }));
    expect(own.json).to.include({ status: 409, detail: 'It is taken.', id: 'x' });
  });

  it('answers odd paths like any unknown path', async () => {
    const odd = [
      '/LIVEZ',
      '/livez/',
      '//livez',
      '/%2Flivez',
      '/livez%00',
      '/%',
      '/%ff',
      '/api/%zz',
      '/..',
      '/api//teams',
      '/*',
    ];
    for (const path of odd) {
      const { status, json } = await ask(service.url, path);
      expect(status, path).to.equal(404);
      expect(json?.type, path).to.equal('/api/docs/problems/not-found');
    }
  });

  it('writes one line per request, with its path and never its query or headers', async () => {
    await ask(service.url, '/api/nothing?token=hidden', {
      headers: { authorization: 'Bearer hidden', cookie: 'a=hidden' },
    });
    await ask(service.url, '/api/swk_abcdefghijklmnopqrstuvwxyz0123456789');
    const lines = await service.logged();
    const [first, second] = lines.slice(-2);
    expect(first).to.include({ message: 'request', method: 'GET', path: '/api/nothing', status: 404, operation: '-' });
    expect(second?.path).to.equal('/api/swk_[hidden]');
    expect(JSON.stringify(lines)).to.not.contain('token=').and.not.contain('Bearer hidden');
  });

  it('counts requests by operation and status', async () => {
    await answerTo(new DomainError('unavailable', 'x'));
    expect(service.metricsText()).to.match(/shipworthy_requests_total\{operation="checkAlive",status="503"\} \d/);
  });
});

describe('a request that is not answered in time', () => {
  it('is answered once with 503, and what its work comes to is noted where it is a fault', async () => {
    let now = 0;
    const failing: ((error: Error) => void)[] = [];
    const service = await startBare({
      monotonic: () => now,
      routes: {
        checkAlive: () =>
          new Promise((_, reject) => {
            failing.push(reject);
            now += 15_000;
          }),
      },
    });
    try {
      const { status, json, headers } = await ask(service.url, '/livez');
      expect([status, json?.type]).to.deep.equal([503, '/api/docs/problems/unavailable']);
      failing[0]?.(new Error('too late'));
      await new Promise((resolve) => setImmediate(resolve));
      const about = (await service.logged()).filter((line) => line.request_id === headers['x-request-id']);
      expect(about.map(({ message, status: noted, error }) => [message, noted ?? error])).to.deep.equal([
        ['request', 503],
        ['fault', 'too late'],
      ]);
    } finally {
      await service.close();
    }
  });

  it('is logged when the caller left before the answer', async () => {
    const service = await startBare();
    try {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write('POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      socket.write('Content-Length: 10\r\n\r\n{');
      setTimeout(() => socket.destroy(), 50);
      let lines = await service.logged();
      for (; lines.length === 0; lines = await service.logged()) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(lines[0]).to.include({ message: 'request', operation: 'signIn', path: '/api/session', status: 499 });
      expect(lines).to.have.length(1);
    } finally {
      await service.close();
    }
  });
});
