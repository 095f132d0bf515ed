import type { HistoryPoint, ReadinessReport, Release } from '@shipworthy/client';
import { useResource } from '../../../api/resource.js';
import { ChartFigure } from '../../../charts/chart-figure.js';
import { StepChart } from '../../../charts/step-chart.js';
import { type ReleasePlace, releaseKey } from '../../../navigation/places.js';
import { DecisionBadge } from '../../../parts/decision-badge.js';
import { Panel } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { momentText } from '../../../wording/moments.js';
import { scoreText } from '../../../wording/numbers.js';
import { DecisionRibbon, RIBBON_HEIGHT } from './decision-ribbon.js';
import './history.css';
import { causesText, courseText } from './history-words.js';
import { readHistory } from './read-history.js';

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

interface HistoryProps {
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
  readonly release: Release;
  /** Least score the policy asks for now. */
  readonly threshold: number;
}

/** The score over time, what the gate said meanwhile, and what moved it. */
export const History = ({ place, report, release, threshold }: HistoryProps) => {
  const history = useResource(releaseKey(place, 'history'), (signal) => readHistory(place, signal));
  const end = release.shipped_at ?? release.canceled_at;
  const to = end === null ? (history.state.value.readAt ?? 0) : Date.parse(end);
  return (
    <div class="history on-screen">
      <Panel title="Score over time">
        <Shown of={history} lines={8}>
          {({ rows: points, next }) =>
            points.length === 0 ? (
              <p class="soft">The first point appears as soon as something is reported.</p>
            ) : (
              <>
                <ChartFigure
                  title={`Readiness score of ${report.project.name} ${report.release.name} over time`}
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
                      level={{ value: threshold, text: `${threshold} asked for` }}
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
                {next !== null ? <p class="soft small">These are the first {points.length} points.</p> : null}
              </>
            )
          }
        </Shown>
      </Panel>
    </div>
  );
};
