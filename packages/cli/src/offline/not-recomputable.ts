import type { Recomputation } from '@shipworthy/domain/readiness';
import { EXIT } from '../exit-code.js';
import { Failure, VERDICT_NOT_RECOMPUTABLE } from '../failure.js';

const MOST_FAULTS = 20;

/** Why this version cannot tell whether a verdict follows from its facts; undefined: it can. */
const unknownTo = (again: Recomputation): readonly string[] | undefined => {
  switch (again.outcome) {
    case 'unknown_formula':
      return ['/formula: is of a later version'];
    case 'unknown_members':
      return again.members.map((pointer) => `${pointer}: is not known, and it comes out otherwise without it`);
    case 'unfit':
      return again.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
    default:
      return undefined;
  }
};

/** The failure (exit 5) of a verdict that this version cannot compute again; undefined where it can. */
export const notRecomputable = (again: Recomputation): Failure | undefined => {
  const faults = unknownTo(again);
  if (faults === undefined) return undefined;
  return new Failure(EXIT.unchecked, 'The verdict cannot be recomputed by this version of shipworthy.', {
    code: VERDICT_NOT_RECOMPUTABLE,
    faults: faults.slice(0, MOST_FAULTS),
    fixes: ['Update shipworthy. Until then do not deploy by this verdict.'],
  });
};
