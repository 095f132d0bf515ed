import { DEFAULT_POLICY } from '@shipworthy/domain';
import { expect } from 'chai';
import { policyOf, wirePolicy } from '../../src/wire/policy.js';

describe('policyOf', () => {
  it('reads back what wirePolicy wrote', () => {
    const policy = { ...DEFAULT_POLICY, environments: ['production'], freshnessHours: 12.5, maxOpenCriticalBugs: null };
    const written = wirePolicy({ policy, version: 3 });
    expect(written.version).to.equal(3);
    expect(policyOf(written)).to.deep.equal(policy);
    expect(policyOf(wirePolicy({ policy: DEFAULT_POLICY, version: 1 }))).to.deep.equal(DEFAULT_POLICY);
  });
});
