import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Upper ends of the duration buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const;

interface Series {
  readonly counts: number[];
  readonly byStatus: Map<number, number>;
  sum: number;
  total: number;
}

/** A number read when the metrics are; null: it is not known, and left out. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  read(): number | null;
}

/** Counts of this process in the Prometheus text format. */
export interface Metrics {
  request(operation: string, status: number, milliseconds: number): void;
  /** Adds a number that is asked for at each reading. */
  add(gauge: Gauge): void;
  /** Adds a count; answers what adds to it. */
  counter(name: string, help: string): (by?: number) => void;
  /** Adds a count that is kept apart by the values of these labels, which are few; answers what adds one. */
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
