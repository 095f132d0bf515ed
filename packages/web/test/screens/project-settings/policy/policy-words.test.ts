import { expect } from 'chai';
import { differencesOf } from '../../../../src/screens/project-settings/policy/policy-words.js';
import { POLICY } from './sample-policy.js';

describe('differencesOf', () => {
  it('is empty between a policy and itself, whatever the version and the order of axes', () => {
    expect(differencesOf(POLICY, { ...POLICY, version: 8, required_axes: ['ops', 'scope'] })).to.deep.equal([]);
  });

  it('names what is different, as it is in the first and in the second', () => {
    const other = {
      ...POLICY,
      threshold: 80,
      environments: null,
      freshness_hours: 1,
      minimums: { ...POLICY.minimums, ops: 50 },
      required_axes: [],
      verification: 'latest_per_suite',
    } as const;
    expect(differencesOf(POLICY, other)).to.deep.equal([
      { title: 'Score at least', first: '82.5', second: '80' },
      { title: 'Ops, at least', first: '100', second: '50' },
      { title: 'Must be measured', first: 'Scope, Ops', second: 'none' },
      { title: 'Environments that count', first: 'production', second: 'all' },
      { title: 'Test run', first: 'The latest run', second: 'The latest run of each suite, added up' },
      { title: 'Test run not older than', first: 'any age', second: '1 hour' },
    ]);
  });
});
