import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { givePassword, PASSWORD } from '../harness/people.js';
import { useFreshStage } from '../harness/stage.js';

const MINUTE = 60_000;
const HERE = { 'x-forwarded-for': '198.51.100.1' };
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' };

onEveryStore('the limits of signing in', (open) => {
  const stage = useFreshStage(open);
  beforeEach(() => givePassword(stage().service, stage().ada));

  const right = () => ({ email: stage().ada.user.email, password: PASSWORD });
  const wrong = (email = stage().ada.user.email) => ({ email, password: 'not the one' });
  const signIn = (body: { email: string; password: string }, headers = HERE) =>
    stage().service.anonymous.ask('signIn', { body, headers });
  const fail = async (times: number, headers = HERE) => {
    for (let tries = 0; tries < times; tries += 1) expect((await signIn(wrong(), headers)).status).to.equal(401);
  };

  it('are five failures a minute of one account from one address, for the right password too', async () => {
    await fail(5);
    const refused = await signIn(right());
    expect(refused.status).to.equal(429);
    expect(refused.headers['retry-after']).to.equal('60');
    expect((await signIn(right(), ELSEWHERE)).status).to.equal(200);
    stage().service.clock.pass(MINUTE);
    expect((await signIn(right())).status).to.equal(200);
  });

  it('count no success', async () => {
    for (let times = 0; times < 8; times += 1) expect((await signIn(right())).status).to.equal(200);
  });

  it('hold for tries that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(wrong())));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length.of.at.most(5);
    expect(statuses.filter((status) => status === 429)).to.have.length.of.at.least(7);
  });

  it('are twenty failures a minute from one address, for all accounts together', async () => {
    for (let tries = 0; tries < 20; tries += 1)
      expect((await signIn(wrong(`p${tries}@acme.dev`))).status).to.equal(401);
    expect((await signIn(right())).status).to.equal(429);
    expect((await signIn(right(), ELSEWHERE)).status).to.equal(200);
  });

  it('are a hundred failures an hour of one account, but for addresses that signed in before', async () => {
    expect((await signIn(right(), ELSEWHERE)).status).to.equal(200);
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await fail(5);
      stage().service.clock.pass(MINUTE);
    }
    const stranger = { 'x-forwarded-for': '192.0.2.77' };
    const refused = await signIn(right(), stranger);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.equal(3600);
    expect((await signIn(right(), ELSEWHERE)).status).to.equal(200);
  });
});
