import type { Fault } from '../errors.js';
import type { Instant } from '../instant.js';
import type { ReleaseFacts, SourceFacts } from './facts.js';
import { MAX_COUNT } from './share.js';

const FIRST_MOMENT = -62_135_596_800_000;
const LAST_MOMENT = 253_402_300_799_999;

/** Collects every fault, each at its place in the facts' wire form. */
class Faults {
  readonly all: Fault[] = [];

  count(pointer: string, value: number): boolean {
    if (Number.isInteger(value) && value >= 0 && value <= MAX_COUNT) return true;
    this.all.push({ pointer, code: 'out_of_range', message: `A count must be a whole number from 0 to ${MAX_COUNT}` });
    return false;
  }

  moment(pointer: string, at: Instant): void {
    if (Number.isInteger(at) && at >= FIRST_MOMENT && at <= LAST_MOMENT) return;
    const message = 'A moment must be whole milliseconds since 1970, in the years 1 to 9999';
    this.all.push({ pointer, code: 'out_of_range', message });
  }

  span(pointer: string, ms: number): void {
    if (Number.isSafeInteger(ms) && ms >= 0) return;
    this.all.push({ pointer, code: 'out_of_range', message: 'A span of time must be whole milliseconds, 0 or more' });
  }

  flag(pointer: string, value: boolean): void {
    if (typeof value !== 'boolean')
      this.all.push({ pointer, code: 'out_of_range', message: 'It must be either true or false' });
  }

  atMost(pointer: string, value: number, most: number, message: string): void {
    if (value > most) this.all.push({ pointer, code: 'does_not_fit', message });
  }
}

const issueFaults = (faults: Faults, { scope, quality }: ReleaseFacts): void => {
  const { done, total } = scope;
  const { resolved, total: bugs, open } = quality;
  const counts = [
    faults.count('/scope/done', done),
    faults.count('/scope/total', total),
    faults.count('/quality/resolved', resolved),
    faults.count('/quality/total', bugs),
    faults.count('/quality/open/critical', open.critical),
    faults.count('/quality/open/major', open.major),
    faults.count('/quality/open/minor', open.minor),
    faults.count('/quality/open/unspecified', open.unspecified),
  ];
  if (counts.includes(false)) return;
  faults.atMost('/scope/done', done, total, 'No more issues can be done than there are');
  faults.atMost('/quality/resolved', resolved, bugs, 'No more bugs can be resolved than there are');
  faults.atMost('/quality/total', bugs, total, 'Bugs are issues: there cannot be more of them');
  faults.atMost('/quality/resolved', resolved, done, 'Resolved bugs are done issues: there cannot be more of them');
  faults.atMost('/quality', bugs - resolved, total - done, 'Open bugs are open issues: there cannot be more of them');
  const openBugs = open.critical + open.major + open.minor + open.unspecified;
  if (openBugs !== bugs - resolved)
    faults.all.push({
      pointer: '/quality/open',
      code: 'does_not_fit',
      message: 'Open bugs must sum up to all minus resolved',
    });
};

const sourceFaults = (faults: Faults, pointer: string, source: SourceFacts | null): void => {
  if (source === null) return;
  faults.moment(`${pointer}/last_at`, source.lastAt);
  if (source.medianMs !== null) faults.span(`${pointer}/median_ms`, source.medianMs);
};

/**
 * Every fault of facts that come from outside, none where they can be assessed: counts are whole numbers 0 to 2^31 - 1,
 * no part exceeds its whole, bugs fit into the issues, open bugs sum up, moments are in the years 1 to 9999, spans of
 * time not negative, and the issues pending or not. Pointers are into the wire form (`/stability/in_progress`). Codes: `out_of_range`, `does_not_fit`.
 */
export const factFaults = (facts: ReleaseFacts): readonly Fault[] => {
  const faults = new Faults();
  const { ops, verification, stability } = facts;
  issueFaults(faults, facts);
  if (faults.count('/ops/done', ops.done) && faults.count('/ops/total', ops.total))
    faults.atMost('/ops/done', ops.done, ops.total, 'No more items can be done than there are');
  if (verification !== null) {
    const { passed, total, ranAt, runs } = verification;
    if (faults.count('/verification/passed', passed) && faults.count('/verification/total', total))
      faults.atMost('/verification/passed', passed, total, 'No more tests can pass than ran');
    faults.moment('/verification/ran_at', ranAt);
    faults.count('/verification/runs', runs);
  }
  faults.count('/stability/succeeded', stability.succeeded);
  faults.count('/stability/failed', stability.failed);
  faults.count('/stability/in_progress', stability.inProgress);
  if (facts.issuesAsOf !== undefined && facts.issuesAsOf !== null) faults.moment('/issues_as_of', facts.issuesAsOf);
  if (facts.issuesPending !== undefined) faults.flag('/issues_pending', facts.issuesPending);
  sourceFaults(faults, '/sources/deployments', facts.sources?.deployments ?? null);
  sourceFaults(faults, '/sources/test_runs', facts.sources?.testRuns ?? null);
  return faults.all;
};
