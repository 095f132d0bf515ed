import { memoryStores } from '@shipworthy/adapters/memory';
import { DomainError, type StoresWithFeed } from '@shipworthy/domain';
import { expect } from 'chai';
import { measuredBacklog } from '../../src/observability/measured-deliveries.js';
import { createMetrics } from '../../src/observability/metrics.js';
import { silentLog } from '../../src/observability/silent-log.js';
import { startBacklog } from '../../src/work/backlog.js';
import { METRICS_TOKEN, startService } from '../harness/service.js';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stores whose database does not answer. */
const hanging = (): StoresWithFeed => {
  const never = new Proxy({}, { get: () => () => new Promise(() => undefined) });
  return new Proxy(memoryStores(), { get: (stores, name) => (name === 'feed' ? stores.feed : never) });
};

describe('reading what waits to be sent', () => {
  it('keeps the last reading while the database is away', async () => {
    const metrics = createMetrics();
    const stores = memoryStores();
    let away = false;
    let asked = 0;
    const backlog = async () => {
      asked += 1;
      if (away) throw new DomainError('unavailable', 'The database is away.');
      return { pending: 3, oldestAt: null };
    };
    const webhooks = { ...stores.webhooks, backlog };
    const loop = startBacklog({ stores: { ...stores, webhooks } }, measuredBacklog(metrics, Date.now), silentLog, 1);
    while (asked < 2) await pause(2);
    away = true;
    const before = asked;
    while (asked < before + 3) await pause(2);
    expect(metrics.text()).to.contain('\nshipworthy_webhook_deliveries_pending 3\n');
    await loop.stop();
    metrics.stop();
  });

  it('makes neither the metrics nor the sign of life wait for a database that does not answer', async () => {
    const service = await startService({ stores: hanging(), close: async () => undefined });
    try {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const answers = await Promise.all([
        fetch(`${service.baseUrl}/metrics`, { headers }),
        fetch(`${service.baseUrl}/livez`),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      const text = await answers[0].text();
      expect(text).to.contain('# TYPE shipworthy_webhook_deliveries_pending gauge\n');
      expect(text).not.to.match(/^shipworthy_webhook_deliveries_pending /m);
      await answers[1].text();
    } finally {
      // Its background work waits for the database for ever, as would an end that waits for it.
      void service.close();
    }
  });
});
