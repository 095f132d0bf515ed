import { engine } from './engine.js';
import type { Row } from './row.js';

/** All rows, in the order of the table. */
export const ALL_ROWS: readonly Row[] = [engine];
