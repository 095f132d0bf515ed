/** The value at a share (0-1) of the sorted values, nearest rank; NaN for no values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
};

/** The middle value, or the mean of the two in the middle; NaN for no values. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2;
};

export type Unit = 'per second' | 'µs' | 'ms' | 's' | 'MB' | 'kB' | 'requests' | 'queries';

/** The aim of a line: for the ratio to the baseline, or for the figure itself. */
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
export const comparedLine = <Name extends string>(
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

/** One figure of every contestant from the same round. */
export type Round<Name extends string, Figure = number> = { readonly [name in Name]: Figure };

/**
 * Runs the contestants one after the other, round after round (A B A B), so that a slow phase of the machine affects all of
 * them. Returns the figures round by round.
 */
export const alternate = async <Name extends string, Figure = number>(
  rounds: number,
  contestants: { readonly [name in Name]: () => Promise<Figure> },
): Promise<readonly Round<Name, Figure>[]> => {
  const names = Object.keys(contestants) as Name[];
  const figures: Round<Name, Figure>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const entries: [Name, Figure][] = [];
    for (const name of names) entries.push([name, await contestants[name]()]);
    figures.push(Object.fromEntries(entries) as Round<Name, Figure>);
  }
  return figures;
};
