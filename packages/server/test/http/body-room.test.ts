import { connect } from 'node:net';
import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { type BareService, startBare } from '../harness/bare-service.js';

const ROOM = 200_000;
const HOOKS = '/api/hooks/github';
const CALLERS = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2'] as const;

describe('room for bodies', () => {
  let service: BareService;
  const finish: (() => void)[] = [];
  before(async () => {
    service = await startBare({
      mostBodyBytes: ROOM,
      requestsPerMinute: null,
      trustedProxies: 1,
      routes: {
        receiveHook: () =>
          new Promise((resolve) =>
            finish.push(() => resolve({ status: 200, body: { data: { accepted: false, repeated: false } } })),
          ),
      },
    });
  });
  after(() => service.close());

  const post = (caller: 0 | 1 | 2 | 3 | 4, length: number) =>
    ask(service.url, HOOKS, {
      method: 'POST',
      body: ' '.repeat(length),
      headers: { 'x-forwarded-for': CALLERS[caller] },
    });
  const inHand = async (count: number) => {
    while (finish.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const finishAll = () => {
    for (const one of finish.splice(0)) one();
  };

  it('is a quarter of all for the strangers of one network, and others go on', async () => {
    const first = post(0, 45_000);
    await inHand(1);
    const refused = await post(0, 10_000);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.equal(1);
    expect(refused.headers.connection).to.equal('close');
    const other = post(1, 45_000);
    await inHand(2);
    expect((await post(2, 11_000)).status, 'nothing is left').to.equal(503);
    const ada = await service.world.person('Ada');
    await service.world.team(ada, 'Payments');
    const headers = { authorization: `Bearer ${await service.world.key(ada)}` };
    const asked = { method: 'POST', headers, body: `[${' '.repeat(90_000)}]` };
    expect((await ask(service.url, '/api/deployments/batch', asked)).status, 'a key has room').to.equal(422);
    finishAll();
    expect([(await first).status, (await other).status]).to.deep.equal([200, 200]);
    const again = post(0, 50_000);
    await inHand(1);
    finishAll();
    expect((await again).status).to.equal(200);
  });

  it('is one for all addresses of an IPv6 network', async () => {
    const first = post(3, 45_000);
    await inHand(1);
    expect((await post(4, 10_000)).status).to.equal(429);
    finishAll();
    expect((await first).status).to.equal(200);
  });

  it('is given back when a sender goes away in the middle', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${HOOKS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${CALLERS[0]}\r\n`;
    socket.write(`${head}Content-Length: 60000\r\n\r\n${' '.repeat(45_000)}`);
    // A body that comes in whole waits for `finishAll`, so what answers by itself is a refusal.
    const finishing = setInterval(finishAll, 5);
    const status = async () => (await post(0, 10_000)).status;
    while ((await status()) !== 429);
    socket.destroy();
    while ((await status()) !== 200);
    expect((await post(0, 50_000)).status).to.equal(200);
    clearInterval(finishing);
  });
});
