import type { HistoryPoint } from '@shipworthy/client';
import { useResource } from '../../api/resource.js';
import { type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { Moment } from '../../parts/moment.js';
import { Shown } from '../../parts/shown.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { scoreDigits } from '../../wording/numbers.js';
import { HistoryFigure, readHistory } from '../scorecard/history.js';
import { causesText } from '../scorecard/scorecard-words.js';
import { moversOf } from './analysis-words.js';

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
          {causesText(point)}; {point.axes.filter(({ score }) => score !== null).length} of {point.axes.length}{' '}
          measured; the gate said {DECISION_TITLES[point.decision].toLowerCase()}
        </span>
      </li>
    ))}
  </ul>
);

const scored = (score: number | null): string => (score === null ? '–' : scoreDigits(score));
