import type { ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { expect } from 'chai';
import { ProblemError, UnexpectedAnswerError } from '../src/error.js';
import { type FollowedEvent, type Resync, releaseEvents } from '../src/events.js';
import { type Answering, answering } from './answering.js';

const KEY = `swk_${'a'.repeat(43)}`;
const DATA = {
  team_id: 't',
  project: { id: 'p', name: 'checkout' },
  release: { id: 'r', name: '2.4' },
  score: 91.2,
  decision: 'go',
} as const;
const frame = (id: string): string =>
  `id: ${id}\nevent: gate.changed\ndata: ${JSON.stringify({ type: 'gate.changed', timestamp: '2026-11-20T09:30:00.000Z', data: DATA })}\n\n`;

describe('releaseEvents', () => {
  let server: Answering | undefined;
  afterEach(async () => {
    mock.timers.reset();
    await server?.close();
    server = undefined;
  });
  const waits: number[] = [];
  /** A client of a server whose answers to one request after another are these, the last one for all further ones. */
  const serve = async (...answers: readonly ((response: ServerResponse) => void)[]) => {
    waits.length = 0;
    let place = 0;
    server = await answering((_, response) => answers[Math.min(place++, answers.length - 1)]?.(response));
    return {
      baseUrl: server.url,
      apiKey: KEY,
      random: () => 1,
      sleep: async (milliseconds: number) => void waits.push(milliseconds),
    };
  };
  const stream =
    (...chunks: readonly string[]) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (const chunk of chunks) response.write(chunk);
    };
  const streamAndEnd =
    (...chunks: readonly string[]) =>
    (response: ServerResponse): void => {
      stream(...chunks)(response);
      response.end();
    };
  const problem =
    (status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
      response.end(JSON.stringify({ type: '/p', title: 'No', status, detail: 'Not now.' }));
    };
  const take = async (events: AsyncIterable<FollowedEvent | Resync>, count: number) => {
    const taken: (FollowedEvent | Resync)[] = [];
    for await (const event of events) if (taken.push(event) === count) break;
    return taken;
  };
  /** What comes after the `resync` of the first stream that is open. */
  const follow = async (events: AsyncIterable<FollowedEvent | Resync>, count: number) => {
    const [first, ...others] = await take(events, count + 1);
    expect(first).to.deep.equal({ type: 'resync' });
    return others;
  };

  it('gives events that arrive one character at a time, and asks with the key for one project', async () => {
    const whole = `retry: 2000\n\n: still here\n\n${frame('1')}${frame('2').replaceAll('\n', '\r\n')}`;
    const options = await serve(stream(...whole));
    const taken = await follow(releaseEvents(options, { projectId: 'p 1' }), 2);
    expect(taken.map((event) => 'id' in event && event.id)).to.deep.equal(['1', '2']);
    expect(taken[0]).to.deep.include({ type: 'gate.changed', data: DATA });
    const [request] = server?.requests ?? [];
    expect(request?.url).to.equal('/api/events?project_id=p%201');
    expect(request?.headers).to.include({ authorization: `Bearer ${KEY}`, accept: 'text/event-stream' });
  });

  it('asks to read each time the stream is open: what changed before it was opened comes in no event', async () => {
    const options = await serve(problem(503), streamAndEnd(frame('1')), stream(frame('2')));
    const taken = await take(releaseEvents(options), 4);
    expect(taken.map(({ type }) => type)).to.deep.equal(['resync', 'gate.changed', 'resync', 'gate.changed']);
    expect(waits).to.have.lengthOf(2);
  });

  it('waits as long as it is asked, and longer after each failure', async () => {
    const options = await serve(problem(429, { 'retry-after': '7' }), problem(503), problem(503), stream(frame('1')));
    await take(releaseEvents(options), 1);
    expect(waits.map(Math.round)).to.deep.equal([7_700, 400, 800]);
  });

  for (const status of [401, 403, 404])
    it(`ends with the problem when the answer is ${status}`, async () => {
      const options = await serve(problem(status));
      const failure = await take(releaseEvents(options), 1).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ProblemError).and.to.include({ status, operation: 'followEvents' });
    });

  it('does not take the page of something else for a stream', async () => {
    const options = await serve((response) => void response.end('<html>'));
    const failure = await take(releaseEvents(options), 1).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(UnexpectedAnswerError);
  });

  it('passes on that the service missed something', async () => {
    const options = await serve(stream('event: resync\ndata: {}\n\n', frame('1')));
    expect((await follow(releaseEvents(options), 2)).map(({ type }) => type)).to.deep.equal(['resync', 'gate.changed']);
  });

  it('takes what it cannot understand for something missed', async () => {
    const options = await serve(stream('event: of.tomorrow\ndata: {}\n\n', 'event: gate.changed\ndata: {"cut\n\n'));
    expect((await follow(releaseEvents(options), 2)).map(({ type }) => type)).to.deep.equal(['resync', 'resync']);
  });

  for (const data of ['null', '[]', '"text"', '{}', '{"data":null}', '{"data":1}'])
    it(`takes ${data} in the place of an event for something missed`, async () => {
      const options = await serve(stream(`event: gate.changed\ndata: ${data}\n\n`));
      expect(await follow(releaseEvents(options), 1)).to.deep.equal([{ type: 'resync' }]);
    });

  it('leaves a server that sends a line or an event without an end', async () => {
    const part = 'x'.repeat(100_000);
    const endless = streamAndEnd(...Array.from({ length: 12 }, () => `data: ${part}\n`), `\n${frame('never')}`);
    const options = await serve(streamAndEnd(...Array.from({ length: 12 }, () => part)), endless, stream(frame('1')));
    expect((await take(releaseEvents(options), 4))[3]).to.include({ id: '1' });
  });

  it('leaves a server that sends lines of data without anything in them for ever', async () => {
    const empty = 'data\n'.repeat(20_000);
    const endless = streamAndEnd(...Array.from({ length: 60 }, () => empty), `\n${frame('never')}`);
    const options = await serve(endless, stream(frame('1')));
    expect((await take(releaseEvents(options), 3))[2]).to.include({ id: '1' });
  });

  for (const [what, fetch] of [
    ['settles never', () => new Promise<Response>(() => undefined)],
    [
      'leaves its body pending',
      async () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
    ],
  ] as const)
    it(`ends with its signal where an aborted fetch ${what}`, async () => {
      const stop = new AbortController();
      const taking = take(releaseEvents({ baseUrl: 'http://127.0.0.1', fetch }, { signal: stop.signal }), 2);
      setImmediate(() => stop.abort());
      expect((await taking).filter(({ type }) => type !== 'resync')).to.deep.equal([]);
    });

  it('looks at each character once, however small the pieces are in which a line comes', async () => {
    const bytes = new TextEncoder().encode(`: ${'x'.repeat(20_000)}\r\n${frame('1')}`);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(bytes.subarray(at, ++at)) });
    const headers = { 'content-type': 'text/event-stream' };
    const options = { baseUrl: 'http://127.0.0.1', fetch: async () => new Response(body, { headers }) };
    const split = mock.method(String.prototype, 'split');
    const taken = await follow(releaseEvents(options), 1);
    const looked = split.mock.calls.reduce((sum, { this: text }) => sum + String(text).length, 0);
    split.mock.restore();
    expect(taken[0]).to.include({ id: '1' });
    expect(looked).to.be.within(20_000, 2 * bytes.length);
  });

  it('takes a line separator within data for a part of it', async () => {
    const options = await serve(stream(frame('1').replace('checkout', 'check\u2028out')));
    expect((await follow(releaseEvents(options), 1))[0]).to.have.nested.property('data.project.name', 'check\u2028out');
  });

  it('waits longer each time where a connection ends after its first event', async () => {
    const options = await serve(streamAndEnd(frame('1')));
    await take(releaseEvents(options), 10);
    expect(waits).to.deep.equal([200, 400, 800, 1_600]);
  });

  it('ends when the signal is aborted, whether it waits for an event or for another try', async () => {
    const leaving = new AbortController();
    const options = await serve(stream(frame('1')));
    const taken: string[] = [];
    for await (const { type } of releaseEvents(options, { signal: leaving.signal })) {
      taken.push(type);
      if (type === 'gate.changed') leaving.abort();
    }
    expect(taken).to.deep.equal(['resync', 'gate.changed']);
    expect(await take(releaseEvents(options, { signal: leaving.signal }), 1)).to.deep.equal([]);
  });

  it('makes a connection anew on which nothing comes, not even a comment', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const options = await serve(stream(frame('1')), stream(': open\n\n'));
    const events = releaseEvents(options);
    expect((await events.next()).value).to.deep.equal({ type: 'resync' });
    expect((await events.next()).value).to.include({ type: 'gate.changed' });
    const second = events.next();
    // By then it waits for the next event.
    await new Promise(setImmediate);
    mock.timers.tick(45_000);
    mock.timers.reset();
    expect((await second).value).to.deep.equal({ type: 'resync' });
    await events.return();
  });
});
