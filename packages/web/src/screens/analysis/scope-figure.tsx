import type { ReleaseSummary } from '@shipworthy/client';
import { ChartFigure } from '../../charts/chart-figure.js';
import { FlowChart } from '../../charts/flow-chart.js';
import { FlowLegend } from '../../charts/flow-legend.js';
import { momentText } from '../../wording/moments.js';
import { netText, type ProgressPoint, scopeText } from './analysis-words.js';
import { flowsOf } from './series.js';

const HEIGHT = 200;

interface ScopeFigureProps {
  /** Of project and release. */
  readonly name: string;
  /** One at least. */
  readonly points: readonly ProgressPoint[];
  readonly scope: ReleaseSummary['scope'];
}

/** What came into the release and left it over time. */
export const ScopeFigure = ({ name, points, scope }: ScopeFigureProps) => (
  <ChartFigure
    title={`Scope change of ${name} over time: added above, left below, the dot is the net`}
    summary={scopeText(scope)}
    legend={<FlowLegend came="Added" went="Removed or canceled" net="Net" />}
    height={HEIGHT}
    heads={['Until', { number: 'Added' }, { number: 'Removed' }, { number: 'Canceled' }, { number: 'Net' }]}
    rows={points.map(({ at, added, removed, canceled }) => (
      <tr key={at}>
        <th scope="row" class="when">
          {momentText(at)}
        </th>
        <td class="number">{added}</td>
        <td class="number">{removed}</td>
        <td class="number">{canceled}</td>
        <td class="number">{netText(added - removed - canceled)}</td>
      </tr>
    ))}
    draw={(width) => <FlowChart width={width} height={HEIGHT} flows={flowsOf(points)} />}
  />
);
