import type { ChecklistItem } from '../checklist.js';
import { DomainError, invalid } from '../errors.js';
import type { Page, PageRequest } from '../page.js';
import type { FrozenReport } from '../readiness/report.js';
import type { Instant, Interval } from '../time.js';

export const RELEASE_STATES = ['planned', 'active', 'shipped', 'canceled'] as const;
export type ReleaseState = (typeof RELEASE_STATES)[number];

/** What may ship. A project has at most one active release. */
export interface Release {
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project. */
  readonly name: string;
  readonly state: ReleaseState;
  /** Start of the release window: given, or the moment of the first activation; null: the release has no window yet. */
  readonly startsAt: Instant | null;
  readonly targetAt: Instant | null;
  readonly shippedAt: Instant | null;
  readonly canceledAt: Instant | null;
  /** The note that was given when it shipped. */
  readonly note: string | null;
  /** The external id of the milestone it was made from or adopted by, unique within the project; null: none. */
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAt: Instant;
}

/** A release by name with its window. */
export interface ReleaseWindow {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Instant;
  readonly endsAt: Instant | null;
  /** When it shipped, and its report was frozen; null: it has not shipped. */
  readonly shippedAt: Instant | null;
  /** The environments that count in it; null: all. Missing: those of its project's policy. */
  readonly environments?: readonly string[] | null;
}

/** Shipped or canceled: its report, checklist, issue membership and waivers no longer change. */
export const isClosed = (release: Pick<Release, 'state'>): boolean =>
  release.state === 'shipped' || release.state === 'canceled';

/** The release window `[startsAt, shippedAt or canceledAt)`; null while it has no start. Parking does not end it. */
export const windowOf = (release: Release): Interval | null =>
  release.startsAt === null ? null : { from: release.startsAt, to: release.shippedAt ?? release.canceledAt };

/**
 * A start is refused when this many other windows of the project end after it. So at most this many others hold one
 * moment, and each record counts for all releases whose window holds it.
 */
export const MOST_OTHER_WINDOWS = 50;

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

/**
 * `planned -> active`; the first activation starts the window unless a start was given. An active one stays as it is.
 * @throws DomainError `release-state`, also before its start
 */
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

/** The members of a release that may be edited; missing members stay as they are. */
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

/** Which releases of a project a list holds. */
export interface ReleaseFilter {
  readonly projectId: string;
  readonly states?: readonly ReleaseState[];
  /** The name holds all of the words, in any case. */
  readonly text?: { readonly words: readonly string[] };
}

export type ReleaseSort = 'created' | 'name' | 'target';

/**
 * How a list of releases is sorted: names by their characters, targets with releases that have none last in both
 * directions. Equal ones are sorted by creation, then by id, in the same direction.
 */
export interface ReleaseOrder {
  readonly by: ReleaseSort;
  readonly descending: boolean;
}

/** Newest first. */
export const USUAL_RELEASE_ORDER: ReleaseOrder = { by: 'created', descending: true };

export interface ReleaseStore {
  /**
   * Stores a release with its first checklist, marked as changed at its `createdAt`; DomainError `name-taken`,
   * `external-id-conflict`.
   */
  create(release: Release, checklist: readonly ChecklistItem[]): Promise<void>;
  byId(releaseId: string): Promise<Release | undefined>;
  /** In the order asked; undefined where there is none. One query. */
  byExternalIds(projectId: string, externalIds: readonly string[]): Promise<readonly (Release | undefined)[]>;
  named(projectId: string, name: string): Promise<Release | undefined>;
  activeOf(projectId: string): Promise<Release | undefined>;
  /** In the usual order unless another one is asked for. */
  page(filter: ReleaseFilter, page: PageRequest, order?: ReleaseOrder): Promise<Page<Release>>;
  /** The last releases of a project that shipped before the moment, newest first (shippedAt, then id), `limit` at most. */
  shippedBefore(projectId: string, before: Instant, limit: number): Promise<readonly Release[]>;
  /** Releases of a project whose window holds the moment, newest first (createdAt, then id). */
  windowsAt(projectId: string, at: Instant): Promise<readonly ReleaseWindow[]>;
  /** How many other releases of the project have a window that ends after the moment, or has no end yet. */
  countOtherWindows(release: Pick<Release, 'id' | 'projectId'>, at: Instant): Promise<number>;
  /**
   * Stores `next` if the stored version is `next.version - 1`, and marks it as changed; DomainError `name-taken`,
   * `external-id-conflict`, `release-active`. A release that ships must do so after its last change (`changedAt` of its
   * revision): else records that its report counts would seem to be late.
   */
  replace(next: Release, changedAt: Instant): Promise<boolean>;
  /** Detaches all releases of the project from their milestones and returns how many; marks none as changed, since no report changes. */
  detachFromHost(projectId: string): Promise<number>;
  /** Stores the report that was true when the release shipped; does nothing when one is stored already. */
  freeze(releaseId: string, report: FrozenReport): Promise<void>;
  frozen(releaseId: string): Promise<FrozenReport | undefined>;
  /** In the order asked; undefined where none is kept. One query for any number. */
  frozenOf(releaseIds: readonly string[]): Promise<readonly (FrozenReport | undefined)[]>;
}

const membersOf = (value: object): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(value).filter(([, member]) => member !== undefined));

/**
 * Whether two values are the same as JSON. The order of members does not matter, and an undefined member counts as
 * missing.
 */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ours, theirs] = [membersOf(a), membersOf(b)];
  return ours.size === theirs.size && [...ours].every(([name, member]) => sameValue(member, theirs.get(name)));
};
