import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { ReadReplica, ReplicaRead } from '@shipworthy/adapters/knex';
import { type Backlog, DomainError } from '@shipworthy/domain';
import type {
  Clock,
  ConfiguredHost,
  DeliveryLog,
  HostBudget,
  ReceiptLog,
  ReportQueue,
  ReportStore,
  RepositoryHost,
  WebhookAnswer,
} from '@shipworthy/domain/ports';
import type { RemovedCount } from '@shipworthy/domain/use-cases';
import type { Log } from './log.js';

/** Upper ends of the duration buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const;

interface Series {
  readonly counts: number[];
  readonly byStatus: Map<number, number>;
  sum: number;
  total: number;
}

/** A number that is read with the metrics; null: it is not known, and is left out. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  read(): number | null;
}

/** Counts of this process in the Prometheus text format. */
export interface Metrics {
  request(operation: string, status: number, milliseconds: number): void;
  /** Adds a number that is read anew each time the metrics are. */
  add(gauge: Gauge): void;
  /** Adds a count; returns the function that adds to it, 1 unless given. */
  counter(name: string, help: string): (by?: number) => void;
  /** Adds a count for each combination of values of these few labels; returns the function that adds 1. */
  labelled(name: string, help: string, labels: readonly string[]): (...values: readonly string[]) => void;
  /** Text exposition format 0.0.4. */
  text(): string;
  stop(): void;
}

const NAMESPACE = 'shipworthy';
const NANO = 1e9;

const processGauges = (lag: IntervalHistogram): readonly Gauge[] => [
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    type: 'gauge',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system time.',
    type: 'counter',
    read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  { name: 'process_uptime_seconds', help: 'Since the process started.', type: 'gauge', read: () => process.uptime() },
  {
    name: 'nodejs_heap_used_bytes',
    help: 'Heap in use.',
    type: 'gauge',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'Delay of the event loop, 99th percentile since the last reading.',
    type: 'gauge',
    read: () => {
      const seconds = lag.percentile(99) / NANO;
      lag.reset();
      return Number.isFinite(seconds) ? seconds : 0;
    },
  },
];

const header = (name: string, help: string, type: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

export const createMetrics = (): Metrics => {
  const seriesOf = new Map<string, Series>();
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const families: (() => string)[] = [];
  const gauges: Gauge[] = [...processGauges(lag)];

  const series = (operation: string): Series => {
    const known = seriesOf.get(operation);
    if (known !== undefined) return known;
    const fresh: Series = { counts: BUCKETS.map(() => 0), byStatus: new Map(), sum: 0, total: 0 };
    seriesOf.set(operation, fresh);
    return fresh;
  };

  const requestLines = (): string => {
    const name = `${NAMESPACE}_requests_total`;
    let text = header(name, 'Requests answered, by operation and status.', 'counter');
    for (const [operation, { byStatus }] of seriesOf)
      for (const [status, count] of byStatus) text += `${name}{operation="${operation}",status="${status}"} ${count}\n`;
    return text;
  };

  const durationLines = (): string => {
    const name = `${NAMESPACE}_request_duration_seconds`;
    let text = header(name, 'Time to the answer, by operation.', 'histogram');
    for (const [operation, { counts, sum, total }] of seriesOf) {
      let below = 0;
      for (const [index, end] of BUCKETS.entries()) {
        below += counts[index] ?? 0;
        text += `${name}_bucket{operation="${operation}",le="${end}"} ${below}\n`;
      }
      text += `${name}_bucket{operation="${operation}",le="+Inf"} ${total}\n`;
      text += `${name}_sum{operation="${operation}"} ${sum}\n${name}_count{operation="${operation}"} ${total}\n`;
    }
    return text;
  };

  return {
    request(operation, status, milliseconds) {
      const kept = series(operation);
      const { counts, byStatus } = kept;
      const seconds = milliseconds / 1000;
      kept.sum += seconds;
      kept.total += 1;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      const bucket = BUCKETS.findIndex((end) => seconds <= end);
      if (bucket >= 0) counts[bucket] = (counts[bucket] ?? 0) + 1;
    },
    add: (gauge) => void gauges.push(gauge),
    counter(name, help) {
      let count = 0;
      gauges.push({ name, help, type: 'counter', read: () => count });
      return (by = 1) => {
        count += by;
      };
    },
    labelled(name, help, labels) {
      const counts = new Map<string, number>();
      const full = `${NAMESPACE}_${name}`;
      families.push(() => {
        const lines = [...counts].map(([sample, count]) => `${full}{${sample}} ${count}\n`);
        return header(full, help, 'counter') + lines.join('');
      });
      return (...values) => {
        const sample = labels.map((label, index) => `${label}="${values[index] ?? ''}"`).join(',');
        counts.set(sample, (counts.get(sample) ?? 0) + 1);
      };
    },
    text() {
      let text = requestLines() + durationLines();
      for (const family of families) text += family();
      for (const gauge of gauges) {
        const full = /^(process|nodejs)_/.test(gauge.name) ? gauge.name : `${NAMESPACE}_${gauge.name}`;
        const value = gauge.read();
        text += header(full, gauge.help, gauge.type) + (value === null ? '' : `${full} ${value}\n`);
      }
      return text;
    },
    stop: () => lag.disable(),
  };
};

/** Counts the records that this instance removes because they are older than they are kept. */
export const countedRemovals = (metrics: Metrics): ((removed: RemovedCount) => void) => {
  const count = (kind: string) =>
    metrics.counter(`removed_${kind}_total`, `Removed by this instance because they were older than they are kept.`);
  const [deployments, testRuns, axisReports] = [count('deployments'), count('test_runs'), count('axis_reports')];
  return (removed) => {
    deployments(removed.deployments);
    testRuns(removed.testRuns);
    axisReports(removed.axisReports);
  };
};

/** The label of a try's outcome: `delivered`, the class of another status, or the failure. */
const outcomeOf = ({ status, failure }: WebhookAnswer): string => {
  if (status === null) return failure ?? 'cut';
  return status >= 200 && status <= 299 ? 'delivered' : `status_${Math.floor(status / 100)}xx`;
};

/** Counts the messages of this instance to webhooks by outcome, deliveries by their end, and disabled webhooks. */
export const measuredDeliveries = (metrics: Metrics): DeliveryLog => {
  const tried = metrics.labelled('webhook_attempts_total', 'Tries to deliver an event to a webhook, by outcome.', [
    'outcome',
  ]);
  const delivered = metrics.counter('webhook_delivered_total', 'Deliveries that reached their webhook.');
  const givenUp = metrics.counter(
    'webhook_given_up_total',
    'Deliveries that were given up after all tries, or by a 410.',
  );
  const disabled = metrics.labelled(
    'webhooks_disabled_total',
    'Webhooks that the service disabled by itself, by reason.',
    ['reason'],
  );
  return {
    tried: (answer) => tried(outcomeOf(answer)),
    ended: (state) => (state === 'delivered' ? delivered() : givenUp()),
    disabled: (reason) => disabled(reason),
  };
};

/** Notes how much waits to be sent, in all instances together; the metrics show the last number and its age. */
export const measuredBacklog = (metrics: Metrics, clock: Clock): ((backlog: Backlog) => void) => {
  let last: (Backlog & { readonly at: number }) | null = null;
  const seconds = (milliseconds: number): number => Math.max(0, milliseconds) / 1000;
  metrics.add({
    name: 'webhook_deliveries_pending',
    help: 'Deliveries of enabled webhooks that are neither delivered nor given up, in all instances together.',
    type: 'gauge',
    read: () => last?.pending ?? null,
  });
  metrics.add({
    name: 'webhook_oldest_pending_age_seconds',
    help: 'Age of the oldest event among them; 0 while there is none.',
    type: 'gauge',
    read: () => last && (last.oldestAt === null ? 0 : seconds(last.at - last.oldestAt)),
  });
  metrics.add({
    name: 'webhook_backlog_reading_age_seconds',
    help: 'How long ago these two were read; they are left out until they were.',
    type: 'gauge',
    read: () => last && seconds(clock() - last.at),
  });
  return (backlog) => {
    last = { ...backlog, at: clock() };
  };
};

/** The repository host with its calls counted, and with a gauge of the budget it last reported. */
export const measuredHost = (host: ConfiguredHost, metrics: Metrics): ConfiguredHost => {
  const asked = metrics.counter('host_readings_total', 'Readings asked of the repository host.');
  const unchanged = metrics.counter('host_readings_unchanged_total', 'Of them those that nothing had changed for.');
  const unavailable = metrics.counter('host_unavailable_total', 'Of them those the host gave no answer to.');
  const refused = metrics.counter('host_rejected_total', 'Of them those whose grant the host refused.');
  let left = 1;
  metrics.add({
    name: 'host_budget_left_ratio',
    help: 'What the host still allows the connection read with last, of what it allows at all; 1 until it said so.',
    type: 'gauge',
    read: () => left,
  });

  const counted = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    asked();
    try {
      return await work;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'host-unavailable') unavailable();
      if (error instanceof DomainError && error.code === 'host-rejected') refused();
      throw error;
    }
  };
  const reading = async <Answer extends { readonly budget: HostBudget | null; readonly unchanged?: boolean }>(
    work: Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await counted(work);
    if (answer.unchanged === true) unchanged();
    if (answer.budget !== null && answer.budget.limit > 0) left = answer.budget.remaining / answer.budget.limit;
    return answer;
  };

  const { reader: all } = host;
  const reader: RepositoryHost = {
    account: (...given) => counted(all.account(...given)),
    mayWrite: (...given) => counted(all.mayWrite(...given)),
    repositories: (...given) => counted(all.repositories(...given)),
    repository: (...given) => counted(all.repository(...given)),
    milestones: (...given) => reading(all.milestones(...given)),
    issues: (...given) => reading(all.issues(...given)),
    issuesById: (...given) => reading(all.issuesById(...given)),
    deployments: (...given) => reading(all.deployments(...given)),
    deploymentsById: (...given) => reading(all.deploymentsById(...given)),
    testRuns: (...given) => reading(all.testRuns(...given)),
  };
  return { ...host, reader };
};

/** Counts what becomes of the reads a replica may answer, and notes in the log when it is given up and when it is back. */
export const measureReplica = (replica: ReadReplica, metrics: Metrics, log: Log): void => {
  const add = metrics.labelled(
    'replica_reads_total',
    'Reads that the replica may answer: replica, or answered by the primary and why.',
    ['result'],
  );
  metrics.add({
    name: 'replica_lag_seconds',
    help: 'Age of the newest change on the replica when it was last looked at; 0 when it missed nothing.',
    type: 'gauge',
    read: () => replica.behindSeconds,
  });
  replica.watch({
    read: (how: ReplicaRead) => add(how),
    changed: (cause) => {
      if (cause === null) log.info('replica is read again');
      else log.warn('replica is not read: the primary answers its reads', { cause });
    },
  });
};

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
