import type { NotCounted } from '@shipworthy/client';
import { lastingText } from '../../wording/moments.js';

/** An environment and how many deployments went there. */
interface EnvironmentCount {
  readonly environment: string;
  readonly count: number;
}

/** The environments deployments went to, the busiest first, then by name. */
export const countByEnvironment = (
  deployments: readonly { readonly environment: string }[],
): readonly EnvironmentCount[] => {
  const counts = new Map<string, number>();
  for (const { environment } of deployments) counts.set(environment, (counts.get(environment) ?? 0) + 1);
  return [...counts]
    .map(([environment, count]) => ({ environment, count }))
    .sort((one, other) => other.count - one.count || one.environment.localeCompare(other.environment, 'en'));
};

/** Few deployments take longer, in seconds; for most that seem to, the pipeline ended without a report. */
const LONG = 3_600;

/** How long a deployment has been under way, and what to ask when that is too long. Moments in milliseconds since the epoch. */
export const inProgressText = (startedAt: number, now: number): string => {
  const seconds = Math.max(0, (now - startedAt) / 1000);
  const lasting = `for ${lastingText(seconds)}`;
  return seconds < LONG ? lasting : `${lasting}: did the pipeline end without a report?`;
};

export type Why = NotCounted['reason'];

/** Why a record counts for no release, and what to do about it. */
interface WhyNot {
  readonly why: string;
  readonly todo: string;
  /** The screen on which to do it: its title, and the end of its address after that of the project. */
  readonly where?: readonly [title: string, end: string];
}

const REPORTED_AFTER_SHIPPING: WhyNot = {
  why: 'Its release had shipped when the report came.',
  todo: 'Nothing: the report a release shipped with does not change. The live view counts it.',
};

const DEPLOYMENT: Readonly<Record<Extract<NotCounted, { readonly deployment: unknown }>['reason'], WhyNot>> = {
  no_release_window: {
    why: 'No release was open when it started.',
    todo: 'Activate the next release before deploying for it, or let its window start earlier.',
    where: ['Releases', ''],
  },
  environment_not_counted: {
    why: 'Its environment is not in the policy.',
    todo: 'If it should count, name the environment in the gate policy.',
    where: ['Gate policy', '/settings/policy'],
  },
  still_in_progress: {
    why: 'It has not finished.',
    todo: 'It counts as soon as the pipeline reports its result.',
  },
  rollback_pending_outcome: {
    why: 'It is a rollback, which counts neither for nor against a release.',
    todo: 'Nothing: what matters is the deployment that it undid.',
  },
  release_frozen: REPORTED_AFTER_SHIPPING,
};

const TEST_RUN: Readonly<Record<Extract<NotCounted, { readonly test_run: unknown }>['reason'], WhyNot>> = {
  no_release_window: { why: 'Its release was removed.', todo: 'Record it for another release.' },
  superseded_by_newer_run: {
    why: 'A newer run counts.',
    todo: 'Nothing: the latest run is what counts.',
  },
  set_aside: { why: 'An owner set it aside.', todo: 'Record a newer run of the suite.' },
  other_suite_set_aside: {
    why: 'The latest run of another suite is set aside.',
    todo: 'Record a newer run of that suite.',
  },
  release_frozen: REPORTED_AFTER_SHIPPING,
};

export const whyNot = (row: NotCounted): WhyNot =>
  'deployment' in row ? DEPLOYMENT[row.reason] : TEST_RUN[row.reason];
