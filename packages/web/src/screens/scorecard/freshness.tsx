import type { AxisReading, SilentSource } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';

interface FreshnessProps {
  readonly reading: AxisReading;
  readonly silent: readonly SilentSource[];
}

const FEEDS: Readonly<Record<SilentSource['source'], AxisReading['axis']>> = {
  deployments: 'stability',
  test_runs: 'verification',
};

/** As of when an axis is known, where it is not simply now. */
export const Freshness = ({ reading, silent }: FreshnessProps) => {
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
