import { quantile } from '../figures.js';
import { countWords } from '../page/table.js';
import { type BenchProject, readinessPath } from '../subject/project.js';
import { type FaultLine, holds, tookAtMost } from './fault-programme.js';
import type { FloodResult } from './flood.js';

/** The answers to requests at a steady rate, each over a free connection or a new one. */
export interface WatchResult {
  readonly asked: number;
  /** Answers by status; 0 means no answer. */
  readonly answers: Readonly<Record<number, number>>;
  /** Milliseconds to an answer of 2xx. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Watch {
  /** Ends the watch, waits for the requests under way, and returns what was seen. */
  end(): Promise<WatchResult>;
}

const READS_PER_SECOND = 20;
const PATIENCE_MS = 30_000;

/** Reads a project's report 20 times a second, whether the answers before are there or not. */
export const watchReport = (port: number, project: BenchProject, key: string): Watch => {
  const url = `http://127.0.0.1:${port}${readinessPath(project)}`;
  const headers = { authorization: `Bearer ${key}` };
  const answers: Record<number, number> = {};
  const took: number[] = [];
  const underWay = new Set<Promise<void>>();
  const ask = async (): Promise<void> => {
    const begin = performance.now();
    const status = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    answers[status] = (answers[status] ?? 0) + 1;
    if (status >= 200 && status < 300) took.push(performance.now() - begin);
  };
  const timer = setInterval(() => {
    const asking: Promise<void> = ask().finally(() => underWay.delete(asking));
    underWay.add(asking);
  }, 1_000 / READS_PER_SECOND);
  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
      const longest = took.reduce((most, ms) => Math.max(most, ms), 0);
      return { asked, answers, p50: quantile(took, 0.5), p99: quantile(took, 0.99), longest };
    },
  };
};

const ALLOWED: ReadonlySet<string> = new Set(['200', '201', '429', '503']);

/** The memory limit of an instance in the chart and in the documentation. */
const MOST_MEMORY_MB = 512;

const counted = (answers: Readonly<Record<number, number>>): string =>
  Object.entries(answers)
    .map(([status, count]) => `${count} x ${status === '0' ? 'none' : status}`)
    .join(', ') || 'none';

const isOdd = (status: string): boolean => !ALLOWED.has(status);

/** Lines on whether every request was answered in time, with its result or with when to try again. */
export const floodLines = (what: string, result: FloodResult, asked: number): readonly FaultLine[] => {
  const { answers, withoutRetryAfter, breaks, unanswered, sent, unsent } = result;
  const due = `${countWords(asked)}/s due`;
  const rest = unsent > 0 ? `; ${unsent} more were due, with every connection taken` : '';
  const broken = Object.entries(breaks).map(([why, count]) => `; ${count} x ${why}`);
  const met = !Object.keys(answers).some(isOdd) && withoutRetryAfter === 0 && broken.length === 0;
  const late = { measured: `${unanswered} of ${sent}`, aim: 'none', met: unanswered === 0, timed: true };
  return [
    holds(
      what,
      `${sent} sent (${due}): ${counted(answers)}${broken.join('')}${rest}`,
      '2xx, or 429 or 503 with Retry-After',
      met,
    ),
    { what: `${what}: not answered within 20 s`, ...late },
  ];
};

/** Lines on whether the other caller was always answered, and served; a slow machine may tell it to come again. */
export const seenLines = (what: string, { answers, asked, p50, p99, longest }: WatchResult): readonly FaultLine[] => {
  const served = answers[200] ?? 0;
  const times = `median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
  return [
    holds(what, counted(answers), '200, or 429 or 503', !Object.keys(answers).some(isOdd)),
    {
      what: `${what}, served`,
      measured: `${served} of ${asked}; ${times}`,
      aim: 'all',
      met: served === asked,
      timed: true,
    },
  ];
};

/** A line on the most memory that the server took, in MB; none where that is not known. */
export const memoryLines = (what: string, peak: number | null): readonly FaultLine[] =>
  peak === null ? [] : [holds(what, `${Math.round(peak)} MB`, `<= ${MOST_MEMORY_MB} MB`, peak <= MOST_MEMORY_MB)];

/** A line on how soon the server carried nine tenths of its former load again. */
export const recoveryLine = (what: string, milliseconds: number): FaultLine =>
  tookAtMost(`${what}: until nine tenths of the load of before are carried again`, milliseconds, 10_000);
