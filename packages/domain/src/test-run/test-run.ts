import type { ExternalId } from '../deployment/deployment.js';
import type { Instant } from '../instant.js';

/** That an owner says a run does not speak for its suite: it never counts, and nothing is verified until the suite has a newer one. */
export interface SetAside {
  /** 1-500 characters. */
  readonly reason: string;
  /** Name of the owner. */
  readonly by: string;
  readonly at: Instant;
}

/** One run of a test suite, counted in tests. `passed + failed <= total`; the rest errored. */
export interface TestRun {
  readonly id: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly suite: string | null;
  /** Tests that ran, at least 1. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Informative; never enters the rate. */
  readonly skipped: number | null;
  readonly commitSha: string | null;
  readonly url: string | null;
  readonly durationSeconds: number | null;
  /** Its effective time: when it ran as far as that is known, never after `recordedAt`. */
  readonly ranAt: Instant;
  readonly recordedAt: Instant;
  /** Name of the person or key that recorded it. */
  readonly recordedBy: string;
  readonly external: ExternalId | null;
  /** null: it is not set aside. */
  readonly setAside: SetAside | null;
}

/** What decides which of two runs is the later one: ranAt, then recordedAt, then id. */
export type RunOrder = Pick<TestRun, 'ranAt' | 'recordedAt' | 'id'>;
