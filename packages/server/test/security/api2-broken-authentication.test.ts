import { expect } from 'chai';
import { ask } from '../harness/ask.js';
import { inSqlite } from '../harness/openings.js';
import { givePassword, PASSWORD, secretIn } from '../harness/people.js';
import { useFreshStage } from '../harness/stage.js';

describe('OWASP API2, broken authentication: who has no credential of their own', () => {
  const stage = useFreshStage(inSqlite);
  const whoAmI = async (headers: Record<string, string>, query = '') =>
    (await ask(stage().service.baseUrl, `/api/whoami${query}`, { headers })).status;

  it('makes none up: a key with the right checksum is none, nor is an altered one', async () => {
    const { service, world, ada } = stage();
    const key = await world.key(ada);
    expect(await whoAmI({ authorization: `Bearer ${key}` })).to.equal(200);
    const guesses = [service.ports.secrets.newApiKey(), key.toUpperCase(), key.slice(0, -1), `${key}0`, `${key}\t.`];
    for (const guess of guesses) expect(await whoAmI({ authorization: `Bearer ${guess}` }), guess).to.equal(401);
  });

  it('cannot use a secret in another place than its own', async () => {
    const { world, ada } = stage();
    const key = await world.key(ada);
    const tries: readonly Record<string, string>[] = [
      { authorization: `Bearer ${ada.secret}` },
      { authorization: `Basic ${Buffer.from(`ada@acme.dev:${PASSWORD}`).toString('base64')}` },
      { authorization: key },
      { cookie: `shipworthy_session=${key}` },
      { cookie: `Shipworthy_Session=${ada.secret}; xshipworthy_session=${ada.secret}` },
      { 'x-api-key': key },
    ];
    // From here on it is known as a session's for a second.
    expect(await whoAmI({ cookie: `shipworthy_session=${ada.secret}` })).to.equal(200);
    for (const headers of tries) expect(await whoAmI(headers), JSON.stringify(headers)).to.equal(401);
    for (const name of ['api_key', 'access_token', 'token'])
      expect(await whoAmI({}, `?${name}=${key}`), name).to.equal(401);
  });

  it('keeps no former session: a new account by an invitation ends the one that the browser had', async () => {
    const { service, browser, team } = stage();
    const { token } = (await browser.ok('createInvitation', { body: { team_id: team.id } })).body.data;
    const body = { token, email: 'mia@acme.dev', name: 'Mia', password: PASSWORD };
    const answer = await browser.ok('acceptInvitation', { body });
    await browser.refused('readSession', 'unauthenticated');
    const { user } = (await service.signedIn({ secret: secretIn(answer) }).ok('readSession')).body.data;
    expect(user).to.include({ name: 'Mia' });
  });

  it('fixes no session: a sign-in gets a new random secret', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const chosen = 'c'.repeat(43);
    const body = { email: ada.user.email, password: PASSWORD };
    const headers = { cookie: `shipworthy_session=${chosen}`, origin: service.baseUrl };
    const given = secretIn(await service.anonymous.ok('signIn', { body, headers }));
    expect(given).not.to.equal(chosen);
    expect(await whoAmI({ cookie: `shipworthy_session=${chosen}` })).to.equal(401);
    expect(await whoAmI({ cookie: `shipworthy_session=${given}` })).to.equal(200);
  });

  it('does not become another caller by writing addresses into a header', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const body = { email: ada.user.email, password: 'not the right one' };
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      // The proxy in front adds the last entry; entries before it came with the request.
      const headers = { 'x-forwarded-for': `203.0.113.${count}, 198.51.100.7` };
      statuses.push((await service.anonymous.ask('signIn', { body, headers })).status);
    }
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  it('has no more tries by changing addresses within its IPv6 network', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const body = { email: ada.user.email, password: 'not the right one' };
    const statuses: number[] = [];
    for (const address of ['::1', '::2', '::a:b', ':ffff::', ':0:0:1:2', ':1::1', ':2::1', ':3::3']) {
      const headers = { 'x-forwarded-for': `2001:db8:0:7${address}` };
      statuses.push((await service.anonymous.ask('signIn', { body, headers })).status);
    }
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429, 429]);
  });
});
