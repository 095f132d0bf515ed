import { isWellFormedApiKey } from '@shipworthy/adapters/crypto';
import { expect } from 'chai';
import { createFindPrincipal } from '../../src/http/find-principal.js';
import { Problem } from '../../src/http/problem.js';
import { type BareService, startBare } from '../harness/bare-service.js';
import type { Person } from '../harness/world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('createFindPrincipal', () => {
  let service: BareService;
  let ada: Person;
  beforeEach(async () => {
    service = await startBare();
    ada = await service.world.person('Ada');
  });
  afterEach(() => service.close());

  const find = (kind: 'api_key' | 'session', secret: string, use = true) =>
    createFindPrincipal(service.ports, isWellFormedApiKey)({ kind, secret }, use, '192.0.2.7');
  const refusal = async (kind: 'api_key' | 'session', secret: string): Promise<string> => {
    const thrown = await find(kind, secret).then(
      () => new Error('found'),
      (error: unknown) => error,
    );
    if (!(thrown instanceof Problem)) throw thrown;
    expect(thrown.type).to.equal('unauthenticated');
    expect(thrown.notes.headers).to.deep.equal({
      'WWW-Authenticate': 'Bearer realm="shipworthy", error="invalid_token"',
    });
    return thrown.detail;
  };

  it('finds who shows a key or a session', async () => {
    const key = await service.world.key(ada, { scopes: ['read'] });
    expect(await find('api_key', key)).to.include({ kind: 'api_key', userId: ada.user.id });
    expect(await find('session', ada.secret)).to.include({ kind: 'session', userId: ada.user.id });
  });

  it('says of a key what is wrong with it', async () => {
    const key = await service.world.key(ada, { scopes: ['read'] });
    expect(await refusal('api_key', `${key}x`)).to.match(/mistyped or cut off/);
    expect(await refusal('api_key', service.ports.secrets.newApiKey())).to.equal('There is no such API key.');
    service.clock.pass(90 * DAY);
    expect(await refusal('api_key', key)).to.equal('The API key has expired.');
    const [stored] = await service.ports.stores.apiKeys.ofUser(ada.user.id);
    await service.ports.stores.apiKeys.revoke(ada.user.id, stored?.id ?? '', service.clock.read());
    expect(await refusal('api_key', key)).to.equal('The API key was revoked.');
  });

  it('asks no store for a key whose check digits do not fit', async () => {
    const none = new Proxy(service.ports, {
      get: () => {
        throw new Error('a store was asked');
      },
    });
    const quiet = createFindPrincipal({ ...service.ports, stores: none as never }, isWellFormedApiKey);
    const thrown = await quiet({ kind: 'api_key', secret: 'swk_x' }, true, '192.0.2.7').catch(
      (error: unknown) => error,
    );
    expect(thrown).to.be.instanceOf(Problem);
  });

  it('says of a session what is wrong with it', async () => {
    expect(await refusal('session', 'unknown')).to.equal('The session has ended: sign in again.');
    service.clock.pass(8 * HOUR);
    expect(await refusal('session', ada.secret)).to.equal('The session has expired: sign in again.');
  });

  it('keeps a session alive by a use, never by a look', async () => {
    service.clock.pass(7 * HOUR);
    await find('session', ada.secret, false);
    service.clock.pass(HOUR);
    expect(await refusal('session', ada.secret)).to.match(/expired/);
    const bob = await service.world.person('Bob');
    service.clock.pass(7 * HOUR);
    await find('session', bob.secret);
    service.clock.pass(HOUR);
    expect(await find('session', bob.secret)).to.include({ userId: bob.user.id });
  });
});
