import { randomBytes } from 'node:crypto';
import { memoryStores } from '@shipworthy/adapters/memory';
import { createShipworthy, type Shipworthy } from '@shipworthy/server';
import { expect } from 'chai';
import { bunHandler, denoHandler, routeHandlers } from '../src/fetch-programs.js';

const BASE = 'https://tools.example.org/shipworthy';
const SETUP = { setup_token: 'the-token', email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };

const HANDLERS: Readonly<Record<string, (shipworthy: Shipworthy) => (request: Request) => Promise<Response>>> = {
  'the route handlers of Next.js': (shipworthy) => {
    const handlers = routeHandlers(shipworthy);
    return (request) => handlers[request.method as keyof typeof handlers](request);
  },
  'the handler of Bun': (shipworthy) => {
    const handle = bunHandler(shipworthy);
    return (request) => handle(request, { requestIP: () => ({ address: '192.0.2.1' }) });
  },
  'the handler of Deno': (shipworthy) => {
    const handle = denoHandler(shipworthy);
    return (request) => handle(request, { remoteAddr: { hostname: '192.0.2.1' } });
  },
};

for (const [name, handlerOf] of Object.entries(HANDLERS))
  describe(`Shipworthy behind ${name}`, () => {
    let shipworthy: Shipworthy;
    let handle: (request: Request) => Promise<Response>;
    before(() => {
      shipworthy = createShipworthy({
        stores: memoryStores(),
        secretKey: randomBytes(32),
        setupToken: SETUP.setup_token,
        baseUrl: new URL(BASE),
      });
      handle = handlerOf(shipworthy);
    });
    after(() => shipworthy.close());

    it('reads, changes and streams below its path', async () => {
      const { origin } = new URL(BASE);
      const json = { 'content-type': 'application/json', origin };
      const setUp = await handle(
        new Request(`${BASE}/api/setup`, { method: 'POST', headers: json, body: JSON.stringify(SETUP) }),
      );
      expect(setUp.status).to.equal(201);
      const cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const body = JSON.stringify({ name: 'Payments' });
      const made = await handle(
        new Request(`${BASE}/api/teams`, { method: 'POST', headers: { ...json, cookie }, body }),
      );
      expect(made.status).to.equal(201);
      const listed = await handle(new Request(`${BASE}/api/teams`, { headers: { cookie } }));
      expect(((await listed.json()) as { data: { name: string }[] }).data.map((team) => team.name)).to.deep.equal([
        'Payments',
      ]);
      const events = await handle(new Request(`${BASE}/api/events`, { headers: { cookie } }));
      expect(events.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
      await events.body?.cancel();
    });
  });
