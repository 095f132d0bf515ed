import type { HistoryPoint, ReleaseAnalysis, ReleaseSummary } from '@shipworthy/client';
import type { Flow } from '../../charts/flow-chart.js';
import type { StepPoint } from '../../charts/step-chart.js';
import { dateText } from '../../wording/moments.js';
import { countOf, failureRateText } from '../../wording/numbers.js';

export type AnalysisPoint = ReleaseAnalysis['points'][number];
type ScopeChange = ReleaseSummary['scope']['before_start'];

export const netText = (net: number): string => (net > 0 ? `+${net}` : net < 0 ? `−${-net}` : '0');

/** `4 of 6 issues are done; on 3 Nov it was 0 of 3.` Points are in order of time. */
export const progressText = (points: readonly AnalysisPoint[]): string => {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return 'Nothing has happened yet.';
  const now = `${last.done} of ${countOf(last.total, 'issue')} ${last.total === 1 ? 'is' : 'are'} done`;
  if (points.length === 1) return `${now}.`;
  return `${now}; on ${dateText(first.at)} it was ${first.done} of ${first.total}.`;
};

const flowText = ({ added, removed, canceled, net }: ScopeChange): string => {
  const left = removed + canceled;
  return `${countOf(added, 'issue')} added, ${left} left, net ${netText(net)}`;
};

/** How the scope changed before the release's window began, and since. */
export const scopeText = ({ before_start, after_start, change_rate }: ReleaseSummary['scope']): string => {
  if (after_start === null) return `Before the start: ${flowText(before_start)}.`;
  const before = `${netText(before_start.net)} before`;
  if (after_start.added + after_start.removed + after_start.canceled === 0)
    return `No scope change since start; ${before}.`;
  const share = change_rate === null ? '' : ` (${shareText(change_rate)})`;
  return `Since start: ${flowText(after_start)}${share}; ${before}.`;
};

/** A share with one decimal and its sign. */
export const shareText = (share: number): string =>
  `${share < 0 ? '−' : '+'}${(Math.round(Math.abs(share) * 1000) / 10).toFixed(1)} %`;

/** How many bugs are open, and the highest number that ever was. */
export const bugsText = (points: readonly AnalysisPoint[]): string => {
  const last = points.at(-1);
  if (last === undefined) return 'Nothing has happened yet.';
  if (last.bugs === 0 && points.every(({ bugs }) => bugs === 0)) return 'No bug was reported.';
  const most = points.reduce((all, { open_bugs }) => Math.max(all, open_bugs), 0);
  return `${last.open_bugs} of ${countOf(last.bugs, 'bug')} ${last.open_bugs === 1 || last.bugs === 1 ? 'is' : 'are'} open; peak ${most}.`;
};

/** `9 of 10 succeeded (10.0 % failed)`. */
export const deploymentsText = ({ succeeded, failed }: ReleaseSummary['deployments']): string => {
  const finished = succeeded + failed;
  if (finished === 0) return 'none';
  return `${succeeded} of ${finished} succeeded${failed === 0 ? '' : ` (${failureRateText(failed / finished)} failed)`}`;
};

/** The steps of a line: one number of each point, from the beginning of the point's span on. */
export const seriesOf = (points: readonly AnalysisPoint[], value: (point: AnalysisPoint) => number): StepPoint[] =>
  points.map((point) => ({ at: Date.parse(point.from), value: value(point) }));

/** Issues that came into the release and left it, span by span. */
export const flowsOf = (points: readonly AnalysisPoint[]): readonly Flow[] =>
  points.map(({ from, at, added, removed, canceled }) => ({
    from: Date.parse(from),
    to: Date.parse(at),
    came: added,
    went: removed + canceled,
  }));

/** The first and the last moment, in milliseconds since the epoch. */
export const extentOf = (points: readonly AnalysisPoint[]): readonly [from: number, to: number] => [
  Date.parse(points[0]?.from ?? ''),
  Date.parse(points.at(-1)?.at ?? ''),
];

/** A point of the trend that changed the score or the decision, with the score before it. */
interface Mover {
  readonly point: HistoryPoint;
  /** null: nothing was measured. */
  readonly before: number | null;
}

/** What moved the score or the gate, the latest first, as many as asked for. Points are in order of time. */
export const moversOf = (points: readonly HistoryPoint[], most: number): readonly Mover[] =>
  points
    .map((point, index) => ({ point, before: points[index - 1] }))
    .filter(
      ({ point, before }) => before === undefined || before.score !== point.score || before.decision !== point.decision,
    )
    .map(({ point, before }) => ({ point, before: before?.score ?? null }))
    .reverse()
    .slice(0, most);

/** The days of the example: issues added, left, done; bugs found and resolved. */
const DAYS = [
  [8, 0, 0, 0, 0],
  [2, 0, 1, 1, 0],
  [0, 0, 2, 1, 0],
  [3, 1, 0, 1, 1],
  [0, 0, 2, 0, 0],
  [1, 0, 2, 1, 1],
  [0, 2, 1, 0, 1],
  [1, 0, 1, 1, 0],
  [0, 0, 1, 0, 1],
] as const;

const FIRST = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

const momentOf = (at: number): string => new Date(at).toISOString();

const pointsOf = (): readonly AnalysisPoint[] => {
  const level = { done: 0, total: 0, bugs: 0, open_bugs: 0 };
  return DAYS.map(([added, removed, completed, found, resolved], day) => {
    level.done += completed;
    level.total += added - removed;
    level.bugs += found;
    level.open_bugs += found - resolved;
    const from = FIRST + day * DAY_MS;
    return { from: momentOf(from), at: momentOf(from + DAY_MS - 1), added, removed, canceled: 0, completed, ...level };
  });
};

/** Sample points of a release's progress, the same every time. */
export const EXAMPLE_POINTS: readonly AnalysisPoint[] = pointsOf();

export const EXAMPLE_SCOPE: ReleaseSummary['scope'] = {
  before_start: { added: 8, removed: 0, canceled: 0, net: 8 },
  after_start: { added: 7, removed: 3, canceled: 0, net: 4 },
  change_rate: 0.5,
};
