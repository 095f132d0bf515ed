import type { AxisReading, ReadinessReport } from '@shipworthy/client';
import { axisAddress, type ReleasePlace } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Meter } from '../../parts/meter.js';
import { AXIS_TITLES } from '../../wording/names.js';
import { scoreText } from '../../wording/numbers.js';
import { Freshness } from './freshness.js';

interface AxisCardProps {
  readonly reading: AxisReading;
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
}

/** Whether a reason of the gate concerns the axis: the first that is not waived, else one that is. */
const reasonOf = ({ gate: { reasons } }: ReadinessReport, axis: AxisReading['axis']) => {
  const about = reasons.filter((reason) => reason.axis === axis);
  return about.find(({ waived }) => !waived) ?? about[0];
};

/** Without what it does not see: the opened axis says that. */
const inShort = (explanation: string): string => explanation.split(';', 1)[0] ?? '';

/** One axis: its score, what it was counted from, and whether the gate minds it. The whole card opens it. */
export const AxisCard = ({ reading, place, report }: AxisCardProps) => {
  const reason = reasonOf(report, reading.axis);
  const standing =
    reason === undefined ? 'go' : reason.waived ? 'waived' : reading.state === 'measured' ? 'hold' : 'unknown';
  return (
    <li class={`axis-card ${standing}`}>
      <h2>
        <a href={axisAddress(place, reading.axis)}>{AXIS_TITLES[reading.axis]}</a>
        <Icon name={standing === 'waived' ? 'not_applicable' : standing} />
      </h2>
      {reading.state === 'measured' ? (
        <>
          <p class="axis-score number">{scoreText(reading.score)}</p>
          <Meter value={reading.score} look={standing === 'hold' ? 'hold' : standing === 'go' ? 'go' : undefined} />
        </>
      ) : (
        <p class="axis-score unmeasured">Not measured</p>
      )}
      <p class="small soft">{inShort(reading.explanation)}</p>
      <Freshness reading={reading} silent={report.silent_sources} />
      {reading.weight === 1 ? null : <p class="small soft">Weight {reading.weight}</p>}
    </li>
  );
};
