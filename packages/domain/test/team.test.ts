import { expect } from 'chai';
import { atLeast, ROLES, type Role, requireOwnerLeft } from '../src/team.js';
import { refusal } from './refusal.js';

const members = (...roles: readonly Role[]) =>
  roles.map((role, index) => ({ userId: `u${index}`, role, disabled: false }));

describe('The last owner', () => {
  it('can neither leave nor take a weaker role', () => {
    const refused = refusal(() => requireOwnerLeft(members('owner', 'member'), 'u0', null), 'last-owner');
    expect(refused.message).to.equal('The last owner of a team stays its owner.');
    refusal(() => requireOwnerLeft(members('owner', 'member'), 'u0', 'member'), 'last-owner');
  });
  it('is the last beside one whose account is disabled', () => {
    const [first, second] = members('owner', 'owner');
    if (first === undefined || second === undefined) throw new Error('There are two.');
    refusal(() => requireOwnerLeft([first, { ...second, disabled: true }], 'u0', null), 'last-owner');
  });
  it('lets a member leave a team whose owners are all disabled', () => {
    const [owner, member] = members('owner', 'member');
    if (owner === undefined || member === undefined) throw new Error('There are two.');
    requireOwnerLeft([{ ...owner, disabled: true }, member], 'u1', null);
  });
  it('may be made owner again', () => {
    requireOwnerLeft(members('owner'), 'u0', 'owner');
  });
  it('is not the last with another beside, and others are free', () => {
    requireOwnerLeft(members('owner', 'owner'), 'u0', null);
    requireOwnerLeft(members('owner', 'member'), 'u1', null);
  });
});

describe('Roles', () => {
  it('include what weaker ones allow', () => {
    expect(ROLES).to.deep.equal(['viewer', 'member', 'owner']);
    expect(ROLES.map((role) => atLeast(role, 'member'))).to.deep.equal([false, true, true]);
  });
});
