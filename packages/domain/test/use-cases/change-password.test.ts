import { expect } from 'chai';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { changePassword } from '../../src/use-cases/change-password.js';
import { pointers, refused } from '../refusal.js';
import { origin, PASSWORD, serviceScene, signingIn, whileVerifying } from './people.js';

const NEW = 'another long password';
type Scene = Awaited<ReturnType<typeof serviceScene>>;
const changing = async (here: Scene, oldPassword: string, newPassword = NEW) => {
  const found = await authenticateSession(here)(here.opened.secret);
  if (!('principal' in found)) throw new Error(found.cause);
  const deviceOf = () => null;
  return changePassword(here)({ by: { principal: found.principal, ...origin }, oldPassword, newPassword, deviceOf });
};

describe('Changing the password', () => {
  it('lets the new one in and the old one no more, and ends the other sessions', async () => {
    const here = await serviceScene();
    const other = await signingIn(here);
    await changing(here, PASSWORD);
    expect(await authenticateSession(here)(here.opened.secret)).to.have.property('principal');
    expect(await authenticateSession(here)(other.secret)).to.deep.equal({ cause: 'unknown' });
    await refused(signingIn(here), 'wrong-credentials');
    await signingIn(here, { password: NEW });
  });
  it('needs the old one, tried no more often than at sign-in', async () => {
    const here = await serviceScene();
    for (let count = 0; count < 5; count += 1) await refused(changing(here, 'wrong password'), 'wrong-credentials');
    await refused(changing(here, PASSWORD), 'too-many-attempts');
    here.time.now += 60_000;
    await signingIn(here);
  });
  it('is done once with one password, of two at the same time', async () => {
    const here = await serviceScene();
    const twice = whileVerifying(here, () => changing(here, PASSWORD));
    await refused(changing(twice, PASSWORD, 'the password of a thief'), 'wrong-credentials');
    await signingIn(here, { password: NEW });
  });
  it('needs 12 characters', async () => {
    const here = await serviceScene();
    const error = await refused(changing(here, PASSWORD, 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/new_password']);
  });
});
