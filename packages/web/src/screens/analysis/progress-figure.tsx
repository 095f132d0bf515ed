import { ChartFigure } from '../../charts/chart-figure.js';
import { Legend } from '../../charts/legend.js';
import { countTicks } from '../../charts/linear-scale.js';
import { StepChart } from '../../charts/step-chart.js';
import { momentText } from '../../wording/moments.js';
import { type ProgressPoint, progressText } from './analysis-words.js';
import { extentOf, seriesOf } from './series.js';

const HEIGHT = 240;

interface FigureProps {
  /** Of project and release. */
  readonly name: string;
  /** One at least. */
  readonly points: readonly ProgressPoint[];
}

/** Issues done and all of them over time. */
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
      height={HEIGHT}
      heads={['Until', { number: 'Done' }, { number: 'All' }]}
      rows={points.map(({ at, done, total }) => (
        <tr key={at}>
          <th scope="row" class="when">
            {momentText(at)}
          </th>
          <td class="number">{done}</td>
          <td class="number">{total}</td>
        </tr>
      ))}
      draw={(width) => <StepChart width={width} height={HEIGHT} from={from} to={to} ticks={ticks} series={series} />}
    />
  );
};
