import { expect } from 'chai';
import { deploymentPrefix, externalName, hostIdIn, testRunName } from '../../src/repository/external-names.js';

describe('Names of imported records', () => {
  it('say the host, what it is, and the id there', () => {
    expect(externalName('github', 'I_1')).to.equal('github:I_1');
    expect(`${deploymentPrefix('github')}7`).to.equal('github:deployment:7');
    expect(testRunName('github', 'checks', 'a1')).to.equal('github:checks:a1');
    expect(testRunName('github', 'workflows', '9')).to.equal('github:workflows:9');
  });
  it('give the id back', () => {
    expect(hostIdIn('github:I_1', 'github:')).to.equal('I_1');
    expect(hostIdIn('gitlab:I_1', 'github:')).to.equal(null);
    expect(hostIdIn(null, 'github:')).to.equal(null);
  });
});
