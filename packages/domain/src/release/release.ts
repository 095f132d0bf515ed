import type { Instant } from '../instant.js';

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
  /** What was said when it shipped. */
  readonly note: string | null;
  /** The milestone it was made from or adopted by, unique within the project; null: none. */
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
  /** From then on its report is frozen; null: it has not shipped. */
  readonly shippedAt: Instant | null;
}
