import type { AxisReading, ReadinessReport, SilentSource } from '@shipworthy/client';
import { axisAddress, type ReleasePlace } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { AXIS_TITLES } from '../../wording/names.js';
import { scoreDigits } from '../../wording/numbers.js';
import { axisStanding } from './scorecard-words.js';

interface AxisCardProps {
  readonly reading: AxisReading;
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
}

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
            <span class="axis-score number">{scoreDigits(reading.score)}</span> <span class="axis-word">{word}</span>
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

/** How much of a hundred; the number itself stands beside it. */
const Meter = ({ value, look }: { readonly value: number; readonly look?: 'go' | 'hold' | undefined }) => (
  <span class={look === undefined ? 'meter' : `meter ${look}`} aria-hidden="true">
    <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
  </span>
);

/** Without what it does not see: the opened axis says that. */
const inShort = (explanation: string): string => explanation.split(';', 1)[0] ?? '';

interface FreshnessProps {
  readonly reading: AxisReading;
  readonly silent: readonly SilentSource[];
}

const FEEDS: Readonly<Record<SilentSource['source'], AxisReading['axis']>> = {
  deployments: 'stability',
  test_runs: 'verification',
};

/** As of when an axis is known, where it is not simply now. */
const Freshness = ({ reading, silent }: FreshnessProps) => {
  const source = silent.find((each) => FEEDS[each.source] === reading.axis);
  const [words, at] =
    'as_of' in reading && reading.as_of !== undefined
      ? ['as of', reading.as_of]
      : source !== undefined
        ? ['silent, last', source.last_at]
        : reading.axis === 'verification' && reading.facts !== undefined
          ? ['ran', reading.facts.ran_at]
          : ['', ''];
  return at === '' ? null : (
    <p class={words === 'ran' ? 'freshness small soft' : 'freshness small old'}>
      <Icon name="clock" /> {words} <Moment at={at} />
    </p>
  );
};
