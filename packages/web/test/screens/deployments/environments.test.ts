import { expect } from 'chai';
import { environmentsOf } from '../../../src/screens/deployments/environments.js';

describe('the environments of deployments', () => {
  it('are counted, the busiest first, then by name', () => {
    const deployments = ['staging', 'production', 'staging', 'eu', 'production', 'staging', 'De'];
    expect(environmentsOf(deployments.map((environment) => ({ environment })))).to.deep.equal([
      { environment: 'staging', count: 3 },
      { environment: 'production', count: 2 },
      { environment: 'De', count: 1 },
      { environment: 'eu', count: 1 },
    ]);
  });
});
