import { BrokenReport } from './tally.js';

/** A part of a whole, as a report of a tool has it. */
export interface Measurement {
  readonly format: 'lcov' | 'cobertura' | 'lighthouse';
  /** 0 to `whole`. */
  readonly part: number;
  /** 1 at least. */
  readonly whole: number;
  /** Where the report contradicts itself, one sentence each; the lines in question count as not covered. */
  readonly doubts: readonly string[];
}

/** More lines than any program has: a report that lists more would only fill the memory. */
const MOST_LINES = 20_000_000;

/** The counts of lines that a head claims; undefined: it gives none. */
export interface ClaimedLines {
  readonly lines: number | undefined;
  readonly covered: number | undefined;
}

/**
 * Counts lines by file. A line may be listed several times, once for each test or class; it is one line, covered if one
 * entry is. Where a head claims more lines, or fewer covered ones, than are listed, the claim counts.
 */
export class CoveredLines {
  readonly #files = new Map<string, Map<number, boolean>>();
  readonly #doubts: string[] = [];
  #lines = 0;
  /** Lines that are claimed and not listed. */
  #unlisted = 0;
  /** Covered lines that are listed and not claimed. */
  #unclaimed = 0;

  add(file: string, line: number, isCovered: boolean): void {
    const lines = this.#files.get(file) ?? new Map<number, boolean>();
    this.#files.set(file, lines);
    const known = lines.get(line);
    if (known === undefined) this.#lines += 1;
    if (this.#lines > MOST_LINES) throw new BrokenReport(`lists more than ${MOST_LINES} lines`);
    lines.set(line, known === true || isCovered);
  }

  /** Compares what a head claims with what is listed under it. */
  compare(what: string, claimed: ClaimedLines, listed: { readonly lines: number; readonly covered: number }): void {
    const unlisted = Math.max(0, (claimed.lines ?? 0) - listed.lines);
    const unclaimed = Math.max(0, listed.covered - (claimed.covered ?? listed.covered));
    if (unlisted > 0) this.#doubt(`${what} says ${claimed.lines} lines and lists ${listed.lines}`);
    if (unclaimed > 0) this.#doubt(`${what} says ${claimed.covered} covered lines and lists ${listed.covered}`);
    this.#unlisted += unlisted;
    this.#unclaimed += unclaimed;
  }

  /** All lines and the covered ones among them, as they are listed. */
  get listed(): { readonly lines: number; readonly covered: number } {
    let covered = 0;
    for (const lines of this.#files.values()) for (const isCovered of lines.values()) if (isCovered) covered += 1;
    return { lines: this.#lines, covered };
  }

  end(format: Measurement['format']): Measurement {
    const { lines, covered } = this.listed;
    if (lines === 0) throw new BrokenReport('lists no line of code');
    return {
      format,
      part: Math.max(0, covered - this.#unclaimed),
      whole: lines + this.#unlisted,
      doubts: this.#doubts,
    };
  }

  #doubt(doubt: string): void {
    if (this.#doubts.length < 5) this.#doubts.push(doubt);
  }
}
