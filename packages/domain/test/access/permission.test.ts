import { expect } from 'chai';
import { requireRole, teamsInSight } from '../../src/access/permission.js';
import { ROLES } from '../../src/team/team.js';
import { refusal } from '../refusal.js';
import { principal } from './principal-of.js';

describe('Permission', () => {
  it('lets a role do what weaker ones may, and nothing of the stronger ones', () => {
    for (const [has, role] of ROLES.entries())
      for (const [needs, needed] of ROLES.entries()) {
        const work = () => requireRole(principal({ t1: role }), 't1', needed);
        if (has >= needs) work();
        else {
          const refused = refusal(work, 'forbidden');
          expect(refused.details).to.deep.equal({ needed, role });
          expect(refused.message).to.equal(`This needs the role ${needed} in the team; yours is ${role}.`);
        }
      }
  });
  it('does not tell a team out of sight from one that does not exist', () => {
    expect(refusal(() => requireRole(principal({ t1: 'owner' }), 't2', 'viewer'), 'not-found').details).to.deep.equal({
      what: 'team',
    });
  });
  it('lists the teams in sight in one order, whatever order the roles came in', () => {
    expect(teamsInSight(principal({ t2: 'viewer', t1: 'owner' }))).to.deep.equal(['t1', 't2']);
  });
});
