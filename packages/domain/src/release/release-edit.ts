import { invalid } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Release } from './release.js';
import { requireOpen } from './release-transition.js';

/** What may be edited; what is left out stays. */
export interface ReleaseEdit {
  readonly name?: string;
  readonly targetAt?: Instant | null;
  readonly startsAt?: Instant | null;
}

/**
 * The release as edited.
 * @throws DomainError `release-closed` when the start of a shipped or canceled release would change;
 *   `invalid` when an active one would lose its start
 */
export const edit = (release: Release, { name, targetAt, startsAt }: ReleaseEdit): Release => {
  const moved = startsAt !== undefined && startsAt !== release.startsAt;
  if (moved) requireOpen(release);
  if (moved && startsAt === null && release.state === 'active')
    throw invalid([{ pointer: '/starts_at', code: 'required', message: 'An active release keeps a start.' }]);
  return {
    ...release,
    name: name ?? release.name,
    targetAt: targetAt === undefined ? release.targetAt : targetAt,
    startsAt: startsAt === undefined ? release.startsAt : startsAt,
    version: release.version + 1,
  };
};
