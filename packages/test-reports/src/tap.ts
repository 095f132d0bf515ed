import { BrokenReport, durationOf, type ReportReader, Tally } from './tally.js';

const DEEPEST = 1000;
/** Blanks by which subtests are indented. */
const STEP = 4;
/** Characters after which the rest of a line may be dropped; no test point and no plan is longer. */
const LONGEST = 65_536;

/** Reads TAP 12, 13 and 14 by lines: subtests, indented or in braces, count instead of the test point that sums them up. */
export class TapReader implements ReportReader {
  readonly #top = new TapLevel(0);
  #levels: TapLevel[] = [this.#top];
  /** Subtests that ended and wait for the test point that sums them up. */
  #ended: TapLevel | undefined;
  #line = 0;
  #left = '';
  /** Indentation of the YAML block the stream is in; undefined outside of one. */
  #yaml: number | undefined;
  /** Indentation of the test point on the line before; undefined where that line is none. */
  #pointIndent: number | undefined;
  #bailed = false;
  /** How many failures the comment lines after the last test point claim. */
  #claimed = 0;
  /** Lines that say "not ok" at an indentation that belongs to no level. They are ignored if any failure is listed. */
  #strayFailures = 0;
  #seconds: number | undefined;

  write(piece: string): void {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      this.#take(this.#left + piece.slice(start, end));
      this.#left = '';
      start = end + 1;
    }
    if (this.#left.length < LONGEST) this.#left += piece.slice(start);
  }

  end() {
    if (this.#left !== '') this.#take(this.#left);
    // The text taken for the block may hold a failed test or the end of an aborted run.
    if (this.#yaml !== undefined) throw new BrokenReport('is cut short: the YAML block does not end', this.#line);
    this.#closeTo(-1);
    const { tally, plan } = this.#top;
    if (plan === undefined && !this.#bailed) throw new BrokenReport('has no plan (1..N): it was cut short', this.#line);
    if (this.#bailed) tally.add('errored');
    tally.compareWithHead(this.#claimed);
    const stray = this.#strayFailures;
    if (stray > 0 && tally.isClean) {
      const lines = stray === 1 ? '1 line says' : `${stray} lines say`;
      tally.doubt(`${lines} "not ok" at an indentation where no test is read`, stray);
    }
    return tally.counts('tap', { durationSeconds: this.#seconds });
  }

  #take(raw: string): void {
    this.#line += 1;
    const line = withoutColours(raw).trimEnd();
    const indent = indentOf(line);
    const text = line.slice(indent);
    if (this.#yaml !== undefined) {
      if (indent <= this.#yaml && text === '...') this.#yaml = undefined;
      return;
    }
    const pointIndent = this.#pointIndent;
    this.#pointIndent = undefined;
    // Only `---` that is indented deeper than its test point begins a block. Any other one is output: taken for a block, it
    // would hide the tests that follow.
    if (pointIndent !== undefined && indent > pointIndent && text === '---') {
      this.#yaml = indent;
      return;
    }
    if (text.startsWith('Bail out!')) this.#bailed = true;
    else if (text === '}') this.#closeBraces(indent);
    else this.#takeTest(text, indent);
  }

  #takeTest(text: string, indent: number): void {
    const [point, plan] = [pointIn(text), planIn(text)];
    // What was dropped may have changed what the line says.
    if (text.length >= LONGEST && (point ?? plan) !== undefined)
      throw new BrokenReport(`has a test point or plan of more than ${LONGEST} characters`, this.#line);
    if (point !== undefined) {
      const level = this.#levelAt(indent);
      this.#pointIndent = level === undefined ? undefined : indent;
      // Remarks before this test point were output of a test, not the summary at the end.
      if (level !== undefined) this.#claimed = 0;
      else if (!point.ok && point.directive === undefined) this.#strayFailures += 1;
      if (point.opensBraces && level !== undefined) this.#levels.push(new TapLevel(indent + STEP, point));
      else level?.add(point, this.#takeEnded());
    } else if (plan !== undefined) {
      this.#levelAt(indent)?.takePlan(plan);
    } else if (indent === 0) this.#takeRemark(text);
  }

  #takeRemark(text: string): void {
    this.#claimed += claimedIn(text);
    if (text.startsWith('# duration_ms ')) {
      const length = durationOf(text.slice(14));
      this.#seconds = length === undefined ? undefined : length / 1000;
    }
  }

  /** Returns the level of an indentation: opens the next one, or closes deeper ones. undefined: it is only output. */
  #levelAt(indent: number): TapLevel | undefined {
    const deepest = this.#levels.at(-1)?.indent ?? 0;
    if (indent === deepest + STEP) {
      if (this.#levels.length > DEEPEST)
        throw new BrokenReport(`is nested more than ${DEEPEST} levels deep`, this.#line);
      this.#flush();
      this.#levels.push(new TapLevel(indent));
    } else if (indent % STEP !== 0 || indent > deepest) return undefined;
    else this.#closeTo(indent);
    return this.#levels.at(-1);
  }

  #closeTo(indent: number): void {
    for (let last = this.#levels.at(-1); last !== undefined && last.indent > indent; last = this.#levels.at(-1)) {
      this.#flush();
      last.close();
      if (this.#levels.length === 1) return;
      this.#levels.pop();
      if (last.parent === undefined) this.#ended = last;
      // A test whose name ends in a brace opens nothing.
      else this.#levels.at(-1)?.add(last.parent, last.isUntouched ? undefined : last);
    }
  }

  #closeBraces(indent: number): void {
    const at = this.#levels.findIndex(({ parent, indent: own }) => parent !== undefined && own === indent + STEP);
    if (at > 0) this.#closeTo(indent);
  }

  #takeEnded(): TapLevel | undefined {
    const ended = this.#ended;
    this.#ended = undefined;
    return ended;
  }

  /** Counts ended subtests that no test point summed up. */
  #flush(): void {
    const ended = this.#takeEnded();
    if (ended !== undefined) this.#levels.at(-1)?.tally.addAll(ended.tally);
  }
}

/** One level of a TAP stream: the stream itself, or the subtests of one test point. */
class TapLevel {
  readonly tally = new Tally();
  points = 0;
  plan: number | undefined;
  /** The test point that opened this level by a brace; undefined: the test point comes after its subtests. */
  readonly parent: TapPoint | undefined;

  constructor(
    readonly indent: number,
    parent?: TapPoint,
  ) {
    this.parent = parent;
  }

  /** Takes a plan. A second one with another number makes the plan NaN, which no number of test points fulfils. */
  takePlan(plan: number): void {
    this.plan = this.plan === undefined || this.plan === plan ? plan : Number.NaN;
  }

  /** Whether nothing was said on this level. */
  get isUntouched(): boolean {
    return this.points === 0 && this.plan === undefined;
  }

  /** Adds a test point of this level. Its subtests `inner`, where it has any, count instead of it. */
  add(point: TapPoint, inner: TapLevel | undefined): void {
    this.points += 1;
    if (inner === undefined || inner.tally.total + inner.tally.skipped === 0) this.#addLeaf(point, inner);
    else this.#addParent(point, inner.tally);
  }

  #addParent({ ok, directive }: TapPoint, tally: Tally): void {
    if (directive !== undefined) {
      // A test marked as todo or skipped is skipped with its subtests.
      tally.add('skipped', tally.failed + tally.errored);
      tally.failuresNotCounted += tally.failed + tally.errored;
      tally.failed = 0;
      tally.errored = 0;
    } else if (!ok && tally.isClean) tally.add('errored');
    this.tally.addAll(tally);
  }

  /** Counts one error if the number of test points is not the planned one, however far it is off. */
  close(): void {
    if (this.plan !== undefined && this.plan !== this.points) this.tally.add('errored');
  }

  #addLeaf({ ok, directive }: TapPoint, inner: TapLevel | undefined): void {
    // Not a failure that is listed and not counted: tools leave these out of the number of failures at the end.
    if (directive !== undefined) this.tally.add('skipped');
    // A suite without tests sums up nothing; one that failed could not be loaded.
    else if (inner === undefined) this.tally.add(ok ? 'passed' : 'failed');
    else if (!ok) this.tally.add('errored');
  }
}

/** A test point: `ok 3 - name # SKIP because`. */
interface TapPoint {
  readonly ok: boolean;
  readonly directive: 'skip' | 'todo' | undefined;
  /** Whether its subtests follow in braces. */
  readonly opensBraces: boolean;
}

// With the flag s, the dot matches CR, U+2028 and U+2029, too: a name may hold them.
const PASSED = /^ok(?=\s|$)(.*)$/s;
/** Less strict than PASSED: what looks like a failure counts as one. */
const FAILED = /^not\s+ok\b(.*)$/is;
const DIRECTIVE = /\s#\s*(?:(skip)\S*|(todo)\b)/i;

/** Reads a line without its indentation as a test point; undefined when it is none. */
const pointIn = (line: string): TapPoint | undefined => {
  const failed = FAILED.exec(line);
  const rest = (failed ?? PASSED.exec(line))?.[1];
  if (rest === undefined) return undefined;
  const directive = DIRECTIVE.exec(rest);
  return {
    ok: failed === null,
    directive: directive === null ? undefined : directive[1] === undefined ? 'todo' : 'skip',
    opensBraces: /\s\{$/.test(rest),
  };
};

/** The number of tests a plan announces; undefined when the line is no plan. */
const planIn = (line: string): number | undefined => {
  const last = /^1\.\.(\d{1,9})\s*(?:#.*)?$/s.exec(line)?.[1];
  return last === undefined ? undefined : Number(last);
};

const FOOTERS = [
  // `# fail 1` of mocha, tape and node:test, with `# cancelled 1` of node:test; `# failures: 1` of others.
  /^#\s*(?:fail|failed|failures|failing|cancelled)\s*[:=]?\s*(\d{1,9})\b/i,
  /^#\s*(?:errors|errored)\s*[:=]?\s*(\d{1,9})$/i,
  // `# 1 failed`, `# 1 of 3 tests failed`.
  /^#\s*(\d{1,9})\s+(?:of\s+\d+\s+)?(?:tests?\s+)?(?:failed|failures?|failing|errors?)$/i,
  // The summary of Perl's Test::More.
  /^# Looks like you failed (\d{1,9}) tests? of /,
  /^# Looks like your test (?:exited|died)/,
  /^#\s+Failed test\b/,
];

/** The failures a line at the end of a stream claims; 0 when it claims none. */
const claimedIn = (line: string): number => {
  for (const footer of FOOTERS) {
    const found = footer.exec(line);
    if (found !== null) return Number(found[1] ?? 1);
  }
  return 0;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** A line, or the beginning of one, without the escape sequences by which terminals are told colours. */
export const withoutColours = (line: string): string => (line.includes('\u001b') ? line.replace(ESCAPES, '') : line);

/** How far a line is indented, in characters. */
const indentOf = (line: string): number => line.length - line.trimStart().length;
