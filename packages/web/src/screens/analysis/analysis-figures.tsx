import type { HistoryPoint, ReleaseSummary } from '@shipworthy/client';
import { useResource } from '../../api/resource.js';
import { ChartFigure } from '../../charts/chart-figure.js';
import { FlowChart, FlowLegend } from '../../charts/flow-chart.js';
import { countTicks } from '../../charts/scales.js';
import { StepChart, type StepSeries } from '../../charts/step-chart.js';
import { type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { Moment } from '../../parts/moment.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { momentText } from '../../wording/moments.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { scoreDigits } from '../../wording/numbers.js';
import { HistoryFigure, readHistory } from '../scorecard/history.js';
import { causesText, measuredText } from '../scorecard/scorecard-words.js';
import {
  type AnalysisPoint,
  bugsText,
  extentOf,
  flowsOf,
  moversOf,
  netText,
  progressText,
  scopeText,
  seriesOf,
} from './analysis-words.js';

const PROGRESS_HEIGHT = 240;

interface FigureProps {
  /** The names of project and release. */
  readonly name: string;
  /** One at least. */
  readonly points: readonly AnalysisPoint[];
}

/** The issues done and all issues, over time. */
export const ProgressFigure = ({ name, points }: FigureProps) => {
  const [from, to] = extentOf(points);
  const series = [
    { name: 'All issues', look: 'first', points: seriesOf(points, ({ total }) => total) },
    { name: 'Done', look: 'second', points: seriesOf(points, ({ done }) => done) },
  ] as const;
  const ticks = countTicks(points.reduce((most, { total }) => Math.max(most, total), 0));
  return (
    <ChartFigure
      legend={<Legend series={series} />}
      title={`Issues of ${name} over time, done and all`}
      summary={progressText(points)}
      height={PROGRESS_HEIGHT}
      table={(label) => (
        <Table cards label={label} heads={['Until', { number: 'Done' }, { number: 'All' }]}>
          {points.map(({ at, done, total }) => (
            <tr key={at}>
              <th scope="row" class="when" data-head="Until">
                {momentText(at)}
              </th>
              <td class="number" data-head="Done">
                {done}
              </td>
              <td class="number" data-head="All">
                {total}
              </td>
            </tr>
          ))}
        </Table>
      )}
      draw={(width) => (
        <StepChart width={width} height={PROGRESS_HEIGHT} from={from} to={to} ticks={ticks} series={series} />
      )}
    />
  );
};

const SCOPE_HEIGHT = 200;

interface ScopeFigureProps {
  /** The names of project and release. */
  readonly name: string;
  /** One at least. */
  readonly points: readonly AnalysisPoint[];
  readonly scope: ReleaseSummary['scope'];
}

/** Issues that came into the release and left it over time. */
export const ScopeFigure = ({ name, points, scope }: ScopeFigureProps) => (
  <ChartFigure
    title={`Scope change of ${name} over time: added above, left below, the dot is the net`}
    summary={scopeText(scope)}
    legend={<FlowLegend came="Added" went="Removed or canceled" net="Net" />}
    height={SCOPE_HEIGHT}
    table={(label) => (
      <Table
        cards
        label={label}
        heads={['Until', { number: 'Added' }, { number: 'Removed' }, { number: 'Canceled' }, { number: 'Net' }]}
      >
        {points.map(({ at, added, removed, canceled }) => (
          <tr key={at}>
            <th scope="row" class="when" data-head="Until">
              {momentText(at)}
            </th>
            <td class="number" data-head="Added">
              {added}
            </td>
            <td class="number" data-head="Removed">
              {removed}
            </td>
            <td class="number" data-head="Canceled">
              {canceled}
            </td>
            <td class="number" data-head="Net">
              {netText(added - removed - canceled)}
            </td>
          </tr>
        ))}
      </Table>
    )}
    draw={(width) => <FlowChart width={width} height={SCOPE_HEIGHT} flows={flowsOf(points)} />}
  />
);

const BUGS_HEIGHT = 200;

/** Open bugs over time. */
export const BugsFigure = ({ name, points }: FigureProps) => {
  const [from, to] = extentOf(points);
  const ticks = countTicks(points.reduce((most, { open_bugs }) => Math.max(most, open_bugs), 0));
  return (
    <ChartFigure
      title={`Open bugs of ${name} over time`}
      summary={bugsText(points)}
      height={BUGS_HEIGHT}
      table={(label) => (
        <Table cards label={label} heads={['Until', { number: 'Open bugs' }, { number: 'Bugs' }]}>
          {points.map(({ at, open_bugs, bugs }) => (
            <tr key={at}>
              <th scope="row" class="when" data-head="Until">
                {momentText(at)}
              </th>
              <td class="number" data-head="Open bugs">
                {open_bugs}
              </td>
              <td class="number" data-head="Bugs">
                {bugs}
              </td>
            </tr>
          ))}
        </Table>
      )}
      draw={(width) => (
        <StepChart
          width={width}
          height={BUGS_HEIGHT}
          from={from}
          to={to}
          ticks={ticks}
          series={[{ name: 'Open bugs', look: 'third', points: seriesOf(points, ({ open_bugs }) => open_bugs) }]}
        />
      )}
    />
  );
};

/** Which line is which: by its colour and its dash. */
const Legend = ({ series }: { readonly series: readonly Pick<StepSeries, 'name' | 'look'>[] }) => (
  <ul class="chart-legend">
    {series.map(({ name, look }) => (
      <li key={name} class={`chart-series ${look}`}>
        <svg width="28" height="8" aria-hidden="true">
          <path class="chart-line" d="M0,4H28" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);

interface ScoreTrendProps {
  readonly place: ReleasePlace;
  /** The names of project and release. */
  readonly name: string;
  /** Where the drawing ends, in milliseconds since the epoch. */
  readonly to: number;
}

/** The score over time with what moved it. */
export const ScoreTrend = ({ place, name, to }: ScoreTrendProps) => {
  const history = useResource(releaseKey(place, 'history'), (signal) => readHistory(place, signal));
  return (
    <Shown of={history} lines={8}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <p class="soft">The first point appears as soon as something is reported.</p>
        ) : (
          <>
            <HistoryFigure
              name={name}
              place={place}
              points={rows}
              to={Math.max(to, Date.parse(rows.at(-1)?.at ?? ''))}
            />
            <MoverList points={rows} />
            {next === null ? null : <p class="soft small">These are the first {rows.length} points.</p>}
          </>
        )
      }
    </Shown>
  );
};

const MOST = 8;

/** The latest events that moved the score or the gate. */
const MoverList = ({ points }: { readonly points: readonly HistoryPoint[] }) => (
  <ul class="movers" aria-label="What moved the score">
    {moversOf(points, MOST).map(({ point, before }) => (
      <li key={point.at}>
        <Moment at={point.at} />
        <span class="number">
          {scored(before)} <span aria-hidden="true">→</span> <span class="unseen">to</span>{' '}
          <strong>{scored(point.score)}</strong>
        </span>
        <span class="soft">
          {causesText(point)}; {measuredText(point)} measured; the gate said{' '}
          {DECISION_TITLES[point.decision].toLowerCase()}
        </span>
      </li>
    ))}
  </ul>
);

const scored = (score: number | null): string => (score === null ? '–' : scoreDigits(score));
