import type { ReadinessReport, Release } from '@shipworthy/client';
import { useResource } from '../../../api/resource.js';
import { type ReleasePlace, releaseKey } from '../../../navigation/places.js';
import { Panel } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import './history.css';
import { HistoryFigure } from './history-figure.js';
import { readHistory } from './read-history.js';

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
                <HistoryFigure
                  name={`${report.project.name} ${report.release.name}`}
                  points={points}
                  to={to}
                  threshold={threshold}
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
