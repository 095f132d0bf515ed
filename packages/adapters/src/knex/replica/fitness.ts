/** Why a replica is not read: too far behind, no replica of this very database, or no answer. */
export type Unfit = 'behind' | 'stranger' | 'failed';

/** Whether a replica is worth asking. */
export interface Fitness {
  readonly fit: boolean;
  /** A read found it unfit. It rests then, the longer the sooner that happens again. */
  failed(cause: Unfit): void;
  /** Whether it has rested and is to be looked at; true once for each look, which ends with `looked`. */
  takeLook(): boolean;
  /** What the look found; null: it is fit again. */
  looked(cause: Unfit | null): void;
}

/** The first rest and the longest one, in milliseconds. */
const FIRST_REST = 100;
const LONGEST_REST = 5000;

/** `now` is in milliseconds and never goes back; `changed` is told why the replica is unfit, and null when it is fit again. */
export const fitness = (now: () => number, changed: (cause: Unfit | null) => void): Fitness => {
  let fit = true;
  let looking = false;
  let rest = 0;
  let restUntil = 0;
  let fitSince = now();
  const layDown = (longest: number): void => {
    rest = Math.min(Math.max(rest * 2, FIRST_REST), longest);
    restUntil = now() + rest;
  };
  return {
    get fit() {
      return fit;
    },
    failed: (cause) => {
      // Reads that began while it was fit may all end after that is known.
      if (!fit) return;
      fit = false;
      layDown(now() - fitSince > LONGEST_REST ? FIRST_REST : LONGEST_REST);
      changed(cause);
    },
    takeLook: () => {
      if (fit || looking || now() < restUntil) return false;
      looking = true;
      return true;
    },
    looked: (cause) => {
      looking = false;
      if (cause !== null) return layDown(LONGEST_REST);
      fit = true;
      fitSince = now();
      changed(null);
    },
  };
};
