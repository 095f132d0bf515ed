import { expect } from 'chai';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { signOut } from '../../src/use-cases/sign-out.js';
import { origin, serviceScene, signingIn } from './people.js';

describe('Signing out', () => {
  it('ends that session and no other', async () => {
    const here = await serviceScene();
    const other = await signingIn(here);
    const found = await authenticateSession(here)(here.opened.secret);
    if (!('principal' in found)) throw new Error(found.cause);
    await signOut(here)({ by: { principal: found.principal, ...origin } });
    expect(await authenticateSession(here)(here.opened.secret)).to.deep.equal({ cause: 'unknown' });
    expect(await authenticateSession(here)(other.secret)).to.have.property('principal');
  });
});
