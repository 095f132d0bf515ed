import type { Policy, ReadinessReport, Release, SilentSource, Waiver } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { inRelease, type ReleasePlace } from '../../navigation/places.js';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { countOf } from '../../wording/numbers.js';

/** All that a scorecard shows but its history. */
export interface Scored {
  readonly report: ReadinessReport;
  readonly release: Release;
  readonly waivers: readonly Waiver[];
  readonly policy: Policy;
}

/** Reads a scorecard. A shipped release has its frozen report, unless the live one is asked for. */
export const readScorecard = async (place: ReleasePlace, live: boolean, signal: AbortSignal): Promise<Scored> => {
  const path = inRelease(place);
  const [report, release, waivers, policy] = await Promise.all([
    client.readReadiness({ path, ...(live ? { query: { view: 'live' } } : {}), signal }),
    client.readRelease({ path, signal }),
    client.listWaivers({ path, signal }),
    client.readPolicy({ path, signal }),
  ]);
  return {
    report: report.body.data,
    release: release.body.data,
    waivers: waivers.body.data,
    policy: policy.body.data,
  };
};

const NAMES: Readonly<Record<SilentSource['source'], string>> = { deployments: 'deployment', test_runs: 'test run' };

const hoursText = (hours: number): string =>
  hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');

/** Names the sources that were silent for longer than usual: their axes may be out of date. */
export const SilentSources = ({
  sources,
  isPast,
}: {
  readonly sources: readonly SilentSource[];
  /** Whether the release is closed: a frozen report leaves nothing to check. */
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
