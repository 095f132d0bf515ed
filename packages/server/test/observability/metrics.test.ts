import type { ReadReplica, ReplicaListener } from '@shipworthy/adapters/knex';
import { memoryStores } from '@shipworthy/adapters/memory';
import { DomainError } from '@shipworthy/domain';
import type { HostReading, ReportEntry, ReportOutcome, RepositoryHost, WebhookAnswer } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { createLog } from '../../src/observability/log.js';
import {
  countedRemovals,
  createMetrics,
  type Metrics,
  measuredBacklog,
  measuredDeliveries,
  measuredHost,
  measuredReceipts,
  measuredReportQueue,
  measuredReportStore,
  measureReplica,
} from '../../src/observability/metrics.js';
import { createTestHost, SHOP } from '../harness/test-host.js';

describe('createMetrics', () => {
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics();
  });
  afterEach(() => metrics.stop());

  const value = (name: string): number => {
    const line = metrics
      .text()
      .split('\n')
      .find((each) => each.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  };

  it('counts requests by operation and status, and their durations in growing buckets', () => {
    metrics.request('readGate', 200, 4);
    metrics.request('readGate', 200, 40);
    metrics.request('readGate', 304, 99_000);
    const labels = 'operation="readGate"';
    expect(value(`shipworthy_requests_total{${labels},status="200"}`)).to.equal(2);
    expect(value(`shipworthy_requests_total{${labels},status="304"}`)).to.equal(1);
    const bucket = (end: string) =>
      value(`shipworthy_request_duration_seconds_bucket{operation="readGate",le="${end}"}`);
    expect([bucket('0.0025'), bucket('0.005'), bucket('0.05'), bucket('15'), bucket('+Inf')]).to.deep.equal([
      0, 1, 2, 2, 3,
    ]);
    expect(value('shipworthy_request_duration_seconds_sum{operation="readGate"}')).to.be.closeTo(99.044, 1e-9);
  });

  it('is well-formed: every sample has its help and type before it', () => {
    metrics.request('a', 200, 1);
    metrics.counter('things_total', 'Things.')(3);
    metrics.labelled('kinds_total', 'Kinds.', ['kind'])('one');
    const typed = new Set<string>();
    for (const line of metrics.text().trimEnd().split('\n')) {
      const [, name = ''] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
      if (name !== '') typed.add(name);
      if (line.startsWith('#')) continue;
      const [, sample = ''] = /^(\w+)(?:\{[^}]*\})? [-\d.e+]+$/.exec(line) ?? [];
      expect(typed.has(sample.replace(/_(bucket|sum|count)$/, '')) || typed.has(sample), line).to.equal(true);
    }
    expect(value('shipworthy_things_total')).to.equal(3);
    expect(value('process_resident_memory_bytes')).to.be.above(1e6);
  });

  it('counts what is not counted apart by kind and reason', () => {
    const { notCounted } = measuredReceipts(metrics);
    const name = 'shipworthy_reports_not_counted_total';
    expect(metrics.text()).to.contain(`# TYPE ${name} counter\n`);
    notCounted('deployment', 'still_in_progress');
    notCounted('deployment', 'no_release_window');
    notCounted('deployment', 'no_release_window');
    notCounted('test_run', 'superseded_by_newer_run');
    expect(value(`${name}{kind="deployment",reason="still_in_progress"}`)).to.equal(1);
    expect(value(`${name}{kind="deployment",reason="no_release_window"}`)).to.equal(2);
    expect(value(`${name}{kind="test_run",reason="superseded_by_newer_run"}`)).to.equal(1);
  });

  it('measures groups of reports and the queue before them', async () => {
    const entry = {} as ReportEntry;
    const created: ReportOutcome = { result: 'created' };
    const store = measuredReportStore({ record: async (entries) => entries.map(() => created) }, metrics);
    await store.record([entry, entry, entry]);
    await store.record([entry]);
    expect(value('shipworthy_report_groups_total')).to.equal(2);
    expect(value('shipworthy_grouped_reports_total')).to.equal(4);
    let answer: (outcome: ReportOutcome) => void = () => undefined;
    const queue = measuredReportQueue({ submit: () => new Promise((resolve) => (answer = resolve)) }, metrics);
    const submitted = queue.submit(entry);
    expect(value('shipworthy_report_queue_depth')).to.equal(1);
    answer(created);
    expect(await submitted).to.equal(created);
    expect(value('shipworthy_report_queue_depth')).to.equal(0);
  });
});

describe('countedRemovals', () => {
  it('adds up what was removed, each kind by itself', () => {
    const metrics = createMetrics();
    try {
      const note = countedRemovals(metrics);
      expect(metrics.text()).to.contain('shipworthy_removed_deployments_total 0\n');
      note({ deployments: 5, testRuns: 0, axisReports: 0 });
      note({ deployments: 2, testRuns: 3, axisReports: 4 });
      expect(metrics.text()).to.contain('shipworthy_removed_deployments_total 7\n');
      expect(metrics.text()).to.contain('shipworthy_removed_test_runs_total 3\n');
      expect(metrics.text()).to.contain('shipworthy_removed_axis_reports_total 4\n');
    } finally {
      metrics.stop();
    }
  });
});

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

  it('count tries by outcome, deliveries by their end, and disabled webhooks', () => {
    const log = measuredDeliveries(metrics);
    const answer = (given: Partial<WebhookAnswer>): WebhookAnswer => ({
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

const ACCESS = { ownerId: 'u', grant: { sealed: 's', expiresAt: null }, deadline: 0 };
const ALL = { since: null, page: null, validator: null };

describe('measuredHost', () => {
  it('hands everything through, and counts what was asked and what came of it', async () => {
    const forge = createTestHost();
    const metrics = createMetrics();
    const budget = { limit: 5000, remaining: 1250, resetAt: 0 };
    const unchanged: HostReading<never> = { unchanged: true, budget };
    const byId = { rows: [], budget: { ...budget, remaining: 2500 } };
    const reader: RepositoryHost = {
      ...forge.host.reader,
      issues: async () => unchanged,
      issuesById: async () => byId,
    };
    const host = measuredHost({ ...forge.host, reader }, metrics);
    const sample = (name: string) => Number(new RegExp(`^shipworthy_${name} (\\S+)$`, 'm').exec(metrics.text())?.[1]);
    expect(sample('host_budget_left_ratio')).to.equal(1);

    const { reader: reads } = host;
    expect(await reads.account(ACCESS)).to.deep.equal({ id: 'U_1', name: 'ada-at-forge' });
    expect(await reads.repository(ACCESS, SHOP.path)).to.equal(SHOP);
    expect(await reads.issues(ACCESS, SHOP, ALL)).to.equal(unchanged);
    expect((await reads.milestones(ACCESS, SHOP, ALL)).unchanged).to.equal(false);
    expect(sample('host_budget_left_ratio')).to.equal(0.25);
    expect(await reads.issuesById(ACCESS, SHOP, [])).to.equal(byId);
    await reads.deployments(ACCESS, SHOP, ALL);
    await reads.deploymentsById(ACCESS, SHOP, []);
    await reads.testRuns(ACCESS, SHOP, 'checks', ALL);
    const search = { text: null, limit: 10, page: null };
    expect((await reads.repositories(ACCESS, search)).rows).to.have.length(2);
    expect(sample('host_readings_total')).to.equal(9);
    expect(sample('host_readings_unchanged_total')).to.equal(3);
    expect(sample('host_budget_left_ratio')).to.equal(0.5);

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
