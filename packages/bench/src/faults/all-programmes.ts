import type { FaultProgramme } from './fault-programme.js';

/** All programmes, in the order of the page. */
export const ALL_PROGRAMMES: readonly FaultProgramme[] = [];
