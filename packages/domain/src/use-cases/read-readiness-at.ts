import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { KnownReport } from '../release/known-report.js';
import { findDossier } from './find-dossier.js';
import type { ReleasePath } from './in-release.js';
import { knownAt, requirePast } from './known-at.js';

export interface ReadReadinessAt extends ReleasePath {
  readonly at: Instant;
}

/**
 * The report of a release as it was known at a past moment, told apart to the second: with the facts, the policy and the
 * waivers of that time, and frozen where it had shipped by then.
 * @throws DomainError `not-found`, also for a moment nothing is known of; `invalid` for one that has not come
 */
export const readReadinessAt =
  ({ stores, clock }: Pick<Ports, 'stores' | 'clock'>) =>
  async ({ at, ...path }: ReadReadinessAt): Promise<KnownReport> => {
    const dossier = await findDossier(stores, path);
    requirePast('as_of', at, clock());
    return knownAt(stores, dossier, at);
  };
