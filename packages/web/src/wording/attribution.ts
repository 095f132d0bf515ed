import type { Deployment, TestRun } from '@shipworthy/client';
import { NOT_COUNTED } from './names.js';

/** What a deployment or test run counts for. */
export type Attribution = Deployment['attribution'] | TestRun['attribution'];

/** One release a record falls in, and why it does not count there; null: it counts. */
export interface Standing {
  readonly release: { readonly id: string; readonly name: string };
  readonly why: string | null;
}

export const standingsOf = ({ releases }: Attribution): readonly Standing[] =>
  releases.map(({ id, name, counts, reason }) => ({
    release: { id, name },
    why: counts ? null : reason === undefined ? 'it does not count' : NOT_COUNTED[reason],
  }));

/** Why a record falls in no release at all. */
export const outsideText = ({ axis }: Attribution): string =>
  axis === 'stability' ? 'no release was open when it started' : 'its release is not there any more';
