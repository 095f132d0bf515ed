import type { Policy, ReadinessReport, Release, Waiver } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { inRelease, type ReleasePlace } from '../../navigation/places.js';

/** All that a scorecard shows but its history. */
export interface Scored {
  readonly report: ReadinessReport;
  readonly release: Release;
  readonly waivers: readonly Waiver[];
  readonly policy: Policy;
}

/** Reads a scorecard; of a shipped release the report frozen then, unless the live one is asked for. */
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
