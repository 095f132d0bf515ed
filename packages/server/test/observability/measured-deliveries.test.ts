import type { HookAnswer } from '@shipworthy/domain';
import { expect } from 'chai';
import { measuredBacklog, measuredDeliveries } from '../../src/observability/measured-deliveries.js';
import { createMetrics, type Metrics } from '../../src/observability/metrics.js';

describe('the metrics of webhooks', () => {
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics();
  });
  afterEach(() => metrics.stop());
  const samples = (): readonly string[] =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('shipworthy_webhook'));

  it('count tries by what came of them, deliveries by their end, and who was given up', () => {
    const log = measuredDeliveries(metrics);
    const answer = (given: Partial<HookAnswer>): HookAnswer => ({
      ms: 1,
      status: null,
      failure: null,
      retryAfterMs: null,
      ...given,
    });
    for (const status of [200, 204, 301, 404, 410, 503]) log.tried(answer({ status }));
    log.tried(answer({ failure: 'timeout' }));
    log.ended('delivered');
    log.ended('delivered');
    log.ended('failed');
    log.disabled('failing');
    expect(samples()).to.have.members([
      'shipworthy_webhook_attempts_total{outcome="delivered"} 2',
      'shipworthy_webhook_attempts_total{outcome="status_3xx"} 1',
      'shipworthy_webhook_attempts_total{outcome="status_4xx"} 2',
      'shipworthy_webhook_attempts_total{outcome="status_5xx"} 1',
      'shipworthy_webhook_attempts_total{outcome="timeout"} 1',
      'shipworthy_webhook_delivered_total 2',
      'shipworthy_webhook_given_up_total 1',
      'shipworthy_webhooks_disabled_total{reason="failing"} 1',
    ]);
  });

  it('tell what waits as it was read last and how long ago, and nothing before', () => {
    let now = 100_000;
    const note = measuredBacklog(metrics, () => now);
    expect(samples()).to.deep.equal([]);
    expect(metrics.text()).to.contain('# TYPE shipworthy_webhook_deliveries_pending gauge\n');
    note({ pending: 7, oldestAt: 40_000 });
    now += 90_500;
    expect(samples()).to.deep.equal([
      'shipworthy_webhook_deliveries_pending 7',
      'shipworthy_webhook_oldest_pending_age_seconds 60',
      'shipworthy_webhook_backlog_reading_age_seconds 90.5',
    ]);
    note({ pending: 0, oldestAt: null });
    expect(samples()).to.deep.equal([
      'shipworthy_webhook_deliveries_pending 0',
      'shipworthy_webhook_oldest_pending_age_seconds 0',
      'shipworthy_webhook_backlog_reading_age_seconds 0',
    ]);
  });
});
