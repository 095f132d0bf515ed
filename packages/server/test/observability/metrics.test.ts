import type { ReportEntry, ReportOutcome } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { measuredReceipts, measuredReportQueue, measuredReportStore } from '../../src/observability/measured-ports.js';
import { createMetrics, type Metrics } from '../../src/observability/metrics.js';

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
