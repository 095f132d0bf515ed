import type { Difference } from '@shipworthy/client/contract';
import type { KnownReport, ReleaseDifference } from '@shipworthy/domain';
import { wireReason } from './gate.js';
import { wireMoment } from './moment.js';

const wireReading = ({ report: { asOf, score, coverage, gate } }: KnownReport): Difference['from'] => ({
  as_of: wireMoment(asOf),
  score,
  coverage,
  decision: gate.decision,
});

/** What changed in a release's report between two moments. */
export const wireDifference = ({ from, to, axes, reasons, records, recordCount }: ReleaseDifference): Difference => ({
  from: wireReading(from),
  to: wireReading(to),
  axes: axes.map(({ axis, before, after }) => ({ axis, before: { ...before }, after: { ...after } })),
  reasons: { gone: reasons.gone.map(wireReason), come: reasons.come.map(wireReason) },
  records: records.map(({ kind, id, at, title }) => ({
    kind,
    id,
    at: wireMoment(at),
    ...(title === null ? {} : { title }),
  })),
  record_count: recordCount,
});
