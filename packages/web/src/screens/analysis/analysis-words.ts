import type { ReleaseAnalysis, ReleaseSummary } from '@shipworthy/client';
import { dateText, durationText } from '../../wording/moments.js';
import { countOf, failureRateText } from '../../wording/numbers.js';

export type ProgressPoint = ReleaseAnalysis['points'][number];
type Flow = ReleaseSummary['scope']['before_start'];

const DAY = 86_400;

/** `42 s`, `2 h 4 min`, `12 days`: lengths that may be those of a whole release. */
export const longText = (seconds: number): string =>
  seconds < 2 * DAY ? durationText(seconds) : countOf(Math.round(seconds / DAY), 'day');

export const netText = (net: number): string => (net > 0 ? `+${net}` : net < 0 ? `−${-net}` : '0');

/** `4 of 6 issues are done; on 3 Nov it was 0 of 3.` Points are in order of time. */
export const progressText = (points: readonly ProgressPoint[]): string => {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return 'Nothing has happened yet.';
  const now = `${last.done} of ${countOf(last.total, 'issue')} ${last.total === 1 ? 'is' : 'are'} done`;
  if (points.length === 1) return `${now}.`;
  return `${now}; on ${dateText(first.at)} it was ${first.done} of ${first.total}.`;
};

const flowText = ({ added, removed, canceled, net }: Flow): string => {
  const left = removed + canceled;
  return `${countOf(added, 'issue')} came and ${left} left: net ${netText(net)}`;
};

/** How the scope changed before the release's window began, and since. */
export const scopeText = ({ before_start, after_start, change_rate }: ReleaseSummary['scope']): string => {
  if (after_start === null) return `${flowText(before_start)}. The release has not begun yet.`;
  const share = change_rate === null ? '' : ` (${shareText(change_rate)} of what was in it then)`;
  return `Since the release began, ${flowText(after_start)}${share}. Before, net ${netText(before_start.net)}.`;
};

/** A share with one decimal and its sign. */
export const shareText = (share: number): string =>
  `${share < 0 ? '−' : '+'}${(Math.round(Math.abs(share) * 1000) / 10).toFixed(1)} %`;

/** How many bugs are open, and how many were at most. */
export const bugsText = (points: readonly ProgressPoint[]): string => {
  const last = points.at(-1);
  if (last === undefined) return 'Nothing has happened yet.';
  if (last.bugs === 0 && points.every(({ bugs }) => bugs === 0)) return 'No bug was reported.';
  const most = points.reduce((all, { open_bugs }) => Math.max(all, open_bugs), 0);
  return `${last.open_bugs} of ${countOf(last.bugs, 'bug')} ${last.open_bugs === 1 || last.bugs === 1 ? 'is' : 'are'} open; the highest point is ${most}.`;
};

/** `9 of 10 succeeded (10.0 % failed)`. */
export const deploymentsText = ({ succeeded, failed }: ReleaseSummary['deployments']): string => {
  const finished = succeeded + failed;
  if (finished === 0) return 'none';
  return `${succeeded} of ${finished} succeeded${failed === 0 ? '' : ` (${failureRateText(failed / finished)} failed)`}`;
};
