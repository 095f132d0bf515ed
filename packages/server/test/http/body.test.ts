import { connect } from 'node:net';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

const SIGN_IN = '/api/session';
const GOOD = { email: 'ada@acme.dev', password: 'a long enough phrase' };

describe('the body of a request', () => {
  let service: BareService;
  let seen: unknown[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        signIn: async ({ body }) => {
          seen.push(body);
          return { status: 200, body: { data: { user: {} } } } as never;
        },
      },
    });
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => service.close());

  const post = (asked: Parameters<typeof ask>[2]) => ask(service.url, SIGN_IN, { method: 'POST', ...asked });

  it('is taken whole or in chunks, with or without a charset', async () => {
    expect((await post({ body: GOOD })).status).to.equal(200);
    expect((await post({ body: GOOD, chunked: true })).status).to.equal(200);
    const charset = { 'content-type': 'Application/JSON; Charset="UTF-8"' };
    expect((await post({ body: GOOD, headers: charset })).status).to.equal(200);
    expect(seen).to.deep.equal([GOOD, GOOD, GOOD]);
  });

  it('must be JSON in UTF-8 as it is', async () => {
    const kinds = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/jsonp' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'application/x-ndjson' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': '' },
    ];
    for (const headers of kinds)
      expect((await post({ body: GOOD, headers })).status, JSON.stringify(headers)).to.equal(415);
    const latin1 = Buffer.from('{"email":"\xe4@acme.dev","password":"a long enough phrase"}', 'latin1');
    const broken = await post({ body: latin1 });
    expect(broken.status).to.equal(400);
    expect(broken.json?.detail).to.match(/UTF-8/);
    expect((await post({})).json?.type).to.equal('/api/docs/problems/malformed-json');
    expect(seen).to.deep.equal([]);
  });

  it('has a limit, announced or in chunks, and its sender reads the answer', async () => {
    const limit = 65_536;
    const padded = (length: number) => JSON.stringify(GOOD).padEnd(length, ' ');
    expect((await post({ body: padded(limit) })).status).to.equal(200);
    for (const chunked of [false, true]) {
      for (const length of [limit + 1, 4_000_000]) {
        const answer = await post({ body: padded(length), chunked });
        expect(answer.status, `${length} ${chunked}`).to.equal(413);
        expect(answer.headers.connection).to.equal('close');
      }
    }
  });

  it('that never ends blocks no other request, and its abort is no fault', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${SIGN_IN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    expect((await post({ body: GOOD })).status).to.equal(200);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const lines = await service.logged();
    expect(lines.filter((line) => line.level === 'error')).to.deep.equal([]);
  });
});
