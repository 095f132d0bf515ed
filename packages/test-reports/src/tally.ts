/** Most doubts that are noted with words of the report; further ones are only counted. */
const MOST_DOUBTS = 5;
const LONGEST_WORD = 40;
/** The largest count that is read from a head; more could not be stored. */
const MOST_CLAIMED = 1_000_000_000;

/** Returns the sentence of a doubt about `count` tests, suites or lines. */
type Doubt = (count: number) => string;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const have = (count: number, what: string): string => `${counted(count, what)} ${count === 1 ? 'has' : 'have'}`;

const short = (value: unknown): string => {
  const text = String(value);
  return text.length > LONGEST_WORD ? `${text.slice(0, LONGEST_WORD)}…` : text;
};

/** Reads a count of a head, with or without commas between thousands; undefined if it is negative or no number. */
const headCount = (value: unknown): number | undefined => {
  const isText = typeof value === 'string' && value.trim() !== '';
  const count = isText ? Number(value.replaceAll(',', '')) : typeof value === 'number' ? value : Number.NaN;
  return count >= 0 && Number.isFinite(count) ? Math.min(Math.ceil(count), MOST_CLAIMED) : undefined;
};

/** Counts outcomes, and notes doubts about the report. */
export class Tally implements Record<Outcome, number> {
  passed = 0;
  failed = 0;
  errored = 0;
  skipped = 0;
  /** Failures that are listed and not counted: earlier attempts of a passed test, tests that are to be fixed later. */
  failuresNotCounted = 0;
  /** Errors among `errored` that are not listed, but follow from what a head says. */
  errorsFromHead = 0;
  /** The doubts by their sentence in the singular. */
  readonly #doubts = new Map<string, { readonly doubt: Doubt; readonly count: number }>();

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

  /** Adds the counts of subtests; their doubts are noted in the tally of the whole report. */
  addAll(other: Tally): void {
    for (const part of ['passed', 'failed', 'errored', 'skipped', 'failuresNotCounted'] as const)
      this[part] += other[part];
  }

  /** Notes a doubt and counts an error for an unknown status; undefined: the status is missing. */
  addUnknown(status: unknown, what: 'test' | 'file' = 'test'): void {
    this.add('errored');
    this.noteUnknown(status, what);
  }

  /** Notes a doubt about an unknown status, whose error is counted elsewhere; undefined: the status is missing. */
  noteUnknown(status: unknown, what: 'test' | 'file' = 'test'): void {
    if (status === undefined) this.note((count) => `${have(count, what)} no status`);
    else
      this.note(
        (count) => `${have(count, what)} the status "${short(status)}", which is not known`,
        (count) => `${have(count, 'test')} other statuses, which are not known`,
      );
  }

  /** Notes an element of a JUnit report that may say how its test or suite ended; its error is counted elsewhere. */
  noteUnknownElement(name: string, what: 'test' | 'suite'): void {
    this.note(
      (count) => `${have(count, what)} the element <${short(name)}>, which is not known`,
      (count) => `${have(count, what)} other elements, which are not known`,
    );
  }

  /** Notes a doubt whose errors are counted elsewhere. Once MOST_DOUBTS are noted, `others` replaces its sentence. */
  note(doubt: Doubt, others?: Doubt): void {
    const isRoom = this.#doubts.has(doubt(1)) || this.#doubts.size < MOST_DOUBTS;
    const shown = others === undefined || isRoom ? doubt : others;
    this.#doubts.set(shown(1), { doubt: shown, count: (this.#doubts.get(shown(1))?.count ?? 0) + 1 });
  }

  /** Notes a doubt about the report as a whole, and counts errors for what it does not list. */
  doubt(sentence: string, errors = 1): void {
    this.note(() => sentence);
    this.add('errored', errors);
    this.errorsFromHead += errors;
  }

  /** Returns a count of the head; 0 if missing. What is no number is an error: it may say that tests failed. */
  countAtHead(name: string, value: unknown): number {
    if (value === undefined) return 0;
    const count = headCount(value);
    if (count !== undefined) return count;
    this.note(
      () => `the count ${name} is "${short(value)}", which is no number`,
      (times) => `${counted(times, 'other count')} at the head ${times === 1 ? 'is no number' : 'are no numbers'}`,
    );
    this.add('errored');
    this.errorsFromHead += 1;
    return 0;
  }

  /**
   * Compares the failures and errors that the head claims with those that are listed, counted or not. Heads differ in
   * many correct reports, so the claimed ones count as errors only where none is listed. With `precise`, every claimed
   * one that is missing in the list counts: for formats that define these figures, and for reports that list no failed test.
   */
  compareWithHead(claimed: number, { precise }: { readonly precise: boolean } = { precise: false }): void {
    const listed = this.failed + this.errored - this.errorsFromHead + this.failuresNotCounted;
    if (claimed <= listed || (listed > 0 && !precise)) return;
    const missing = Math.max(claimed - listed - this.errorsFromHead, 0);
    this.doubt(`the report says ${counted(claimed, 'failure')} but lists ${listed || 'none'}`, missing);
  }

  /**
   * Compares the tests that the head says there are, or that it says `ran`, with those that are listed. A missing test
   * may have failed: it counts as an error. Call this after `compareWithHead`, whose errors are not counted twice.
   */
  compareTestsWithHead(said: number, { ran }: { readonly ran: boolean } = { ran: false }): void {
    const known = this.total + (ran ? 0 : this.skipped);
    if (said <= known) return;
    const listed = known - this.errorsFromHead;
    const tests = `${counted(said, 'test')}${ran ? ' that ran' : ''}`;
    this.doubt(`the report says ${tests} but lists ${listed || 'none'}`, said - known);
  }

  get doubts(): readonly string[] {
    return [...this.#doubts.values()].map(({ doubt, count }) => doubt(count));
  }

  counts(format: ReportFormat, { durationSeconds, ranAt }: ReportTimes): ReportCounts {
    const { total, passed, failed, errored, skipped, doubts } = this;
    return {
      format,
      total,
      passed,
      failed,
      errored,
      skipped,
      doubts,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(ranAt === undefined ? {} : { ranAt }),
    };
  }
}

/** Formats a report can be in; vitest writes the shape of jest. */
export const REPORT_FORMATS = ['junit', 'ctrf', 'tap', 'mocha', 'jest', 'vitest', 'playwright'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The outcome of a test. `errored`: it ran, and neither passed nor failed. `skipped`: it did not run, or its result is not to count. */
export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped';

/** The counts of a run, from the elements of its reports. */
export interface TestCounts {
  /** Tests that ran: passed, failed and errored. */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Outside of the total. */
  readonly skipped: number;
  /** Why the report is doubted, one sentence each; what it claims and does not list counts as errors. Mostly none. */
  readonly doubts: readonly string[];
  /** Seconds, where the report says so. */
  readonly durationSeconds?: number;
  /** End of the run in milliseconds since the epoch, where the report gives it with a time zone. */
  readonly ranAt?: number;
}

/** The counts of one report. */
export interface ReportCounts extends TestCounts {
  readonly format: ReportFormat;
}

/** Adds up reports of one run: counts and known lengths are added, and the run ended with the last report. */
export const sumOf = (reports: readonly TestCounts[]): TestCounts => {
  const sum = (of: (one: TestCounts) => number) => reports.reduce((all, one) => all + of(one), 0);
  const lengths = reports.map(({ durationSeconds }) => durationSeconds).filter((length) => length !== undefined);
  const ranAt = reports.map((one) => one.ranAt).reduce(laterOf, undefined);
  return {
    total: sum(({ total }) => total),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    errored: sum(({ errored }) => errored),
    skipped: sum(({ skipped }) => skipped),
    doubts: reports.flatMap(({ doubts }) => doubts),
    ...(lengths.length > 0 && { durationSeconds: lengths.reduce((all, one) => all + one, 0) }),
    ...(ranAt !== undefined && { ranAt }),
  };
};

/** Takes a report piece by piece. Both throw BrokenReport. */
export interface ReportReader {
  write(piece: string): void;
  end(): ReportCounts;
}

/** The times a report may name. */
export interface ReportTimes {
  readonly durationSeconds?: number | undefined;
  readonly ranAt?: number | undefined;
}

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const EARLIEST = Date.UTC(2000, 0);

/** Reads a moment as milliseconds since the epoch; undefined for no moment, no time zone, or one before 2000. */
export const momentOf = (value: unknown): number | undefined => {
  const ms =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && (WITH_ZONE.test(value) || HTTP_DATE.test(value))
        ? Date.parse(value)
        : Number.NaN;
  return ms >= EARLIEST && ms <= Number.MAX_SAFE_INTEGER ? Math.floor(ms) : undefined;
};

/**
 * Reads a duration, a number from 0 in the unit of the report, with or without commas between thousands (surefire writes
 * them); undefined for others.
 */
export const durationOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const length =
    typeof value === 'number' ? value : typeof value === 'string' ? Number(value.replaceAll(',', '')) : Number.NaN;
  return Number.isFinite(length) && length >= 0 ? length : undefined;
};

/** The later of two moments, either of which may be unknown. */
export const laterOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.max(one, other);

/** A report that cannot be counted: cut short, not well-formed, or of another kind. */
export class BrokenReport extends Error {
  override readonly name = 'BrokenReport';

  constructor(
    message: string,
    /** Line of the report, from 1; undefined where no line is to blame. */
    readonly line?: number,
  ) {
    super(message);
  }
}

/** What is known of an identity (class, name, file and line of a test): its last attempt, or that several tests share it. */
const [FAILED, ERRORED, PASSED, SEVERAL] = [1, 2, 3, 4] as const;

const SEEN = { failed: FAILED, errored: ERRORED, passed: PASSED } as const;

/** Failures and errors of one identity that later attempts replaced. */
interface Replaced {
  failed: number;
  errored: number;
}

/**
 * Counts a test that was tried several times once, by its last attempt. Results of one identity are attempts of one
 * test as long as they are failures, with at most one pass at the end: a test that passed is not retried. When an
 * identity comes again after a pass, it belongs to several tests, and each result counts, also those that were taken
 * for attempts. So the only mistake is with two tests of one name, the first failed and the second passed: they are
 * taken for a retry.
 */
export class Attempts {
  readonly #identities = new IdentityTable();
  readonly #replaced = new Map<number, Replaced>();
  #seen = new Uint8Array(64);

  constructor(private readonly tally: Tally) {}

  add(identity: string, outcome: Outcome): void {
    this.tally.add(outcome);
    // A skipped test is no attempt, and replaces none.
    if (outcome === 'skipped') return;
    const number = this.#identities.numberOf(identity);
    if (number >= this.#seen.length) this.#grow();
    this.#seen[number] = this.#after(number, SEEN[outcome]);
  }

  #after(number: number, now: typeof FAILED | typeof ERRORED | typeof PASSED): number {
    const before = this.#seen[number];
    if (before === SEVERAL) return SEVERAL;
    if (before === PASSED) {
      const { failed, errored } = this.#replaced.get(number) ?? { failed: 0, errored: 0 };
      this.tally.add('failed', failed);
      this.tally.add('errored', errored);
      this.tally.failuresNotCounted -= failed + errored;
      this.#replaced.delete(number);
      return SEVERAL;
    }
    if (before === FAILED || before === ERRORED) this.#replace(number, before === FAILED ? 'failed' : 'errored');
    return now;
  }

  #replace(number: number, outcome: 'failed' | 'errored'): void {
    const replaced = this.#replaced.get(number) ?? { failed: 0, errored: 0 };
    replaced[outcome] += 1;
    this.#replaced.set(number, replaced);
    this.tally.add(outcome, -1);
    this.tally.failuresNotCounted += 1;
  }

  #grow(): void {
    const seen = this.#seen;
    this.#seen = new Uint8Array(seen.length * 2);
    this.#seen.set(seen);
  }
}

/** Two lanes of 32 bits: FNV-1a (RFC 9923), and a product with the golden ratio's bits that is folded at every step. */
const lanesOf = (text: string): readonly [number, number] => {
  let [one, two] = [2166136261, text.length];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 16777619);
    two = Math.imul(two + code, 0x9e3779b1);
    two ^= two >>> 15;
  }
  return [one >>> 0, two >>> 0];
};

/**
 * Numbers texts from 0 in the order of their first use. Keeps 64 bits of each text instead of the text, in 24 to 48
 * bytes outside of the heap. With 200,000 texts, two of them share their bits in one of a billion reports.
 */
export class IdentityTable {
  #lanes = new Uint32Array(2 * 64);
  /** The number of each text plus one; 0: an empty place. */
  #numbers = new Uint32Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  numberOf(text: string): number {
    if (this.#size * 2 >= this.#numbers.length) this.#grow();
    const [one, two] = lanesOf(text);
    const at = this.#placeOf(one, two);
    if (this.#numbers[at] === 0) this.#put(at, one, two, ++this.#size);
    return (this.#numbers[at] ?? 0) - 1;
  }

  #put(at: number, one: number, two: number, number: number): void {
    this.#lanes[at * 2] = one;
    this.#lanes[at * 2 + 1] = two;
    this.#numbers[at] = number;
  }

  #placeOf(one: number, two: number): number {
    const mask = this.#numbers.length - 1;
    let at = (one ^ two) & mask;
    while (this.#numbers[at] !== 0 && (this.#lanes[at * 2] !== one || this.#lanes[at * 2 + 1] !== two))
      at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [lanes, numbers] = [this.#lanes, this.#numbers];
    this.#lanes = new Uint32Array(lanes.length * 2);
    this.#numbers = new Uint32Array(numbers.length * 2);
    for (const [index, number] of numbers.entries()) {
      if (number === 0) continue;
      const [one = 0, two = 0] = lanes.subarray(index * 2, index * 2 + 2);
      this.#put(this.#placeOf(one, two), one, two, number);
    }
  }
}
