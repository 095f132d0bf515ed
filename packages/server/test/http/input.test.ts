import type { HookDelivery } from '@shipworthy/domain';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

describe('the input of an operation that takes bytes', () => {
  let service: BareService;
  const deliveries: HookDelivery[] = [];
  before(async () => {
    service = await startBare({
      routes: {
        receiveHook: async ({ body }, { delivery }) => {
          expect(body).to.equal(undefined);
          deliveries.push(delivery);
          return { status: 200, body: { data: { accepted: false, repeated: false } } };
        },
      },
    });
  });
  after(() => service.close());

  const send = (body: string | Buffer, headers: Record<string, string> = {}, chunked = false) =>
    ask(service.url, '/api/hooks/github', { method: 'POST', body, headers, chunked });

  it('hands them on as they came, whole or in chunks, well-formed or not', async () => {
    const odd = [
      Buffer.from('{"a": 1,  "a": 2}\n'),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('['.repeat(1000)),
      Buffer.alloc(2_097_152, 'x'),
    ];
    for (const body of odd)
      for (const chunked of [false, true]) {
        expect((await send(body, {}, chunked)).status).to.equal(200);
        expect(Buffer.from(deliveries.at(-1)?.body ?? []).equals(body)).to.equal(true);
      }
  });

  it('hands on headers by lower-case name', async () => {
    await send('{}', { 'X-Hub-Signature-256': 'sha256=ab', 'X-GitHub-Delivery': '7' });
    expect(deliveries.at(-1)?.headers).to.include({ 'x-hub-signature-256': 'sha256=ab', 'x-github-delivery': '7' });
  });

  it('refuses other types, codings, no body and too large ones', async () => {
    const received = deliveries.length;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('payload=%7B%7D', form)).status).to.equal(415);
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).to.equal(415);
    expect((await ask(service.url, '/api/hooks/github', { method: 'POST' })).status).to.equal(400);
    expect((await send(Buffer.alloc(2_097_153, 'x'))).status).to.equal(413);
    expect((await send('{}', { 'content-type': 'application/json; charset=utf-8' })).status).to.equal(200);
    expect(deliveries.length).to.equal(received + 1);
  });
});
