import type { SilentSource } from '@shipworthy/client';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { countOf } from '../../wording/numbers.js';

const NAMES: Readonly<Record<SilentSource['source'], string>> = { deployments: 'deployment', test_runs: 'test run' };

const hoursText = (hours: number): string =>
  hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');

/** Whom nothing was heard of for longer than is usual: what it feeds may be out of date. */
export const SilentSources = ({
  sources,
  isPast,
}: {
  readonly sources: readonly SilentSource[];
  /** In a report that was frozen there is nothing left to check. */
  readonly isPast: boolean;
}) =>
  sources.length === 0 ? null : (
    <Notice look="attention">
      {sources.map(({ source, last_at, limit_hours, basis }) => (
        <p key={source}>
          No {NAMES[source]} was reported for too long. The last one came <Moment at={last_at} />;{' '}
          {basis === 'policy' ? 'the policy expects one every' : 'going by those before, the next was due within'}{' '}
          {hoursText(limit_hours)}.{isPast ? '' : ' Check that the pipeline still reports.'}
        </p>
      ))}
    </Notice>
  );
