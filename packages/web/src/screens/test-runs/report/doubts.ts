/** Doubts with words of the report in them beyond this many are only counted. */
const MOST_DOUBTS = 5;
const LONGEST_WORD = 40;
/** A head that claims more claims nothing that could be stored. */
const MOST_CLAIMED = 1_000_000_000;

/** A doubt in words, for so many tests or suites that it holds for. */
type Doubt = (count: number) => string;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const have = (count: number, what: string): string => `${counted(count, what)} ${count === 1 ? 'has' : 'have'}`;

const short = (value: unknown): string => {
  const text = String(value);
  return text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
};

/** A count at the head of a report, thousands grouped or not; undefined for what is no number, or a negative one. */
export const headCount = (value: unknown): number | undefined => {
  const isText = typeof value === 'string' && value.trim() !== '';
  const count = isText ? Number(value.replaceAll(',', '')) : typeof value === 'number' ? value : Number.NaN;
  return count >= 0 && Number.isFinite(count) ? Math.min(Math.ceil(count), MOST_CLAIMED) : undefined;
};

/** What was counted from the elements of a report. */
interface Listed {
  /** Tests that ran, and those that were skipped. */
  readonly ran: number;
  readonly skipped: number;
  /** Failed and errored. */
  readonly failed: number;
}

/** Takes down what makes a report less than trustworthy; the same reports are doubted as the command doubts. */
export class Doubts {
  /** Failures that are listed and not counted: earlier attempts of a test that passed, tests that are to be mended later. */
  failuresNotCounted = 0;
  /** Errors that are counted among the outcomes and not listed: they follow from the head of a suite without tests. */
  errorsFromHead = 0;
  /** Errors that are to be counted besides the outcomes. */
  errors = 0;
  readonly #doubts = new Map<string, { readonly doubt: Doubt; readonly count: number }>();

  /** Notes a status that is no known one, of a test that counts as an error. Undefined where there is none. */
  noteUnknown(status: unknown): void {
    if (status === undefined) this.#note((count) => `${have(count, 'test')} no status`);
    else
      this.#note(
        (count) => `${have(count, 'test')} the status "${short(status)}", which is not known`,
        (count) => `${have(count, 'test')} other statuses, which are not known`,
      );
  }

  /** Notes an element that may say how its test or suite ended; the test or suite counts as an error. */
  noteUnknownElement(name: string, what: 'test' | 'suite'): void {
    this.#note(
      (count) => `${have(count, what)} the element <${short(name)}>, which is not known`,
      (count) => `${have(count, what)} other elements, which are not known`,
    );
  }

  /** A count that the head gives by this name, 0 where it does not. What is no number is doubted: it may say that tests failed. */
  countAtHead(name: string, value: unknown): number {
    if (value === undefined) return 0;
    const count = headCount(value);
    if (count !== undefined) return count;
    const isList = Array.isArray(value);
    const shown = isList ? 'a list' : typeof value === 'object' && value !== null ? 'an object' : `"${short(value)}"`;
    this.#note(
      () => `the count ${name} is ${shown}, which is no number`,
      (times) => `${counted(times, 'other count')} at the head ${times === 1 ? 'is no number' : 'are no numbers'}`,
    );
    this.errors += 1;
    return 0;
  }

  /**
   * Compares the failures and errors that the head claims with those that are listed, counted or not; what is missing counts as
   * errors. Heads disagree in many honest reports: only where nothing is listed the claimed ones count. Of a `precise` head, whose
   * format says what its figures are, every one counts that is missing in the list.
   */
  compareWithHead(
    claimed: number,
    { failed }: Pick<Listed, 'failed'>,
    { precise }: { readonly precise: boolean } = { precise: false },
  ): void {
    const listed = failed - this.errorsFromHead + this.failuresNotCounted;
    if (claimed <= listed || (listed > 0 && !precise)) return;
    this.#note(() => `the report says ${counted(claimed, 'failure')} but lists ${listed || 'none'}`);
    this.errors += Math.max(claimed - listed - this.errorsFromHead - this.errors, 0);
  }

  /** Compares the tests that the head says there are, or that it says `ran`, with those that are listed; missing ones are errors. */
  compareTestsWithHead(
    said: number,
    { ran, skipped }: Pick<Listed, 'ran' | 'skipped'>,
    which: { readonly ran: boolean } = { ran: false },
  ): void {
    const listed = ran - this.errorsFromHead + (which.ran ? 0 : skipped);
    const known = listed + this.errorsFromHead + this.errors;
    if (said <= known) return;
    const tests = `${counted(said, 'test')}${which.ran ? ' that ran' : ''}`;
    this.#note(() => `the report says ${tests} but lists ${listed || 'none'}`);
    this.errors += said - known;
  }

  get sentences(): readonly string[] {
    return [...this.#doubts.values()].map(({ doubt, count }) => doubt(count));
  }

  /** `others` says it where there are too many doubts with words of the report. */
  #note(doubt: Doubt, others?: Doubt): void {
    const isRoom = this.#doubts.has(doubt(1)) || this.#doubts.size < MOST_DOUBTS;
    const shown = others === undefined || isRoom ? doubt : others;
    this.#doubts.set(shown(1), { doubt: shown, count: (this.#doubts.get(shown(1))?.count ?? 0) + 1 });
  }
}
