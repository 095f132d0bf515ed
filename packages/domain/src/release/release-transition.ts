import { DomainError } from '../errors.js';
import type { Instant, Interval } from '../instant.js';
import type { Release, ReleaseState } from './release.js';

/** Shipped or canceled: its report, checklist, issue membership and waivers no longer change. */
export const isClosed = (release: Pick<Release, 'state'>): boolean =>
  release.state === 'shipped' || release.state === 'canceled';

/** The release window `[startsAt, shippedAt or canceledAt)`; null while it has no start. Parking does not end it. */
export const windowOf = (release: Release): Interval | null =>
  release.startsAt === null ? null : { from: release.startsAt, to: release.shippedAt ?? release.canceledAt };

/** @throws DomainError `release-closed` */
export const requireOpen = (release: Release): void => {
  if (!isClosed(release)) return;
  throw new DomainError('release-closed', `The release ${release.name} is ${release.state}.`, {
    release: { id: release.id, name: release.name },
    state: release.state,
  });
};

const from = (release: Release, states: readonly ReleaseState[], to: ReleaseState): void => {
  if (states.includes(release.state)) return;
  throw new DomainError('release-state', `A release that is ${release.state} cannot become ${to}.`, {
    state: release.state,
    wanted: to,
  });
};

/** @throws DomainError `release-state` while the release's start lies ahead: nothing could count for it yet */
export const requireStarted = ({ name, state, startsAt }: Release, wanted: ReleaseState, at: Instant): void => {
  if (startsAt === null || startsAt <= at) return;
  const starts_at = new Date(startsAt).toISOString();
  throw new DomainError('release-state', `${name} starts at ${starts_at}; it cannot be ${wanted} before.`, {
    state,
    wanted,
    starts_at,
  });
};

const next = (release: Release, change: Partial<Release>): Release => ({
  ...release,
  ...change,
  version: release.version + 1,
});

/** `planned -> active`; the first activation starts the window unless a start was given. The active one stays as it is. @throws DomainError `release-state`, also before its start */
export const activate = (release: Release, at: Instant): Release => {
  if (release.state === 'active') return release;
  from(release, ['planned'], 'active');
  requireStarted(release, 'active', at);
  return next(release, { state: 'active', startsAt: release.startsAt ?? at });
};

/** `active -> planned`; the window goes on. @throws DomainError `release-state` */
export const park = (release: Release): Release => {
  from(release, ['active'], 'planned');
  return next(release, { state: 'planned' });
};

/** `active -> shipped`; ends the window. @throws DomainError `release-state`, also before its start */
export const ship = (release: Release, at: Instant, note: string | null): Release => {
  from(release, ['active'], 'shipped');
  requireStarted(release, 'shipped', at);
  return next(release, { state: 'shipped', shippedAt: at, note });
};

/** `planned | active -> canceled`; ends the window. @throws DomainError `release-state` */
export const cancel = (release: Release, at: Instant): Release => {
  from(release, ['planned', 'active'], 'canceled');
  return next(release, { state: 'canceled', canceledAt: at });
};
