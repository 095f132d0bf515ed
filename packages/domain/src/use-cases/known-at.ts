import { DomainError, invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Stores } from '../ports.js';
import type { RecordedPoint } from '../release/history-store.js';
import { dossierOfPoint, type KnownReport, knownFrozen, knownReport } from '../release/known-report.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';

const unknown = (sentence: string): DomainError => new DomainError('not-found', sentence, { what: 'report' });

/** @throws DomainError `invalid` for a moment that has not come */
export const requirePast = (name: string, at: Instant, now: Instant): void => {
  if (at > now) throw invalid([{ pointer: name, code: 'future', message: `${name} has not come yet.` }]);
};

/** How long changes may be gathered into one point, in milliseconds; twice the second that they are told apart to. */
const GATHERED = 2_000;

/**
 * What a new release was before its first point, which may show changes that came right after it was made: that point, or
 * the dossier while there is none yet. Told so only where no more than gathering lies between.
 */
const atFirst = async (
  history: Stores['history'],
  { release, revision }: ReleaseDossier,
  at: Instant,
): Promise<RecordedPoint | 'unrecorded' | undefined> => {
  if (at < release.createdAt) return undefined;
  const [first] = (await history.page(release.id, { limit: 1, after: null })).rows;
  if ((first?.at ?? revision.changedAt) - at > GATHERED) return undefined;
  return first === undefined ? 'unrecorded' : history.pointAt(release.id, first.at);
};

/**
 * The report of a release as it was known at a past moment. Since the last change it follows from the dossier itself,
 * whether or not the trend has noticed; before that from the last point up to then.
 * @throws DomainError `not-found` before the release was made or its first point, and where points do not keep yet what they were made of
 */
export const knownAt = async (
  { history, releases }: Pick<Stores, 'history' | 'releases'>,
  dossier: ReleaseDossier,
  at: Instant,
): Promise<KnownReport> => {
  const { release, revision } = dossier;
  const frozen = release.state === 'shipped' ? await releases.frozen(release.id) : undefined;
  const unchanged = revision.changedAt <= at;
  const point = unchanged
    ? 'unrecorded'
    : ((await history.pointAt(release.id, at)) ?? (await atFirst(history, dossier, at)));
  const then = point === 'unrecorded' ? dossier : point && dossierOfPoint(dossier, point);
  // What a release shipped with stands for ever; only names can have changed since.
  if (frozen !== undefined && (frozen.frozenAt <= at || then?.release.state === 'shipped'))
    return knownFrozen(then ?? dossier, frozen);
  if (then === undefined) throw unknown('Nothing had been recorded of the release at that moment.');
  if (then === null) throw unknown('Of that moment only the scores were kept, not what they were computed from.');
  return knownReport(then, at);
};
