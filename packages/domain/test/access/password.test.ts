import { expect } from 'chai';
import { passwordFaults } from '../../src/access/password.js';
import { pointers } from '../refusal.js';

describe('A password', () => {
  it('has 12 characters or more', () => {
    expect(passwordFaults('a'.repeat(12))).to.deep.equal([]);
    const message = 'A password has at least 12 characters.';
    expect(passwordFaults('a'.repeat(11))).to.deep.equal([{ pointer: '/password', code: 'too-short', message }]);
  });
  it('counts characters, not code units', () => {
    expect(pointers(passwordFaults('😀'.repeat(11), '/new_password'))).to.deep.equal(['/new_password']);
    expect(passwordFaults('😀'.repeat(12))).to.deep.equal([]);
  });
});
