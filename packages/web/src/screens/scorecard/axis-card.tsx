import type { AxisReading, ReadinessReport } from '@shipworthy/client';
import { axisAddress, type ReleasePlace } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Meter } from '../../parts/meter.js';
import { AXIS_TITLES } from '../../wording/names.js';
import { scoreText } from '../../wording/numbers.js';
import { axisStanding } from './axis-standing.js';
import { Freshness } from './freshness.js';

interface AxisCardProps {
  readonly reading: AxisReading;
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
}

/** Without what it does not see: the opened axis says that. */
const inShort = (explanation: string): string => explanation.split(';', 1)[0] ?? '';

/** One axis: its score, what it was counted from, and whether the gate minds it. The whole card opens it. */
export const AxisCard = ({ reading, place, report }: AxisCardProps) => {
  const { look, icon, word } = axisStanding(reading, report);
  return (
    <li class={`axis-card ${look}`}>
      <h2>
        <a href={axisAddress(place, reading.axis)}>{AXIS_TITLES[reading.axis]}</a>
        <Icon name={icon} />
      </h2>
      {reading.state === 'measured' ? (
        <>
          <p class="axis-line">
            <span class="axis-score number">{scoreText(reading.score)}</span> <span class="axis-word">{word}</span>
          </p>
          <Meter value={reading.score} look={look === 'hold' || look === 'go' ? look : undefined} />
        </>
      ) : (
        <p class="axis-line">
          <span class="axis-score unmeasured">Not measured</span> <span class="axis-word">{word}</span>
        </p>
      )}
      <p class="small soft">{inShort(reading.explanation)}</p>
      <Freshness reading={reading} silent={report.silent_sources} />
      {reading.weight === 1 ? null : <p class="small soft">Weight {reading.weight}</p>}
    </li>
  );
};
