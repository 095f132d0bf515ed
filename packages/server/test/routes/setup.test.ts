import { expect } from 'chai';
import { useEmptyService } from '../harness/empty-service.js';
import { onEveryStore } from '../harness/openings.js';
import { SETUP, secretIn } from '../harness/people.js';

onEveryStore('setUp', (open) => {
  const service = useEmptyService(open);

  it('makes the first administrator and starts a session', async () => {
    const answer = await service().anonymous.ok('setUp', { body: SETUP });
    const { user } = answer.body.data;
    expect(answer.body).to.deep.equal({
      data: {
        user: {
          id: user.id,
          email: 'ada@acme.dev',
          email_verified: true,
          name: 'Ada',
          administrator: true,
          created_at: new Date(service().clock.read()).toISOString(),
        },
      },
    });
    const browser = service().signedIn({ secret: secretIn(answer) });
    expect((await browser.ok('readSession')).body).to.deep.equal(answer.body);
    expect((await browser.ok('listTeams')).body.data).to.deep.equal([]);
  });

  it('sets a cookie that scripts and other sites cannot read or send', async () => {
    const answer = await service().anonymous.ok('setUp', { body: SETUP });
    const expires = new Date(service().clock.read() + 7 * 24 * 3_600_000).toUTCString();
    const [session, device] = answer.headers['set-cookie']?.split(/,(?=shipworthy)/) ?? [];
    expect(session).to.equal(
      `shipworthy_session=${secretIn(answer)}; Path=/; HttpOnly; SameSite=Lax; Expires=${expires}`,
    );
    expect(device).to.match(/^shipworthy_device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    expect(answer.text).not.to.contain(secretIn(answer));
  });

  it('works once', async () => {
    await service().anonymous.ok('setUp', { body: SETUP });
    const { status, headers } = await service().anonymous.refused('setUp', 'already-set-up', {
      body: { ...SETUP, email: 'eve@acme.dev' },
    });
    expect(status).to.equal(409);
    expect(headers).not.to.have.property('set-cookie');
  });

  it('lets exactly one of several simultaneous requests succeed', async () => {
    const tries = Array.from({ length: 5 }, (_, index) =>
      service().anonymous.ask('setUp', { body: { ...SETUP, email: `p${index}@acme.dev` } }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([201, 409, 409, 409, 409]);
  });
});

describe('setUp', () => {
  const service = useEmptyService();

  it('refuses another token, be the service set up or not', async () => {
    const body = { ...SETUP, setup_token: 'guessed' };
    const { status } = await service().anonymous.refused('setUp', 'wrong-setup-token', { body });
    expect(status).to.equal(403);
    await service().anonymous.ok('setUp', { body: SETUP });
    await service().anonymous.refused('setUp', 'wrong-setup-token', { body });
  });

  it('allows five tries a minute', async () => {
    const body = { ...SETUP, setup_token: 'guessed' };
    for (let tries = 0; tries < 5; tries += 1)
      await service().anonymous.refused('setUp', 'wrong-setup-token', { body });
    const { headers } = await service().anonymous.refused('setUp', 'too-many-requests', { body: SETUP });
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    service().clock.pass(60_000);
    await service().anonymous.ok('setUp', { body: SETUP });
  });

  it('names every fault, and no unknown field is lost', async () => {
    const { body } = await service().anonymous.refused('setUp', 'invalid', {
      rawBody: JSON.stringify({ setup_token: 'x', email: 'ada', password: 'short', nick: 'A' }),
    });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/email', '/password', '/nick', '/name']);
    expect(JSON.stringify(body)).not.to.contain('short"');
  });

  it('is not for pages of other sites', async () => {
    await service().anonymous.refused('setUp', 'cross-site', {
      body: SETUP,
      headers: { origin: 'https://evil.example' },
    });
  });
});
