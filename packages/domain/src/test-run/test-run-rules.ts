import type { Fault } from '../errors.js';
import { ALLOWED_CLOCK_LEAD, type Instant } from '../instant.js';
import type { RunOrder } from './test-run.js';

/** What a report of a test run must get right. */
export interface ReportedRun {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly ranAt: Instant | null;
}

/** Everything wrong with the reported run; empty when nothing is. */
export const runFaults = ({ total, passed, failed, ranAt }: ReportedRun, now: Instant): readonly Fault[] => {
  const faults: Fault[] = [];
  if (total < 1)
    faults.push({
      pointer: '/total',
      code: 'nothing-ran',
      message: 'total is at least 1: a run of no test verifies nothing.',
    });
  if (passed + failed > total)
    faults.push({ pointer: '/total', code: 'sum-exceeds-total', message: 'passed and failed together exceed total.' });
  if (ranAt !== null && ranAt > now + ALLOWED_CLOCK_LEAD)
    faults.push({
      pointer: '/ran_at',
      code: 'in-future',
      message: "ran_at lies more than 5 minutes ahead of the service's clock.",
    });
  return faults;
};

/** Whether `a` is a later run than `b`: by ranAt, then recordedAt, then id. A run is not later than itself. */
export const isLater = (a: RunOrder, b: RunOrder): boolean =>
  a.ranAt !== b.ranAt ? a.ranAt > b.ranAt : a.recordedAt !== b.recordedAt ? a.recordedAt > b.recordedAt : a.id > b.id;
