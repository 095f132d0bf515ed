import type { HistoryPoint } from '@shipworthy/client';
import { ChartFigure } from '../../../charts/chart-figure.js';
import { StepChart } from '../../../charts/step-chart.js';
import { DecisionBadge } from '../../../parts/decision-badge.js';
import { momentText } from '../../../wording/moments.js';
import { scoreText } from '../../../wording/numbers.js';
import { DecisionRibbon, RIBBON_HEIGHT } from './decision-ribbon.js';
import './history.css';
import { causesText, courseText } from './history-words.js';

const HEIGHT = 240;
const TICKS = [0, 20, 40, 60, 80, 100];

const Rows = ({ points }: { readonly points: readonly HistoryPoint[] }) => (
  <>
    {points.toReversed().map((point) => (
      <tr key={point.at}>
        <th scope="row">
          <time dateTime={point.at}>{momentText(point.at)}</time>
        </th>
        <td class="number">{point.score === null ? '–' : scoreText(point.score)}</td>
        <td class="number">{point.axes.filter(({ score }) => score !== null).length} of 5</td>
        <td>
          <DecisionBadge decision={point.decision} />
        </td>
        <td>{causesText(point)}</td>
      </tr>
    ))}
  </>
);

interface HistoryFigureProps {
  /** Of project and release. */
  readonly name: string;
  /** In order of time, one at least. */
  readonly points: readonly HistoryPoint[];
  /** Where the drawing ends, in milliseconds since the epoch. */
  readonly to: number;
  /** Least score the policy asks for now. */
  readonly threshold?: number;
}

/** The score over time as a drawing, a sentence and a table of what moved it. */
export const HistoryFigure = ({ name, points, to, threshold }: HistoryFigureProps) => (
  <ChartFigure
    title={`Readiness score of ${name} over time`}
    summary={courseText(points)}
    height={HEIGHT}
    heads={['When', { number: 'Score' }, { number: 'Measured' }, 'Gate', 'What moved it']}
    rows={<Rows points={points} />}
    draw={(width) => (
      <StepChart
        width={width}
        height={HEIGHT}
        from={Date.parse(points[0]?.at ?? '')}
        to={to}
        ticks={TICKS}
        level={threshold === undefined ? undefined : { value: threshold, text: `${threshold} asked for` }}
        series={[
          {
            name: 'Score',
            look: 'first',
            points: points.map(({ at, score }) => ({ at: Date.parse(at), value: score })),
          },
        ]}
        below={{
          height: RIBBON_HEIGHT,
          draw: (x, top) => <DecisionRibbon points={points} to={to} x={x} top={top} />,
        }}
      />
    )}
  />
);
