import type { Round } from './alternate.js';
import { median } from './median.js';

export type Unit = 'per second' | 'ms' | 's' | 'MB' | 'kB' | 'requests' | 'queries';

/** What the design asks of a line: of the ratio to the baseline, or of the figure itself. */
export type Aim = { readonly of: 'ratio' | 'measured' } & ({ readonly least: number } | { readonly most: number });

/** One line of the table. */
export interface Line {
  readonly what: string;
  readonly against: string;
  readonly unit: Unit;
  /** Median over the rounds. */
  readonly measured: number;
  /** Median over the rounds. */
  readonly baseline: number;
  /** Median of the rounds' own ratios, so that a slow spell, which meets both sides of a round, cancels out. */
  readonly ratio: number;
  readonly rounds: number;
  readonly aims: readonly Aim[];
  /** Why the aims are out of reach at present and what would reach them, as sentences for the page; said only when one is missed. */
  readonly whyMissed?: string;
}

/** What a row yields: its lines, how many stored records were compared with what they should be, remarks for the page. */
export interface RowResult {
  readonly lines: readonly Line[];
  readonly verifiedRecords: number;
  readonly remarks: readonly string[];
}

/** The line of one contestant against another of the same rounds. */
export const lineOf = <Name extends string>(
  rounds: readonly Round<Name>[],
  measured: Name,
  baseline: Name,
  about: Pick<Line, 'what' | 'against' | 'unit' | 'aims' | 'whyMissed'>,
): Line => ({
  ...about,
  measured: median(rounds.map((round) => round[measured])),
  baseline: median(rounds.map((round) => round[baseline])),
  ratio: median(rounds.map((round) => round[measured] / round[baseline])),
  rounds: rounds.length,
});

const isReached = (aim: Aim, line: Line): boolean =>
  'least' in aim ? line[aim.of] >= aim.least : line[aim.of] <= aim.most;

/** Whether a line reaches all its aims; a line without aims is met. */
export const isMet = (line: Line): boolean => line.aims.every((aim) => isReached(aim, line));
