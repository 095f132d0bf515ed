import type { PortfolioEntry } from '@shipworthy/client';
import { projectAddress, releaseAddress } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { DecisionBadge, ScoreFigure } from '../../parts/score-figure.js';
import { waivedText } from '../../wording/names.js';
import { coverageShareText, scoreDigits } from '../../wording/numbers.js';

type PortfolioColumn = 'project' | 'gate' | 'score' | 'reports';

/** By which column, and whether the other way round. */
interface Order {
  readonly column: PortfolioColumn;
  readonly reversed: boolean;
}

interface PortfolioTableProps {
  readonly entries: readonly PortfolioEntry[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** The projects as a table whose heads set its order. */
export const PortfolioTable = ({ entries, order, onOrder }: PortfolioTableProps) => {
  const head = (title: string, column: PortfolioColumn, number = false) => (
    <th
      scope="col"
      data-sorts
      class={number ? 'number' : undefined}
      aria-sort={order.column === column ? (order.reversed ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        class="sorter"
        onClick={() => onOrder({ column, reversed: order.column === column && !order.reversed })}
      >
        {title}
        {order.column === column ? <Icon name={order.reversed ? 'down' : 'up'} /> : null}
      </button>
    </th>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls must be reachable by keyboard
    <section class="table-room" tabIndex={0} aria-label="Projects">
      <table class="table portfolio">
        <thead>
          <tr>
            {head('Project', 'project')}
            {head('Ship gate', 'gate')}
            {head('Score', 'score', true)}
            <th scope="col">Trend</th>
            <th scope="col">First reason</th>
            {head('Last reports', 'reports')}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.project.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
};

type Points = NonNullable<PortfolioEntry['readiness']>['trend'];

const WIDTH = 96;
const HEIGHT = 28;
const EDGE = 3;

/** The last scores as a small line, and in words for whoever does not see it. */
const Trend = ({ points, name }: { readonly points: Points; readonly name: string }) => {
  const known = points.flatMap(({ score }) => (score === null ? [] : [score]));
  const path = trendPath(known);
  const [first, last] = [known[0], known.at(-1)];
  if (path === undefined || first === undefined || last === undefined) return <span class="soft">–</span>;
  const words = `Score of ${name}: from ${scoreDigits(first)} to ${scoreDigits(last)} over the last ${known.length} changes`;
  return (
    <svg class="trend" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <title>{words}</title>
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
};

/** Steps through the scores there are, the points at equal distances; undefined where fewer than two are known. */
export const trendPath = (scores: readonly (number | null)[]): string | undefined => {
  const known = scores.filter((score): score is number => score !== null);
  if (known.length < 2) return undefined;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (known.length - 1);
  const y = (score: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((score - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const [first = 0, ...rest] = known;
  return `M${x(0)} ${y(first).toFixed(1)}${rest.map((score, index) => `H${x(index + 1).toFixed(1)}V${y(score).toFixed(1)}`).join('')}`;
};

const Row = ({ entry }: { readonly entry: PortfolioEntry }) => {
  const { team, project, readiness, last_deployment_at, last_test_run_at } = entry;
  const place = { teamId: team.id, projectId: project.id };
  return (
    <tr>
      <th scope="row">
        <a href={projectAddress(place)}>{project.name}</a>
        <div class="soft small plain-weight">{team.name}</div>
      </th>
      {readiness === null ? (
        <td colSpan={4} class="soft">
          No active release
        </td>
      ) : (
        <>
          <td class="gate">
            <DecisionBadge decision={readiness.decision} />
            <div class="small portfolio-release">
              <a href={releaseAddress({ ...place, releaseId: readiness.release.id })}>{readiness.release.name}</a>
            </div>
          </td>
          <td class="number">
            <ScoreFigure
              score={readiness.score}
              coverage={readiness.coverage}
              covers={coverageShareText(readiness.coverage)}
              look="portfolio-score"
            />
          </td>
          <td class="course">
            <Trend points={readiness.trend} name={project.name} />
          </td>
          <td class="reason">
            {readiness.waivers === 0 ? null : (
              <p>{waivedText(readiness.decision, readiness.decision_without_waivers, readiness.waivers)}</p>
            )}
            {readiness.reason?.message ??
              (readiness.waivers === 0 ? <span class="soft">Nothing stands in the way</span> : null)}
          </td>
        </>
      )}
      <td class="small reported">
        <Reported what="Deployment" at={last_deployment_at} />
        <Reported what="Test run" at={last_test_run_at} />
      </td>
    </tr>
  );
};

const Reported = ({ what, at }: { readonly what: string; readonly at: string | null }) => (
  <div class="soft">
    {what} {at === null ? 'never' : <Moment at={at} />}
  </div>
);

/** What needs somebody comes first. */
export const DEFAULT_ORDER: Order = { column: 'gate', reversed: false };

const URGENCY = { hold: 0, unknown: 1, go: 2 } as const;

const lastReport = ({ last_deployment_at, last_test_run_at }: PortfolioEntry): string =>
  [last_deployment_at ?? '', last_test_run_at ?? ''].sort().at(-1) ?? '';

const RANKS: Readonly<Record<PortfolioColumn, (entry: PortfolioEntry) => number | string>> = {
  project: ({ project }) => project.name.toLowerCase(),
  gate: ({ readiness }) => (readiness === null ? 3 : URGENCY[readiness.decision]),
  score: ({ readiness }) => readiness?.score ?? 101,
  reports: lastReport,
};

/** The projects in an order; those that are equal stay as they came, by team and name. */
export const ordered = (entries: readonly PortfolioEntry[], { column, reversed }: Order): readonly PortfolioEntry[] => {
  const rank = RANKS[column];
  const compare = (a: PortfolioEntry, b: PortfolioEntry) => {
    const [one, other] = [rank(a), rank(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return entries.toSorted((a, b) => (reversed ? compare(b, a) : compare(a, b)));
};
