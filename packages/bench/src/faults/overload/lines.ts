import { type FaultLine, holds, tookAtMost } from '../fault-programme.js';
import type { FloodResult } from './flood-order.js';
import type { Seen } from './watch.js';

const ALLOWED: ReadonlySet<string> = new Set(['200', '201', '429', '503']);

/** What the chart and the page on deploying let an instance have. */
export const MOST_MEMORY_MB = 512;

const counted = (answers: Readonly<Record<number, number>>): string =>
  Object.entries(answers)
    .map(([status, count]) => `${count} x ${status === '0' ? 'none' : status}`)
    .join(', ') || 'none';

/** Everybody was answered, with what was asked for or with when to come again. */
export const floodLine = (what: string, result: FloodResult, asked: number): FaultLine => {
  const { answers, withoutRetryAfter, breaks, unanswered, sent, unsent } = result;
  const odd = Object.keys(answers).filter((status) => !ALLOWED.has(status));
  const rest = unsent > 0 ? `; ${unsent} more were due, with every connection taken` : '';
  const broken = Object.values(breaks).reduce((sum, count) => sum + count, 0);
  const silent = broken + unanswered;
  const measured = `${sent} sent (${Math.round(asked).toLocaleString('en-US')}/s due): ${counted(answers)}, ${silent} without answer${silent === 0 ? '' : ` (${[...Object.keys(breaks), ...(unanswered > 0 ? ['too late'] : [])].join(', ')})`}${rest}`;
  const met = odd.length === 0 && withoutRetryAfter === 0 && silent === 0;
  return holds(what, measured, '2xx, or 429 or 503 with Retry-After; none without answer', met);
};

/** The other one was served all the while. */
export const seenLine = (what: string, { answers, asked, p50, p99, longest }: Seen): FaultLine => {
  const served = answers[200] ?? 0;
  const times = `median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
  return holds(what, `${counted(answers)}; ${times}`, 'all 200', served === asked);
};

/** How much memory it took. */
export const memoryLines = (what: string, peak: number | null): readonly FaultLine[] =>
  peak === null ? [] : [holds(what, `${Math.round(peak)} MB`, `<= ${MOST_MEMORY_MB} MB`, peak <= MOST_MEMORY_MB)];

/** Back at nine tenths of what it carried before, so soon. */
export const recoveryLine = (what: string, milliseconds: number): FaultLine =>
  tookAtMost(`${what}: until nine tenths of the load of before are carried again`, milliseconds, 10_000);
