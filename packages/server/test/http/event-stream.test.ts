import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@shipworthy/domain';
import { expect } from 'chai';
import Koa from 'koa';
import { createEventStreams, STREAM_LIMITS, type StreamLimits } from '../../src/http/event-stream.js';
import { Problem } from '../../src/http/problem.js';
import { type RequestState, stateAtFirst } from '../../src/http/request.js';
import type { EventSink } from '../../src/http/route.js';
import { type Frame, type Listening, listen } from '../harness/listen.js';

/** The key of the person named before the dash of its id. */
const principal = (id: string): Principal => ({ kind: 'api_key', id, userId: id.split('-')[0] }) as Principal;
const KNOWN = { requestId: '', traceParent: null, path: '', basePath: '', address: '', startedAt: 0, at: 0 };

/** A server whose every request opens a stream for the principal its path names. */
const serve = async (
  limits: Partial<StreamLimits>,
  authorise: (id: string) => Promise<Principal>,
  monotonic = () => performance.now(),
) => {
  const streams = createEventStreams(() => undefined, monotonic, { ...STREAM_LIMITS, ...limits });
  const sinks: EventSink[] = [];
  let stopped = 0;
  const begin = (sink: EventSink) => {
    sinks.push(sink);
    return () => {
      stopped += 1;
    };
  };
  const app = new Koa<RequestState>();
  app.use(async (ctx) => {
    const id = ctx.url;
    const stream = { mayStay: () => true, begin };
    ctx.state = stateAtFirst(KNOWN);
    try {
      await streams.open(ctx, principal(id), stream, () => authorise(id));
    } catch (refusal) {
      ctx.status = refusal instanceof Problem ? refusal.status : 500;
    }
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened: Listening[] = [];
  const open = async (id: string): Promise<Listening> => {
    const listening = await listen(`${url}/${id}`, {});
    opened.push(listening);
    return listening;
  };
  const close = (): void => {
    streams.end();
    for (const each of opened) each.leave();
    server.close();
  };
  return { streams, sinks, open, close, stopped: () => stopped };
};

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
const always = async (id: string): Promise<Principal> => principal(id);

describe('event streams', () => {
  let served: Awaited<ReturnType<typeof serve>> | undefined;
  afterEach(() => served?.close());

  it('are bounded for each principal and in all', async () => {
    served = await serve({ mostPerPrincipal: 2, mostAtOnce: 3 }, always);
    const statuses = [];
    for (const id of ['a', 'a', 'a', 'b', 'b']) statuses.push((await served.open(id)).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200, 503]);
    expect(served.streams.count).to.equal(3);
  });

  it('are refused with the reason once the service shuts down', async () => {
    const streams = createEventStreams(
      () => undefined,
      () => 0,
    );
    streams.end();
    const stream = { mayStay: () => true, begin: () => () => undefined };
    const refusal = await streams
      .open({} as never, principal('a'), stream, () => principal('a'))
      .catch((thrown) => thrown);
    expect([refusal.type, refusal.detail]).to.deep.equal(['unavailable', 'The service is shutting down.']);
  });

  it('are bounded for each person, with any number of keys', async () => {
    served = await serve({ mostPerPrincipal: 2, mostPerPerson: 3 }, always);
    const statuses = [];
    for (const id of ['a-1', 'a-1', 'a-2', 'a-2', 'a-3', 'b-1']) statuses.push((await served.open(id)).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429, 200]);
  });

  it('are left to others when five persons open as many as they can', async () => {
    served = await serve({ mostPerPrincipal: 9, mostPerPerson: 4, mostAtOnce: 20 }, always);
    const counts = [];
    for (const person of ['a', 'b', 'c', 'd', 'e']) {
      const before = served.streams.count;
      while ((await served.open(`${person}-1`)).status === 200);
      counts.push(served.streams.count - before);
    }
    expect(counts).to.deep.equal([4, 4, 3, 2, 2]);
    expect((await served.open('f-1')).status).to.equal(200);
  });

  it('say that they live only when nothing else was said for long', async () => {
    let now = 0;
    let looks = 0;
    const look = (id: string) => {
      looks += 1;
      return always(id);
    };
    served = await serve({ heartbeatEvery: 60, authoriseEvery: 5 }, look, () => now);
    const quiet = await served.open('quiet');
    now = 59;
    for (const before = looks; looks < before + 3; ) await turn();
    expect(quiet.frames.some(({ comment }) => comment !== undefined)).to.equal(false);
    now = 60;
    const beat = await quiet.frame(({ comment }) => comment !== undefined);
    expect(beat).to.deep.equal({ comment: '' });
  });

  it('end as soon as their caller may no longer read them, and say so once', async () => {
    const revoked = new Set<string>();
    served = await serve({ authoriseEvery: 20 }, async (id) => {
      if (revoked.has(id)) throw new Error('revoked');
      return principal(id);
    });
    const [first, second] = [await served.open('a'), await served.open('b')];
    revoked.add('/a');
    await first.ended;
    expect(served.stopped()).to.equal(1);
    served.sinks[0]?.send('data: late\n\n');
    served.sinks[1]?.send('data: news\n\n');
    expect(await second.frame(({ data }) => data !== undefined)).to.deep.equal({ data: 'news' });
    expect(first.frames.some(({ data }) => data !== undefined)).to.equal(false);
  });

  it('are authorised one look at a time, however long it takes', async () => {
    let looks = 0;
    const waiting: (() => void)[] = [];
    served = await serve({ authoriseEvery: 5 }, (id) => {
      looks += 1;
      return new Promise((resolve) => waiting.push(() => resolve(principal(id))));
    });
    await served.open('a');
    while (looks === 0) await turn();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(looks).to.equal(1);
    waiting[0]?.();
    while (looks === 1) await turn();
  });

  /** Sends 20 MB, more than the system keeps for both ends, to the only stream. */
  const sendMuch = async ({ sinks }: Awaited<ReturnType<typeof serve>>): Promise<void> => {
    for (let times = 0; times < 200; times += 1) {
      sinks[0]?.send(`data: ${'x'.repeat(100_000)}\n\n`);
      await turn();
    }
  };

  it('leave out what comes while a reader is behind, and tell it so as soon as it has read', async () => {
    served = await serve({}, always);
    const slow = await served.open('slow');
    slow.message.pause();
    await sendMuch(served);
    slow.message.resume();
    await slow.frame(({ event }) => event === 'resync');
    const isNews = ({ data }: Frame): boolean => data === 'news';
    while (!slow.frames.some(isNews)) {
      served.sinks[0]?.send('data: news\n\n');
      await turn();
    }
    expect(slow.frames[slow.frames.findIndex(isNews) - 1]).to.deep.equal({ event: 'resync', data: '{}' });
    expect(slow.frames.filter(({ data }) => data?.startsWith('x')).length).to.be.lessThan(200);
  });

  it('cut off a reader that stays behind, and no other reader', async () => {
    let now = 0;
    served = await serve({ authoriseEvery: 5, mostBehind: 60 }, always, () => now);
    const slow = await served.open('slow');
    slow.message.pause();
    await sendMuch(served);
    const reader = await served.open('reader');
    now = 59;
    const beat = reader.frame(({ data }) => data === 'still here');
    await new Promise((resolve) => setTimeout(resolve, 50));
    served.sinks[1]?.send('data: still here\n\n');
    await beat;
    expect(served.streams.count).to.equal(2);
    now = 60;
    while (served.streams.count === 2) await turn();
    served.sinks[1]?.send('data: news\n\n');
    await reader.frame(({ data }) => data === 'news');
  });

  it('end when their client closes them, and all together, for good', async () => {
    served = await serve({}, always);
    const [left, stays] = [await served.open('a'), await served.open('b')];
    left.leave();
    while (served.streams.count > 1) await turn();
    expect(served.stopped()).to.equal(1);
    served.streams.end();
    await stays.ended;
    expect(served.stopped()).to.equal(2);
    expect((await served.open('c')).status).to.equal(503);
  });
});
