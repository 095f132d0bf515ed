import { useResource } from '../../api/resource.js';
import { type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { Shown } from '../../parts/shown.js';
import { HistoryFigure } from '../scorecard/history/history-figure.js';
import { readHistory } from '../scorecard/history/read-history.js';
import { MoverList } from './mover-list.js';

interface ScoreCourseProps {
  readonly place: ReleasePlace;
  /** Of project and release. */
  readonly name: string;
  /** Where the drawing ends, in milliseconds since the epoch. */
  readonly to: number;
}

/** The score over time with what moved it. */
export const ScoreCourse = ({ place, name, to }: ScoreCourseProps) => {
  const history = useResource(releaseKey(place, 'history'), (signal) => readHistory(place, signal));
  return (
    <Shown of={history} lines={8}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <p class="soft">The first point appears as soon as something is reported.</p>
        ) : (
          <>
            <HistoryFigure name={name} points={rows} to={Math.max(to, Date.parse(rows.at(-1)?.at ?? ''))} />
            <MoverList points={rows} />
            {next === null ? null : <p class="soft small">These are the first {rows.length} points.</p>}
          </>
        )
      }
    </Shown>
  );
};
