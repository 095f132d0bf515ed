import type { NotCounted } from '@shipworthy/client';

export type Why = NotCounted['reason'];

/** Why a record counts for no release, and what to do about it. */
export interface WhyNot {
  readonly why: string;
  readonly todo: string;
  /** Behind the project's address: where to do it. */
  readonly where?: readonly [title: string, end: string];
}

const FROZEN: WhyNot = {
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
    why: 'The policy leaves its environment out.',
    todo: 'If it should count, name the environment in the gate policy.',
    where: ['Gate policy', '/settings/policy'],
  },
  still_in_progress: {
    why: 'It has not finished.',
    todo: 'It counts as soon as the pipeline tells how it ended.',
  },
  rollback_pending_outcome: {
    why: 'It is a rollback, which counts neither for nor against a release.',
    todo: 'Nothing: what matters is the deployment that it undid.',
  },
  release_frozen: FROZEN,
};

const TEST_RUN: Readonly<Record<Extract<NotCounted, { readonly test_run: unknown }>['reason'], WhyNot>> = {
  no_release_window: { why: 'Its release is not there any more.', todo: 'Record it for another release.' },
  superseded_by_newer_run: {
    why: 'A newer run counts.',
    todo: 'Nothing: the latest run is what counts.',
  },
  set_aside: { why: 'An owner set it aside.', todo: 'Record a newer run of the suite.' },
  release_frozen: FROZEN,
};

export const whyNot = (row: NotCounted): WhyNot =>
  'deployment' in row ? DEPLOYMENT[row.reason] : TEST_RUN[row.reason];
