import { reportQueue } from '@shipworthy/adapters/group-commit';
import { memoryStores } from '@shipworthy/adapters/memory';
import type { ReportEntry, ReportStore } from '@shipworthy/domain';
import { expect } from 'chai';
import { sampleDeployment } from '../contract/sample-records.js';
import { storedProject } from '../contract/sample-world.js';

describe('reportQueue', () => {
  it('stores what comes together together, and answers each entry after its commit', async () => {
    const stores = memoryStores();
    const { project } = await storedProject(stores);
    const sizes: number[] = [];
    const store: ReportStore = {
      record: (entries) => {
        sizes.push(entries.length);
        return stores.reports.record(entries);
      },
    };
    const queue = reportQueue(store);
    const deployments = Array.from({ length: 50 }, () => sampleDeployment(project.id));
    const submit = async (entry: ReportEntry & { kind: 'deployment' }) => {
      const outcome = await queue.submit(entry);
      expect(await stores.deployments.byIds([entry.deployment.id])).to.deep.equal([entry.deployment]);
      return outcome.result;
    };
    const results = deployments.map((deployment) => submit({ kind: 'deployment', deployment, remember: null }));
    expect(new Set(await Promise.all(results))).to.deep.equal(new Set(['created']));
    expect(sizes).to.deep.equal([50]);
  });

  it('waits for all answers when it drains', async () => {
    const stores = memoryStores();
    const { project } = await storedProject(stores);
    const queue = reportQueue(stores.reports, { maxItems: 3 });
    const deployments = Array.from({ length: 10 }, () => sampleDeployment(project.id));
    for (const deployment of deployments) void queue.submit({ kind: 'deployment', deployment, remember: null });
    await queue.drain();
    const found = await stores.deployments.byIds(deployments.map(({ id }) => id));
    expect(found).to.deep.equal(deployments);
  });
});
