import { expect } from 'chai';
import { onEveryDatabase } from '../harness/openings.js';
import { givePassword, PASSWORD } from '../harness/people.js';
import { useFreshStage } from '../harness/stage.js';

const HOME = '198.51.100.1';
const DEVICE = /shipworthy_device=[^;,]+/;

onEveryDatabase('A device that has signed in before', (open) => {
  const stage = useFreshStage(open);
  beforeEach(() => givePassword(stage().service, stage().ada));

  const signIn = (password: string, { from = HOME, cookie = '', email = stage().ada.user.email } = {}) => {
    const headers = { 'x-forwarded-for': from, origin: stage().service.baseUrl, ...(cookie === '' ? {} : { cookie }) };
    return stage().service.anonymous.ask('signIn', { body: { email, password }, headers });
  };
  const knownDevice = async (): Promise<string> => {
    const answer = await signIn(PASSWORD);
    return DEVICE.exec(answer.headers['set-cookie'] ?? '')?.[0] ?? expect.fail(JSON.stringify(answer));
  };
  const attack = async (tries: number): Promise<void> => {
    for (let nth = 0; nth < tries; nth += 1)
      await signIn('not the one', { from: nth % 2 === 0 ? HOME : `203.0.${nth % 250}.${nth % 7}` });
  };

  it('is let in while hundreds of tries of others fail, from its own network and from others', async () => {
    const cookie = await knownDevice();
    await attack(300);
    expect((await signIn(PASSWORD)).status, 'without the cookie').to.equal(429);
    expect((await signIn(PASSWORD, { from: '192.0.2.1' })).status, 'a new device').to.equal(429);
    expect((await signIn(PASSWORD, { cookie })).status).to.equal(200);
    expect((await signIn(PASSWORD, { cookie, from: '192.0.2.1' })).status, 'on the move').to.equal(200);
  });

  it('has five tries a minute and a hundred an hour of its own, apart from those of others', async () => {
    const { clock } = stage().service;
    const cookie = await knownDevice();
    const fail = async () => (await signIn('not the one', { cookie })).status;
    for (let tries = 0; tries < 5; tries += 1) expect(await fail()).to.equal(401);
    expect((await signIn(PASSWORD, { cookie })).status).to.equal(429);
    expect((await signIn(PASSWORD, { from: '192.0.2.1' })).status).to.equal(200);
    for (let minutes = 0; minutes < 19; minutes += 1) {
      clock.pass(60_000);
      for (let tries = 0; tries < 5; tries += 1) await fail();
    }
    clock.pass(60_000);
    const refused = await signIn(PASSWORD, { cookie });
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '3600']);
    clock.pass(3_600_000);
    expect((await signIn(PASSWORD, { cookie })).status).to.equal(200);
  });

  it('is none with a cookie that is forged, altered or of another account', async () => {
    const cookie = await knownDevice();
    const bob = await stage().world.person('Bob');
    await givePassword(stage().service, bob);
    const { email } = bob.user;
    const own = await signIn(PASSWORD, { email, from: '192.0.2.8' });
    const foreign = DEVICE.exec(own.headers['set-cookie'] ?? '')?.[0] ?? '';
    expect(foreign).to.match(DEVICE);
    await attack(300);
    const altered = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
    for (const shown of [foreign, altered, 'shipworthy_device=x', `${cookie}.`])
      expect((await signIn(PASSWORD, { cookie: shown })).status, shown).to.equal(429);
    expect((await signIn(PASSWORD, { cookie })).status).to.equal(200);
  });

  it('keeps a person who is signed in able to change the password', async () => {
    const cookie = await knownDevice();
    await attack(300);
    const { service, ada } = stage();
    const body = { current_password: PASSWORD, new_password: 'another long phrase' };
    const change = (cookies: string) =>
      service.anonymous.ask('changePassword', {
        body,
        headers: { cookie: cookies, origin: service.baseUrl, 'x-forwarded-for': HOME },
      });
    const session = `shipworthy_session=${ada.secret}`;
    expect((await change(session)).status).to.equal(429);
    expect((await change(`${session}; ${cookie}`)).status).to.equal(204);
  });
});
