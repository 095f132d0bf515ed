import { DomainError, type HostReading, type RepositoryHost } from '@shipworthy/domain';
import { expect } from 'chai';
import { measuredHost } from '../../src/observability/measured-host.js';
import { createMetrics } from '../../src/observability/metrics.js';
import { createTestHost, SHOP } from '../harness/test-host.js';

const ACCESS = { ownerId: 'u', grant: { sealed: 's', expiresAt: null }, deadline: 0 };
const ALL = { since: null, page: null, validator: null };

describe('measuredHost', () => {
  it('hands everything through, and counts what was asked and what came of it', async () => {
    const forge = createTestHost();
    const metrics = createMetrics();
    const budget = { limit: 5000, remaining: 1250, resetAt: 0 };
    const unchanged: HostReading<never> = { unchanged: true, budget };
    const repositories: RepositoryHost = { ...forge.host.repositories, issues: async () => unchanged };
    const host = measuredHost({ ...forge.host, repositories }, metrics);
    const sample = (name: string) => Number(new RegExp(`^shipworthy_${name} (\\S+)$`, 'm').exec(metrics.text())?.[1]);
    expect(sample('host_budget_left_ratio')).to.equal(1);

    const { repositories: reads } = host;
    expect(await reads.account(ACCESS)).to.deep.equal({ id: 'U_1', name: 'ada-at-forge' });
    expect(await reads.repository(ACCESS, SHOP.path)).to.equal(SHOP);
    expect(await reads.issues(ACCESS, SHOP, ALL)).to.equal(unchanged);
    expect((await reads.milestones(ACCESS, SHOP, ALL)).unchanged).to.equal(false);
    await reads.issuesById(ACCESS, SHOP, []);
    await reads.deployments(ACCESS, SHOP, ALL);
    await reads.deploymentsById(ACCESS, SHOP, []);
    await reads.testRuns(ACCESS, SHOP, 'checks', ALL);
    const search = { text: null, limit: 10, page: null };
    expect((await reads.repositories(ACCESS, search)).rows).to.have.length(2);
    expect(sample('host_readings_total')).to.equal(9);
    expect(sample('host_readings_unchanged_total')).to.equal(3);
    expect(sample('host_budget_left_ratio')).to.equal(0.25);

    for (const code of ['host-unavailable', 'host-rejected', 'host-rejected', 'not-found'] as const) {
      const failure = new DomainError(code, 'It failed.');
      forge.fail(failure);
      expect(await reads.account(ACCESS).catch((error) => error)).to.equal(failure);
    }
    expect(sample('host_unavailable_total')).to.equal(1);
    expect(sample('host_rejected_total')).to.equal(2);
    expect(sample('host_readings_total')).to.equal(13);
    metrics.stop();
  });
});
