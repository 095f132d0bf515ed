import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { RunTime } from '../../src/clock/run-time.js';
import { cappedText, type HostRequest, TooLarge, timedFetch, unlessAborted } from '../../src/host-http/timed-fetch.js';
import { turnedMachine } from '../clock/turned-machine.js';
import { oddServer, refusalIn } from './odd-server.js';

type Behaviour = (request: IncomingMessage, response: ServerResponse, count: number) => void;

describe('asking a host', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await close?.();
    close = undefined;
  });

  const asked = async (
    behaviour: Behaviour,
    more: Partial<HostRequest> & { limit?: number; ms?: number; runTime?: RunTime } = {},
  ) => {
    const server = await oddServer(behaviour);
    close = server.close;
    const ask = timedFetch({
      title: 'Host',
      clock: Date.now,
      ...(more.limit === undefined ? {} : { limit: more.limit }),
      ...(more.runTime === undefined ? {} : { runTime: more.runTime }),
    });
    const { limit: _limit, runTime: _runTime, ms = 60_000, ...request } = more;
    const answer = ask({ method: 'GET', url: server.url, headers: {}, deadline: Date.now() + ms, ...request });
    return { server, answer };
  };
  const causeOf = async (answer: Promise<unknown>) => {
    const error = await refusalIn(answer);
    expect(error.code).to.equal('host-unavailable');
    return error.details.cause;
  };

  it('answers any status of the host, with its text', async () => {
    const { answer } = await asked((_request, response) => response.writeHead(418, { 'x-a': 'b' }).end('grüße'));
    const { status, text, headers } = await answer;
    expect([status, text, headers.get('x-a')]).to.deep.equal([418, 'grüße', 'b']);
  });

  it('joins characters that arrive in parts', async () => {
    const { answer } = await asked((_request, response) => {
      const [first, ...rest] = Buffer.from('ü');
      response.write(Buffer.from([first ?? 0]), () => setTimeout(() => response.end(Buffer.from(rest)), 30));
    });
    expect((await answer).text).to.equal('ü');
  });

  it('stops at the deadline when nothing comes, and does not ask again', async () => {
    const { server, answer } = await asked(() => undefined, { ms: 300 });
    expect(await causeOf(answer)).to.equal('timeout');
    expect(server.paths).to.have.length(1);
  });

  it('stops at the deadline when an answer does not go on', async () => {
    const { answer } = await asked((_request, response) => response.write('['), { ms: 300 });
    expect(await causeOf(answer)).to.equal('timeout');
  });

  it('stops with a signal that the work itself does not notice', async () => {
    const stop = new AbortController();
    const stopped = unlessAborted(stop.signal, new Promise(() => undefined)).catch((error: Error) => error.message);
    stop.abort(new Error('late'));
    expect(await stopped).to.equal('late');
    const again = unlessAborted(stop.signal, new Promise(() => undefined)).catch((error: Error) => error.message);
    expect(await again).to.equal('late');
  });

  it('listens to a signal no longer than the work takes', async () => {
    const { signal } = new AbortController();
    const done = unlessAborted(signal, Promise.resolve('done'));
    const failed = unlessAborted(signal, Promise.reject(new Error('failed'))).catch((error: Error) => error.message);
    expect(getEventListeners(signal, 'abort')).to.have.length(2);
    expect(await Promise.all([done, failed])).to.deep.equal(['done', 'failed']);
    await new Promise(setImmediate);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('waits for an answer that comes while the process is held up', async () => {
    const machine = turnedMachine();
    const answerLate = async (response: ServerResponse): Promise<void> => {
      await machine.run(900);
      await machine.holdUp(60_000);
      response.end('late');
    };
    const options = { ms: 1000, runTime: machine.runTime };
    const { answer } = await asked((_request, response) => void answerLate(response), options);
    expect((await answer).text).to.equal('late');
  });

  it('does not ask at all after the deadline', async () => {
    const { server, answer } = await asked((_request, response) => response.end(), { ms: -1 });
    expect(await causeOf(answer)).to.equal('timeout');
    expect(server.paths).to.deep.equal([]);
  });

  it('asks once more when the connection breaks, and says so when it breaks again', async () => {
    const healed = await asked((_request, response, count) => (count === 1 ? response.destroy() : response.end('ok')));
    expect((await healed.answer).text).to.equal('ok');
    await close?.();
    const broken = await asked((_request, response) => response.destroy());
    expect(await causeOf(broken.answer)).to.equal('unreachable');
    expect(broken.server.paths).to.have.length(2);
  });

  it('asks once more when an answer breaks off', async () => {
    const cut: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    const { server, answer } = await asked(cut);
    expect(await causeOf(answer)).to.equal('cut');
    expect(server.paths).to.have.length(2);
  });

  it('asks once more after a 5xx, unless the host says when to come back', async () => {
    const failing = await asked((_request, response) => response.writeHead(502).end());
    expect((await failing.answer).status).to.equal(502);
    expect(failing.server.paths).to.have.length(2);
    await close?.();
    const waiting = await asked((_request, response) => response.writeHead(503, { 'retry-after': '60' }).end());
    expect((await waiting.answer).status).to.equal(503);
    expect(waiting.server.paths).to.have.length(1);
  });

  it('never repeats what may have had an effect', async () => {
    const { server, answer } = await asked((_request, response) => response.destroy(), { method: 'POST', body: 'a=b' });
    expect(await causeOf(answer)).to.equal('unreachable');
    expect(server.paths).to.have.length(1);
  });

  it('drops an answer that is larger than allowed, and does not ask for it again', async () => {
    const { server, answer } = await asked((_request, response) => response.end('x'.repeat(2000)), { limit: 1000 });
    const error = await refusalIn(answer);
    expect(error).to.deep.include({ code: 'host-unavailable', details: { cause: 'cut' } });
    expect(error.message).to.equal('The answer of Host is too large to be read.');
    expect(server.paths).to.have.length(1);
  });

  it('follows one redirect to the same origin', async () => {
    const { server, answer } = await asked((request, response) =>
      request.url === '/' ? response.writeHead(301, { location: '/moved?a=1' }).end() : response.end('there'),
    );
    expect((await answer).text).to.equal('there');
    expect(server.paths).to.deep.equal(['/', '/moved?a=1']);
  });

  it('follows neither a second redirect nor one of a POST', async () => {
    const round = await asked((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(await causeOf(round.answer)).to.equal('redirected');
    await close?.();
    const posted = await asked((_request, response) => response.writeHead(307, { location: '/b' }).end(), {
      method: 'POST',
    });
    expect(await causeOf(posted.answer)).to.equal('redirected');
    expect(posted.server.paths).to.have.length(1);
  });

  it('never goes to another origin, nor to an address that is none', async () => {
    const thief = await oddServer((_request, response) => response.end('{}'));
    try {
      for (const location of [thief.url.href, '//127.0.0.1:1/', 'http://[broken', '']) {
        const { answer } = await asked((_request, response) => response.writeHead(302, { location }).end());
        expect(await causeOf(answer), location).to.equal('redirected');
        await close?.();
      }
      expect(thief.paths).to.deep.equal([]);
    } finally {
      await thief.close();
    }
  });
});

describe('reading an answer', () => {
  it('reads up to the limit, in bytes', async () => {
    expect(await cappedText(new Response('üü'), 4)).to.equal('üü');
    expect(await cappedText(new Response(null), 4)).to.equal('');
  });

  it('stops beyond the limit, without reading on', async () => {
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const error = await cappedText(new Response(endless), 10_000).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TooLarge);
    expect(given).to.be.below(20);
  });
});
