import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { givePassword, PASSWORD, secretIn } from '../harness/people.js';
import { useFreshStage } from '../harness/stage.js';

const HOUR = 3_600_000;

onEveryStore('sessions', (open) => {
  const stage = useFreshStage(open);
  const credentials = () => ({ email: stage().ada.user.email, password: PASSWORD });

  it('start by signing in, whatever the case of the address', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const answer = await service.anonymous.ok('signIn', {
      body: { email: ada.user.email.toUpperCase(), password: PASSWORD },
    });
    expect(answer.body.data.user).to.include({ id: ada.user.id, email: 'ada@acme.dev', name: 'Ada' });
    const browser = service.signedIn({ secret: secretIn(answer) });
    expect((await browser.ok('readSession')).body).to.deep.equal(answer.body);
  });

  it('replace the one the browser had', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const answer = await browser.ok('signIn', { body: credentials() });
    expect(secretIn(answer)).not.to.equal(ada.secret);
    await browser.refused('readSession', 'unauthenticated');
    await service.signedIn({ secret: secretIn(answer) }).ok('readSession');
  });

  it('end by signing out, at once, and the cookie goes', async () => {
    const { browser } = stage();
    const { headers } = await browser.ok('signOut');
    expect(headers['set-cookie']).to.equal('shipworthy_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    await browser.refused('readSession', 'unauthenticated');
    await browser.refused('signOut', 'unauthenticated');
  });

  it('end after eight idle hours, but not while they are used', async () => {
    const { browser, service } = stage();
    for (let times = 0; times < 3; times += 1) {
      service.clock.pass(8 * HOUR - 1);
      await browser.ok('readSession');
    }
    service.clock.pass(8 * HOUR);
    const { body } = await browser.refused('readSession', 'unauthenticated');
    expect(body.detail).to.contain('expired');
  });

  it('end after seven days in any case', async () => {
    const { browser, service } = stage();
    for (let passed = 0; passed < 7 * 24 - 7; passed += 7) {
      service.clock.pass(7 * HOUR);
      await browser.ok('readSession');
    }
    service.clock.pass(7 * HOUR);
    await browser.refused('readSession', 'unauthenticated');
  });
});

describe('signIn', () => {
  const stage = useFreshStage();

  it('answers the same for a wrong password and an unknown account', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const headers = { 'x-request-id': 'one' };
    const [wrong, unknown] = await Promise.all(
      [ada.user.email, 'eve@acme.dev'].map((email) =>
        service.anonymous.refused('signIn', 'wrong-credentials', { body: { email, password: 'not the one' }, headers }),
      ),
    );
    expect(wrong?.status).to.equal(401);
    expect(wrong?.text).to.equal(unknown?.text);
    expect(wrong?.headers).not.to.have.property('set-cookie');
  });

  it('is not for pages of other sites, and needs no Origin of a script', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const body = { email: ada.user.email, password: PASSWORD };
    const evil = { origin: 'https://evil.example' };
    await service.anonymous.refused('signIn', 'cross-site', { body, headers: evil });
    await browser.refused('signIn', 'cross-site', { body, headers: evil });
    await service.anonymous.ok('signIn', { body });
  });

  it('leaves a trace that holds no secret', async () => {
    const { service, ada } = stage();
    await givePassword(service, ada);
    const answer = await service.anonymous.ok('signIn', { body: { email: ada.user.email, password: PASSWORD } });
    expect(answer.text).not.to.contain(PASSWORD).and.not.contain(secretIn(answer));
  });
});

describe('changePassword', () => {
  const stage = useFreshStage();
  const CHANGE = { current_password: PASSWORD, new_password: 'another long phrase' };

  it('ends the other sessions and keeps this one', async () => {
    const { service, ada, world, browser } = stage();
    await givePassword(service, ada);
    const other = service.signedIn(await world.session(ada.user));
    const stranger = service.signedIn(await world.person('Bob'));
    await other.ok('readSession');
    await browser.ok('changePassword', { body: CHANGE });
    service.clock.pass(2000);
    await other.refused('readSession', 'unauthenticated');
    await browser.ok('readSession');
    await stranger.ok('readSession');
    const email = ada.user.email;
    await service.anonymous.refused('signIn', 'wrong-credentials', { body: { email, password: PASSWORD } });
    await service.anonymous.ok('signIn', { body: { email, password: CHANGE.new_password } });
  });

  it('needs the password of now, and is limited like signing in', async () => {
    const { service, ada, browser } = stage();
    await givePassword(service, ada);
    const body = { ...CHANGE, current_password: 'not the one' };
    for (let tries = 0; tries < 5; tries += 1) await browser.refused('changePassword', 'wrong-credentials', { body });
    const { headers } = await browser.refused('changePassword', 'too-many-requests', { body: CHANGE });
    expect(headers['retry-after']).to.equal('60');
    await service.anonymous.refused('signIn', 'too-many-requests', {
      body: { email: ada.user.email, password: PASSWORD },
    });
  });

  it('takes none that is too short', async () => {
    const { body } = await stage().browser.refused('changePassword', 'invalid', {
      body: { ...CHANGE, new_password: 'eleven char' },
    });
    expect(body.errors).to.have.nested.property('[0].pointer', '/new_password');
  });
});
