import type { Instant } from '../time.js';
import type { ReleaseFacts, SourceFacts } from './facts.js';
import { limitMs, type Policy } from './policy.js';

/** Who reports about a release, in the order they are listed. */
type Source = 'deployments' | 'test_runs';

/** A source from which nothing came for longer than is usual, or than the policy allows. It moves neither score nor decision. */
export interface SilentSource {
  readonly source: Source;
  /** When its last record began. */
  readonly lastAt: Instant;
  /** How long may pass without another one, in milliseconds. */
  readonly limitMs: number;
  /** Whether the limit comes from the source's own rhythm or the policy. */
  readonly basis: 'rhythm' | 'policy';
  /** The moment the limit was reached. */
  readonly since: Instant;
}

/** The usual interval of a source is computed from this many of its latest records at most. */
export const RHYTHM_RECORDS = 20;
const LEAST_RECORDS = 5;
const HOUR = 3_600_000;
const USUAL_TIMES = 3;
const NOT_SILENT: readonly SilentSource[] = Object.freeze([]);

/** The middle value, of an even number the mean of the two in the middle, in whole milliseconds rounded down. */
const median = (sorted: readonly number[]): number => {
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return Math.floor((low + high) / 2);
};

/**
 * A source's last moment and rhythm, the median interval between its last 20 records.
 * @param moments of its last records, in any order; what goes beyond 20 is left out, the earliest first
 * @returns null without any record; a rhythm of null for fewer than 5
 */
export const sourceFacts = (moments: readonly Instant[]): SourceFacts | null => {
  const newestFirst = moments.toSorted((a, b) => b - a).slice(0, RHYTHM_RECORDS);
  const [lastAt] = newestFirst;
  if (lastAt === undefined) return null;
  if (newestFirst.length < LEAST_RECORDS) return { lastAt, medianMs: null };
  const intervals = newestFirst.slice(1).map((at, index) => (newestFirst[index] ?? at) - at);
  return { lastAt, medianMs: median(intervals.toSorted((a, b) => a - b)) };
};

/**
 * When a source falls silent unless another record comes: after the policy's limit or, without one, after three times its
 * median interval and one hour at least. null: nothing can be expected of it, since its rhythm is not known.
 */
export const silenceOf = (
  source: Source,
  { lastAt, medianMs }: SourceFacts,
  silenceHours: number | null,
): SilentSource | null => {
  if (silenceHours === null && medianMs === null) return null;
  const usual = Math.max(USUAL_TIMES * (medianMs ?? 0), HOUR);
  const limit = silenceHours === null ? usual : limitMs(silenceHours);
  const basis = silenceHours === null ? 'rhythm' : 'policy';
  return { source, lastAt, limitMs: limit, basis, since: lastAt + limit };
};

/** When each source that should report falls silent; deployments first. */
export const silences = ({ sources }: ReleaseFacts, { silenceHours = null }: Policy): readonly SilentSource[] => {
  if (sources === undefined) return NOT_SILENT;
  const { deployments, testRuns } = sources;
  const ofDeployments = deployments && silenceOf('deployments', deployments, silenceHours);
  const ofTestRuns = testRuns && silenceOf('test_runs', testRuns, silenceHours);
  if (ofDeployments === null && ofTestRuns === null) return NOT_SILENT;
  return [ofDeployments, ofTestRuns].filter((silence) => silence !== null);
};

/** The sources that are silent as of a moment: exactly `since` is silent. A source never used is not. */
export const silentSources = (facts: ReleaseFacts, policy: Policy, asOf: Instant): readonly SilentSource[] => {
  const all = silences(facts, policy);
  return all.length === 0 ? NOT_SILENT : all.filter(({ since }) => since <= asOf);
};
