import { ChartFigure } from '../../charts/chart-figure.js';
import { countTicks } from '../../charts/linear-scale.js';
import { StepChart } from '../../charts/step-chart.js';
import { momentText } from '../../wording/moments.js';
import { bugsText, type ProgressPoint } from './analysis-words.js';
import { extentOf, seriesOf } from './series.js';

const HEIGHT = 200;

interface FigureProps {
  /** Of project and release. */
  readonly name: string;
  /** One at least. */
  readonly points: readonly ProgressPoint[];
}

/** Open bugs over time. */
export const BugsFigure = ({ name, points }: FigureProps) => {
  const [from, to] = extentOf(points);
  const ticks = countTicks(points.reduce((most, { open_bugs }) => Math.max(most, open_bugs), 0));
  return (
    <ChartFigure
      title={`Open bugs of ${name} over time`}
      summary={bugsText(points)}
      height={HEIGHT}
      heads={['Until', { number: 'Open bugs' }, { number: 'Bugs' }]}
      rows={points.map(({ at, open_bugs, bugs }) => (
        <tr key={at}>
          <th scope="row" class="when">
            {momentText(at)}
          </th>
          <td class="number">{open_bugs}</td>
          <td class="number">{bugs}</td>
        </tr>
      ))}
      draw={(width) => (
        <StepChart
          width={width}
          height={HEIGHT}
          from={from}
          to={to}
          ticks={ticks}
          series={[{ name: 'Open bugs', look: 'third', points: seriesOf(points, ({ open_bugs }) => open_bugs) }]}
        />
      )}
    />
  );
};
