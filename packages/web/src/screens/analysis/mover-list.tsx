import type { HistoryPoint } from '@shipworthy/client';
import { Moment } from '../../parts/moment.js';
import { DECISION_TITLES } from '../../wording/names.js';
import { scoreText } from '../../wording/numbers.js';
import { causesText } from '../scorecard/history/history-words.js';
import { moversOf } from './movers.js';

const MOST = 8;

const scored = (score: number | null): string => (score === null ? '–' : scoreText(score));

/** The latest events that moved the score or the gate. */
export const MoverList = ({ points }: { readonly points: readonly HistoryPoint[] }) => (
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
