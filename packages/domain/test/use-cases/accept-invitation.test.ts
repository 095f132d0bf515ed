import { expect } from 'chai';
import { authenticateSession } from '../../src/use-cases/authenticate-session.js';
import { INVITATION_LIFE, invite } from '../../src/use-cases/invite.js';
import { pointers, refused } from '../refusal.js';
import { accepting, signingIn } from './people.js';
import { teamScene } from './scene.js';
import { actions } from './world.js';

const invited = async () => {
  const here = await teamScene();
  const team = { id: here.teamId, role: 'member' } as const;
  const { secret } = await invite(here)({ by: here.owner, team });
  return { ...here, secret };
};
const NEW = 'new@example.com';

describe('Accepting an invitation', () => {
  it('gives an account and the place in the team, and signs in', async () => {
    const here = await invited();
    const opened = await accepting(here, here.secret, NEW);
    const found = await authenticateSession(here)(opened.secret);
    expect('principal' in found && [...found.principal.roles]).to.deep.equal([[here.teamId, 'member']]);
    expect('principal' in found && found.principal.administrator).to.equal(false);
    expect((await signingIn(here, { email: NEW })).user.id).to.equal(opened.user.id);
    expect(await actions(here, here.teamId)).to.include('member.add');
  });
  it('works once, also of two at once', async () => {
    const here = await invited();
    const both = [accepting(here, here.secret, NEW), accepting(here, here.secret, 'other@example.com')];
    const ends = await Promise.allSettled(both);
    expect(ends.map((end) => end.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    await refused(accepting(here, here.secret, 'third@example.com'), 'invitation-unusable');
  });
  it('is refused with another secret and from its expiry on', async () => {
    const here = await invited();
    await refused(accepting(here, 'guess', NEW), 'invitation-unusable');
    here.time.now += INVITATION_LIFE;
    await refused(accepting(here, here.secret, NEW), 'invitation-unusable');
  });
  it('stays usable when the address is taken or the password too short', async () => {
    const here = await invited();
    await refused(accepting(here, here.secret, 'BEN@example.com'), 'email-taken');
    const error = await refused(accepting(here, here.secret, NEW, 'short'), 'invalid');
    expect(pointers(error.details.faults)).to.deep.equal(['/password']);
    await accepting(here, here.secret, NEW);
  });
  it('may be for an account without a team', async () => {
    const here = await teamScene();
    const administrator = { ...here.owner, principal: { ...here.owner.principal, administrator: true } };
    const { secret } = await invite(here)({ by: administrator, team: null });
    const found = await authenticateSession(here)((await accepting(here, secret, NEW)).secret);
    expect('principal' in found && found.principal.roles.size).to.equal(0);
  });
});
