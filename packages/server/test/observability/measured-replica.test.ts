import type { ReadReplica, ReplicaListener } from '@shipworthy/adapters/knex';
import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { createLog } from '../../src/observability/log.js';
import { measureReplica } from '../../src/observability/measured-replica.js';
import { createMetrics, type Metrics } from '../../src/observability/metrics.js';

describe('the metrics of a replica', () => {
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics();
  });
  afterEach(() => metrics.stop());

  it('count its reads by what became of them, tell how far behind it is, and note when it is given up and back', async () => {
    const listeners: ReplicaListener[] = [];
    const replica: ReadReplica & { behindSeconds: number | null } = {
      stores: memoryStores(),
      behindSeconds: 0,
      watch: (listener) => void listeners.push(listener),
    };
    let text = '';
    const write = async (lines: string): Promise<void> => {
      text += lines;
    };
    const log = createLog('info', write, () => 0);
    measureReplica(replica, metrics, log);
    const samples = () =>
      metrics
        .text()
        .split('\n')
        .filter((line) => line.startsWith('shipworthy_replica'));

    const [listener] = listeners;
    for (const how of ['replica', 'replica', 'behind', 'resting'] as const) listener?.read(how);
    expect(samples()).to.have.members([
      'shipworthy_replica_reads_total{result="replica"} 2',
      'shipworthy_replica_reads_total{result="behind"} 1',
      'shipworthy_replica_reads_total{result="resting"} 1',
      'shipworthy_replica_lag_seconds 0',
    ]);
    replica.behindSeconds = null;
    expect(samples().join()).not.to.contain('lag_seconds');

    listener?.changed('behind');
    listener?.changed(null);
    await log.flush();
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).to.include({ level: 'warn', cause: 'behind' });
    expect(lines[1]).to.include({ level: 'info', message: 'replica is read again' });
  });
});
