import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { memoryStores } from '@shipworthy/adapters/memory';
import { createClient, isProblem } from '@shipworthy/client';
import { expect } from 'chai';
import { gatewayAuthentication, gatewayHeaders } from '../src/gateway-authentication.js';
import { enrol } from '../src/organisation.js';
import { createPortal, type Portal } from '../src/portal.js';

const KEY = 'a key that the gateway and the portal share';

describe('a portal that embeds the service', () => {
  let portal: Portal;
  let baseUrl = '';
  const clientWith = (headers: Record<string, string>) =>
    createClient({
      baseUrl,
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
    });
  before(async () => {
    portal = await createPortal(new URL('http://127.0.0.1'), KEY, new Uint8Array(32));
    portal.server.listen(0, '127.0.0.1');
    await once(portal.server, 'listening');
    baseUrl = `http://127.0.0.1:${(portal.server.address() as AddressInfo).port}`;
  });
  after(() => portal.close());

  it('lets a person work whom the gateway proved', async () => {
    const ada = clientWith(gatewayHeaders(KEY, 'ada@example.org'));
    const { body: teams } = await ada.listTeams();
    expect(teams.data.map(({ id, name }) => [id, name])).to.deep.equal([[portal.teamId, 'Payments']]);
    const created = await ada.createProject({ path: { team_id: portal.teamId }, body: { name: 'checkout' } });
    expect(created.status).to.equal(201);
    const path = { team_id: portal.teamId, project_id: created.body.data.id };
    const failure = await ada.readActiveReadiness({ path }).catch((error: unknown) => error);
    expect(isProblem(failure, 'no-active-release')).to.equal(true);
  });

  const refused: readonly (readonly [string, Record<string, string>])[] = [
    ['a request without a name and a proof', {}],
    ['a name without a proof', { 'x-user': 'ada@example.org' }],
    ['a proof made with another key', gatewayHeaders('a guessed key', 'ada@example.org')],
    ['a proof cut short', { 'x-user': 'ada@example.org', 'x-user-proof': 'abc' }],
    ['a proven person who is in no directory', gatewayHeaders(KEY, 'eve@example.org')],
    ['an API key, which this portal does not know', { authorization: 'Bearer swk_1' }],
  ];
  for (const [who, headers] of refused)
    it(`refuses ${who}`, async () => {
      const failure = await clientWith(headers)
        .listTeams()
        .catch((error: unknown) => error);
      expect(isProblem(failure, 'unauthenticated')).to.equal(true);
    });

  it('refuses a disabled account', async () => {
    const stores = memoryStores();
    const teamId = await enrol(stores, 'ada@example.org', 'Ada', 'Payments');
    const authenticate = gatewayAuthentication(stores, KEY, [teamId]);
    const asked = () =>
      authenticate({ method: 'GET', headers: gatewayHeaders(KEY, 'ada@example.org'), address: '127.0.0.1' });
    const principal = await asked();
    expect(principal?.roles.get(teamId)).to.equal('owner');
    await stores.users.setDisabled(principal?.userId ?? '', Date.now());
    expect(await asked()).to.equal(null);
  });

  it('serves pages of its own beside it', async () => {
    expect(await (await fetch(baseUrl)).text()).to.equal('The portal');
  });
});
