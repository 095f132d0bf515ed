import { expect } from 'chai';
import { SESSION_IDLE, SESSION_LENGTH } from '../../src/access/session-times.js';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { createTeam } from '../../src/use-cases/create-team.js';
import { origin, serviceScene } from './people.js';
import { HOUR } from './world.js';

describe('Authenticating a session', () => {
  it('answers the person with the roles they have now', async () => {
    const here = await serviceScene();
    const authenticate = () => authenticateSession(here)(here.opened.secret);
    const first = await authenticate();
    if (!('principal' in first)) throw new Error(first.cause);
    expect(first.principal.roles.size).to.equal(0);
    const team = await createTeam(here)({ by: { principal: first.principal, ...origin }, name: 'Payments' });
    const then = await authenticate();
    expect('principal' in then && [...then.principal.roles]).to.deep.equal([[team.id, 'owner']]);
  });
  it('knows no other secret', async () => {
    const here = await serviceScene();
    expect(await authenticateSession(here)('guess')).to.deep.equal({ cause: 'unknown' });
    const { secretHash } = here.opened.session;
    expect(await authenticateSession(here)(secretHash)).to.deep.equal({ cause: 'unknown' });
  });
  it('ends after 8 idle hours', async () => {
    const here = await serviceScene();
    here.time.now += SESSION_IDLE;
    expect(await authenticateSession(here)(here.opened.secret)).to.deep.equal({ cause: 'expired' });
  });
  it('goes on while used, for 7 days in all', async () => {
    const here = await serviceScene();
    const end = here.time.now + SESSION_LENGTH;
    while (here.time.now + 7 * HOUR < end) {
      here.time.now += 7 * HOUR;
      expect(await authenticateSession(here)(here.opened.secret)).to.have.property('principal');
    }
    here.time.now = end;
    expect(await authenticateSession(here)(here.opened.secret)).to.deep.equal({ cause: 'expired' });
  });
  it('writes its last use once a minute at most', async () => {
    const here = await serviceScene();
    const { secretHash, lastSeenAt } = here.opened.session;
    const seen = async () => (await here.stores.sessions.bySecretHash(secretHash))?.session.lastSeenAt;
    here.time.now += 59_999;
    await authenticateSession(here)(here.opened.secret);
    expect(await seen()).to.equal(lastSeenAt);
    here.time.now += 1;
    await authenticateSession(here)(here.opened.secret);
    expect(await seen()).to.equal(here.time.now);
  });
});
