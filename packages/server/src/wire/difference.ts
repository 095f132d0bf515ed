import type { Difference, MovingRecord } from '@shipworthy/client/contract';
import type { KnownReport, Move, ReleaseDifference } from '@shipworthy/domain';
import { wireReason } from './gate.js';
import { wireMoment } from './moment.js';

const wireReading = ({ report: { asOf, score, coverage, gate } }: KnownReport): Difference['from'] => ({
  as_of: wireMoment(asOf),
  score,
  coverage,
  decision: gate.decision,
});

/** A record that moved a report. */
const wireMove = ({ kind, id, at, what, axes, title }: Move): MovingRecord => ({
  kind,
  id,
  at: wireMoment(at),
  what: [...what],
  axes: [...axes],
  ...(title === null ? {} : { title }),
});

/** What changed in a release's report between two moments, and one page of what moved it. */
export const wireDifference = (
  { from, to, axes, reasons, records, recordCount }: Omit<ReleaseDifference, 'next'>,
  next: string | null,
): Difference => ({
  from: wireReading(from),
  to: wireReading(to),
  axes: axes.map(({ axis, before, after }) => ({ axis, before: { ...before }, after: { ...after } })),
  reasons: { gone: reasons.gone.map(wireReason), come: reasons.come.map(wireReason) },
  record_count: recordCount,
  data: records.map(wireMove),
  next_cursor: next,
});
