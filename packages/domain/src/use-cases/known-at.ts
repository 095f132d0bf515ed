import { DomainError, invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Stores } from '../ports.js';
import { dossierOfPoint, type KnownReport, knownFrozen, knownReport } from '../release/known-report.js';
import type { ReleaseDossier } from '../release/release-facts-store.js';

const unknown = (sentence: string): DomainError => new DomainError('not-found', sentence, { what: 'report' });

/** @throws DomainError `invalid` for a moment that has not come */
export const requirePast = (name: string, at: Instant, now: Instant): void => {
  if (at > now) throw invalid([{ pointer: name, code: 'future', message: `${name} has not come yet.` }]);
};

/**
 * The report of a release as it was known at a past moment. Since the last change it follows from the dossier itself,
 * whether or not the trend has noticed; before that from the last point up to then.
 * @throws DomainError `not-found` before the first point, and where points do not keep yet what they were made of
 */
export const knownAt = async (
  { history, releases }: Pick<Stores, 'history' | 'releases'>,
  dossier: ReleaseDossier,
  at: Instant,
): Promise<KnownReport> => {
  const { release, revision } = dossier;
  const frozen = release.state === 'shipped' ? await releases.frozen(release.id) : undefined;
  const unchanged = revision.changedAt <= at;
  const point = unchanged ? undefined : await history.pointAt(release.id, at);
  const then = unchanged ? dossier : point && dossierOfPoint(dossier, point);
  // What a release shipped with stands for ever; only names can have changed since.
  if (frozen !== undefined && frozen.frozenAt <= at) return knownFrozen(then ?? dossier, frozen);
  if (then === undefined) throw unknown('Nothing had been recorded of the release at that moment.');
  if (then === null) throw unknown('Of that moment only the scores were kept, not what they were computed from.');
  return knownReport(then, at);
};
