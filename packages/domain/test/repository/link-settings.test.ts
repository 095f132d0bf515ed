import { expect } from 'chai';
import { linkFaults } from '../../src/repository/link-faults.js';
import { DEFAULT_MAPPING } from '../../src/repository/link-settings.js';
import type { IssueMapping } from '../../src/repository/repository-link.js';

const lists = Object.entries(DEFAULT_MAPPING) as readonly [keyof IssueMapping, readonly string[]][];

describe('the default mapping', () => {
  it('knows the usual names', () => {
    for (const name of ['bug', 'defect', 'regression', 'type: bug', 'type/bug', 'kind/bug', 'type::bug'])
      expect(DEFAULT_MAPPING.bug).to.include(name);
    for (const name of ['critical', 'blocker', 'p0', 'severity: critical', 'priority: critical', 'severity::1'])
      expect(DEFAULT_MAPPING.critical).to.include(name);
    expect(DEFAULT_MAPPING.feature).to.include.members(['feature', 'enhancement']);
    expect(DEFAULT_MAPPING.chore).to.include('chore');
    expect(DEFAULT_MAPPING.inProgress).to.include.members(['in progress', 'status: in progress']);
  });
  it('gives each name one meaning, in lower case', () => {
    const names = lists.flatMap(([, list]) => list);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.deep.equal(names.map((name) => name.toLowerCase()));
  });
  it('could be asked for as it is', () => {
    const nothing = { deployments: false, testRuns: [] };
    const filter = { labels: [], pathPrefix: null };
    const settings = {
      filter,
      mapping: DEFAULT_MAPPING,
      milestones: 'none',
      deployments: false,
      testRuns: 'none',
    } as const;
    expect(linkFaults(settings, nothing)).to.deep.equal([]);
  });
});
