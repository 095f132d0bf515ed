/** Other words than these are only counted. */
const MOST_WORDS = 5;
const LONGEST_WORD = 40;
/** A head that claims more claims nothing that could be stored. */
const MOST_CLAIMED = 1_000_000_000;

const failures = (count: number): string => `${count} ${count === 1 ? 'failure' : 'failures'}`;

const have = (count: number): string => (count === 1 ? '1 test has' : `${count} tests have`);

/** A count at the head of a report, thousands grouped or not; 0 for what is no count above 0. */
export const headCount = (value: unknown): number => {
  const count = typeof value === 'string' ? Number(value.replaceAll(',', '')) : typeof value === 'number' ? value : 0;
  return count > 0 ? Math.min(Math.ceil(count), MOST_CLAIMED) : 0;
};

/** Takes down what makes a report less than trustworthy; the same reports are doubted as the command doubts. */
export class Doubts {
  /** Failures that are listed and not counted: earlier attempts of a test that passed, tests that are to be mended later. */
  excused = 0;
  /** Errors that are counted and not listed: they follow from the head of a suite without tests. */
  assumed = 0;
  readonly #claims: string[] = [];
  readonly #words = new Map<string | undefined, number>();
  #otherWords = 0;

  /** Notes a status that is no known one, of a test that counts as an error. Undefined where there is none. */
  noteUnknown(status: unknown): void {
    const text = String(status);
    const shown = text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
    const key = status === undefined ? undefined : shown;
    if (this.#words.has(key) || this.#words.size < MOST_WORDS) this.#words.set(key, (this.#words.get(key) ?? 0) + 1);
    else this.#otherWords += 1;
  }

  /**
   * How many errors are to be counted besides the failures and errors that were counted, because the head claims them. Heads
   * disagree in many honest reports: only where nothing is listed the claimed ones count. Of a `precise` head, whose format says
   * what its figures are, every one counts that is missing in the list.
   */
  missing(claimed: number, counted: number, { precise }: { readonly precise: boolean } = { precise: false }): number {
    const listed = counted - this.assumed + this.excused;
    if (claimed <= listed || (listed > 0 && !precise)) return 0;
    this.#claims.push(`the report says ${failures(claimed)} but lists ${listed === 0 ? 'none' : listed}`);
    return Math.max(claimed - listed - this.assumed, 0);
  }

  get sentences(): readonly string[] {
    const words = [...this.#words].map(([word, count]) =>
      word === undefined ? `${have(count)} no status` : `${have(count)} the status "${word}", which is not known`,
    );
    const others = this.#otherWords === 0 ? [] : [`${have(this.#otherWords)} other statuses, which are not known`];
    return [...this.#claims, ...words, ...others];
  }
}
