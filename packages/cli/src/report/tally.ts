import type { Outcome, ReportCounts, ReportFormat, ReportTimes } from './report-counts.js';

/** Other words than these are only counted. */
const MOST_WORDS = 5;
const LONGEST_WORD = 40;
/** A head that claims more claims nothing that could be stored. */
const MOST_CLAIMED = 1_000_000_000;

const failures = (count: number): string => `${count} ${count === 1 ? 'failure' : 'failures'}`;

const have = (count: number, what: string): string => `${count} ${count === 1 ? `${what} has` : `${what}s have`}`;

/** A count at the head of a report, thousands grouped or not; 0 for what is no count above 0. */
export const headCount = (value: unknown): number => {
  const count = typeof value === 'string' ? Number(value.replaceAll(',', '')) : typeof value === 'number' ? value : 0;
  return count > 0 ? Math.min(Math.ceil(count), MOST_CLAIMED) : 0;
};

/** Counts outcomes, and takes down what makes a report less than trustworthy. */
export class Tally implements Record<Outcome, number> {
  passed = 0;
  failed = 0;
  errored = 0;
  skipped = 0;
  /** Failures that are listed and not counted: earlier attempts of a test that passed, tests that are to be mended later. */
  excused = 0;
  /** Errors among `errored` that are not listed, but follow from the head of a suite without tests. */
  assumed = 0;
  readonly #claims: string[] = [];
  readonly #words = new Map<string, number>();
  #otherWords = 0;

  /** Tests that ran. */
  get total(): number {
    return this.passed + this.failed + this.errored;
  }

  /** Whether every test that ran passed. */
  get isClean(): boolean {
    return this.failed + this.errored === 0;
  }

  add(outcome: Outcome, times = 1): void {
    this[outcome] += times;
  }

  addAll(other: Tally): void {
    for (const part of ['passed', 'failed', 'errored', 'skipped', 'excused'] as const) this[part] += other[part];
  }

  /** Counts an error for a status that is no known one: what is not understood did not pass. Undefined where there is none. */
  addUnknown(status: unknown, what: 'test' | 'file' = 'test'): void {
    this.add('errored');
    this.noteUnknown(status, what);
  }

  /** Notes such a status where its error is counted elsewhere. */
  noteUnknown(status: unknown, what: 'test' | 'file' = 'test'): void {
    const text = String(status);
    const shown = text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
    const key = status === undefined ? what : `${what} ${shown}`;
    if (this.#words.has(key) || this.#words.size < MOST_WORDS) this.#words.set(key, (this.#words.get(key) ?? 0) + 1);
    else this.#otherWords += 1;
  }

  /**
   * Compares failures and errors the head claims with those that are listed, excused ones included. Heads disagree in many honest
   * reports: only where nothing is listed the claimed ones count, as errors. Of a `precise` head, whose format says what its
   * figures are, every one counts that is missing in the list.
   */
  claim(claimed: number, { precise }: { readonly precise: boolean } = { precise: false }): void {
    const listed = this.failed + this.errored - this.assumed + this.excused;
    if (claimed <= listed || (listed > 0 && !precise)) return;
    this.add('errored', Math.max(claimed - listed - this.assumed, 0));
    this.#claims.push(`the report says ${failures(claimed)} but lists ${listed === 0 ? 'none' : listed}`);
  }

  get doubts(): readonly string[] {
    const words = [...this.#words].map(([key, count]) => {
      const [what = '', ...word] = key.split(' ');
      if (word.length === 0) return `${have(count, what)} no status`;
      return `${have(count, what)} the status "${word.join(' ')}", which is not known`;
    });
    const others =
      this.#otherWords === 0 ? [] : [`${have(this.#otherWords, 'test')} other statuses, which are not known`];
    return [...this.#claims, ...words, ...others];
  }

  counts(format: ReportFormat, { durationSeconds, ranAt }: ReportTimes): ReportCounts {
    const { total, passed, failed, skipped, doubts } = this;
    return {
      format,
      total,
      passed,
      failed,
      skipped,
      doubts,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(ranAt === undefined ? {} : { ranAt }),
    };
  }
}
