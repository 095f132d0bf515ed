import type { ReceiptLog, ReportQueue, ReportStore } from '@shipworthy/domain';
import type { Metrics } from './metrics.js';

/** The store of reports, with its transactions and the reports in them counted: their ratio is the size of a group. */
export const measuredReportStore = (store: ReportStore, metrics: Metrics): ReportStore => {
  const transactions = metrics.counter('report_groups_total', 'Transactions that stored reports.');
  const reports = metrics.counter('grouped_reports_total', 'Reports stored in them.');
  let largest = 0;
  metrics.add({
    name: 'report_group_largest',
    help: 'Reports in the largest group since the last reading.',
    type: 'gauge',
    read: () => {
      const size = largest;
      largest = 0;
      return size;
    },
  });
  return {
    record: (entries) => {
      transactions();
      reports(entries.length);
      largest = Math.max(largest, entries.length);
      return store.record(entries);
    },
  };
};

/** The queue of reports, with what waits in it as a gauge. */
export const measuredReportQueue = (queue: ReportQueue, metrics: Metrics): ReportQueue => {
  let waiting = 0;
  metrics.add({
    name: 'report_queue_depth',
    help: 'Reports handed in and not answered yet.',
    type: 'gauge',
    read: () => waiting,
  });
  return {
    async submit(entry) {
      waiting += 1;
      try {
        return await queue.submit(entry);
      } finally {
        waiting -= 1;
      }
    },
  };
};

/** Counts the reports that were accepted and counted for no release then, by kind and reason. */
export const measuredReceipts = (metrics: Metrics): ReceiptLog => {
  const add = metrics.labelled(
    'reports_not_counted_total',
    'Reports accepted that counted for no release then, by kind and reason.',
    ['kind', 'reason'],
  );
  return { notCounted: (kind, reason) => add(kind, reason) };
};
