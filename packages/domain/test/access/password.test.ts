import { expect } from 'chai';
import { passwordFaults } from '../../src/access/password.js';
import { pointers } from '../refusal.js';

describe('A password', () => {
  it('has 12 characters or more', () => {
    expect(passwordFaults('a'.repeat(12))).to.deep.equal([]);
    expect(pointers(passwordFaults('a'.repeat(11)))).to.deep.equal(['/password']);
  });
  it('counts characters, not code units', () => {
    expect(passwordFaults('😀'.repeat(11), '/new_password')).to.have.length(1);
    expect(passwordFaults('😀'.repeat(12))).to.deep.equal([]);
  });
});
