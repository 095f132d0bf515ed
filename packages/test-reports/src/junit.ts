import { SaxesParser } from 'saxes';
import {
  Attempts,
  BrokenReport,
  durationOf,
  laterOf,
  momentOf,
  type Outcome,
  type ReportReader,
  type ReportTimes,
  Tally,
} from './tally.js';
import { refuseExcess, withoutCharacterData } from './without-character-data.js';

/** Root names of writers that write no attempts but allow tests of one name: a repeated name is another test. */
const ROOTS_WITHOUT_ATTEMPTS: ReadonlySet<string> = new Set(['Mocha Tests', 'jest tests', 'vitest tests']);
/** The class that node:test gives to every test. It writes no attempts either. */
const CLASS_WITHOUT_ATTEMPTS = 'test';
/** Errors that do not change the counts: characters that XML forbids, as tools print them into messages. */
const HARMLESS = /: (disallowed character\.|malformed character entity\.)$/;
const READABLE = /^(utf-?8|utf-?16|utf-16[lb]e|us-ascii|ascii)$/i;
const DEEPEST = 1000;

interface Suite {
  readonly attempts: Attempts;
  /** Failures and errors that its own head claims. */
  readonly claimed: number;
  readonly isList: boolean;
  /** Failures and errors that the heads of the suites in it claim. */
  claimedWithin: number;
  holdsTests: boolean;
}

/** Elements of a suite or a case whose content is free text: elements in them are never counted as tests. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  ...['system-out', 'system-err', 'properties', 'failure', 'error', 'skipped'],
  ...['rerunfailure', 'rerunerror', 'flakyfailure', 'flakyerror'],
]);
/** Names of tests and suites, those of other formats too. */
const TESTS: ReadonlySet<string> = new Set([
  ...['testcase', 'testsuite', 'testsuites', 'test', 'test-case', 'test-suite'],
]);
/** Children of a suite that could not be loaded, or whose clean-up failed. */
const RESULTS: ReadonlySet<string> = new Set(['failure', 'error']);
/** Names under which a failure may be hidden in an element that is not known. */
const FAILURES: ReadonlySet<string> = new Set(['failure', 'error', 'failed', 'fail', 'errored']);
/** Attributes of a suite that count its failures, and its errors; the first of each is the usual one. */
const COUNTS_OF_FAILURES = [
  ['failures', 'failure', 'failed'],
  ['errors', 'error', 'errored'],
] as const;

/** Returns the parser's message without position and full stop; an unclosed tag means a report that is cut short. */
const inWords = (message: string): string => {
  const words = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
  const unclosed = /^unclosed tag: (.*)$/.exec(words)?.[1];
  return unclosed === undefined ? `is not well-formed: ${words}` : `is cut short: <${unclosed}> does not end`;
};

/** The name of an element without its prefix. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads the JUnit XML of mocha, node:test, playwright, jest-junit, pytest, surefire, gradle, gtest and their kin. Entities are never expanded. */
export class JunitReader implements ReportReader {
  readonly #tally = new Tally();
  readonly #times = new SuiteTimes();
  readonly #parser = new SaxesParser();
  readonly #filter = withoutCharacterData();
  readonly #suites: Suite[] = [];
  #case: TestCase | undefined;
  /** Number of open elements that are neither a suite nor a case, such as system-out and the elements in it. */
  #others = 0;
  /** Name of the outermost of those elements. */
  #other = '';
  #depth = 0;
  /** Failures and errors that the heads claim. */
  #claimed = 0;
  #retries = true;
  /** Whether the root is a list of suites. */
  #isList = false;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      if (!HARMLESS.test(error.message)) this.#break(inWords(error.message));
    });
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (!READABLE.test(encoding)) this.#break(`is encoded in ${encoding}; write it in UTF-8 or UTF-16`);
    });
    refuseExcess(parser, (what) => this.#break(what));
    parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes));
    parser.on('closetag', ({ name }) => this.#close(localName(name)));
  }

  write(piece: string): void {
    this.#parser.write(this.#filter.pass(piece));
  }

  end() {
    this.#parser.write(this.#filter.rest());
    this.#parser.close();
    // Where a test failed, head and list may differ: some writers count other things at the head. Where none failed, every failure
    // claimed at the head must be listed, as an earlier attempt of a passed test or as a test that is to be fixed later.
    this.#tally.compareWithHead(this.#claimed, { precise: this.#tally.isClean });
    return this.#tally.counts('junit', this.#times.times);
  }

  #break(what: string): never {
    throw new BrokenReport(what, this.#parser.line);
  }

  #open(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.#break(`is nested more than ${DEEPEST} elements deep`);
    const isSuite = name === 'testsuite' || name === 'testsuites';
    if (this.#depth === 1 && !isSuite)
      this.#break(`begins with <${name}>; JUnit begins with <testsuites> or <testsuite>`);
    if (this.#others > 0) this.#openWithin(name);
    else if (this.#case !== undefined) {
      noteChild(this.#case, name.toLowerCase(), attributes);
      this.#openOther(name, 'testcase');
    } else if (isSuite) this.#openSuite(name, attributes);
    else if (name === 'testcase') this.#openCase(attributes);
    else {
      this.#noteSuiteChild(name.toLowerCase());
      this.#openOther(name, 'testsuite');
    }
  }

  /** Counts an error for a suite with a failure or error of its own: it could not be loaded, or its clean-up failed. */
  #noteSuiteChild(name: string): void {
    if (!saysFailure(statedOutcome(name))) return;
    if (!RESULTS.has(name)) this.#tally.noteUnknownElement(name, 'suite');
    this.#addBroken();
  }

  #openOther(name: string, parent: string): void {
    if (TESTS.has(name.toLowerCase())) this.#break(`holds <${name}> within <${parent}>, which is not understood`);
    this.#other = name;
    this.#others = 1;
  }

  /** Refuses a test or a failure within an unknown element: it would not be counted. Other content is ignored. */
  #openWithin(name: string): void {
    this.#others += 1;
    const inner = name.toLowerCase();
    if (FREE_TEXT.has(this.#other.toLowerCase()) || !(TESTS.has(inner) || FAILURES.has(inner))) return;
    this.#break(`holds <${name}> within <${this.#other}>, which is not understood`);
  }

  #openCase(attributes: Attributes): void {
    if (attributes.classname === CLASS_WITHOUT_ATTEMPTS) this.#retries = false;
    if (this.#depth === 2 && this.#isList) this.#times.noteLooseTest();
    this.#case = openedCase(attributes);
  }

  #openSuite(name: string, attributes: Attributes): void {
    if (ROOTS_WITHOUT_ATTEMPTS.has(attributes.name ?? '') && this.#depth === 1) this.#retries = false;
    const isRootSuite = name === 'testsuite' && this.#depth === 1;
    this.#isList ||= name === 'testsuites' && this.#depth === 1;
    this.#times.note(isRootSuite ? 1 : this.#depth - 1, name === 'testsuites', attributes);
    this.#suites.push({
      attempts: new Attempts(this.#tally),
      claimed: this.#claimedBy(attributes),
      isList: name === 'testsuites',
      claimedWithin: 0,
      holdsTests: false,
    });
  }

  /** The failures and errors that a suite's head claims; a blank attribute says nothing. */
  #claimedBy(attributes: Attributes): number {
    let sum = 0;
    for (const names of COUNTS_OF_FAILURES)
      sum += Math.max(
        ...names.map((name) =>
          this.#tally.countAtHead(name, attributes[name]?.trim() === '' ? undefined : attributes[name]),
        ),
      );
    return sum;
  }

  #addBroken(): void {
    this.#tally.add('errored');
    for (const suite of this.#suites) suite.holdsTests = true;
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (this.#others > 0) this.#others -= 1;
    else if (this.#case !== undefined) this.#closeCase(this.#case);
    else if (name === 'testsuite' || name === 'testsuites') {
      const suite = this.#suites.pop();
      if (suite !== undefined) this.#closeSuite(suite);
    }
  }

  #closeSuite({ claimed, claimedWithin, isList, holdsTests }: Suite): void {
    const all = Math.max(claimed, claimedWithin);
    const parent = this.#suites.at(-1);
    if (parent === undefined) this.#claimed = all;
    else parent.claimedWithin += all;
    // When a suite has no test, the counts of its head are the only trace that it did not load.
    if (isList || claimed === 0 || holdsTests) return;
    this.#tally.errorsFromHead += 1;
    this.#addBroken();
  }

  #closeCase(testCase: TestCase): void {
    this.#case = undefined;
    for (const suite of this.#suites) suite.holdsTests = true;
    const outcome = outcomeOf(testCase, this.#tally);
    const { identity } = testCase;
    // Counted directly, not as an attempt: a later pass of the test would remove the error, but the doubt would stay.
    if (outcome === 'doubted') this.#tally.add('errored');
    else if (this.#retries && identity !== undefined) this.#suites.at(-1)?.attempts.add(identity, outcome);
    else this.#tally.add(outcome);
  }
}

type Attributes = Readonly<Record<string, string>>;

/** The parts of a testcase element read so far. */
interface TestCase {
  /** The same for all attempts of a test; undefined without a name, or with characters that could not be decoded. */
  readonly identity: string | undefined;
  readonly stated: StatedOutcome | undefined;
  readonly children: Set<string>;
  /** Failed earlier attempts of a test that passed. */
  flakes: number;
  /** The name of an unknown child; undefined: all are known. */
  unknownChild: string | undefined;
}

/** Children that say nothing of how a test ended. PHPUnit counts a test with a warning as passed. */
const OTHER_CHILDREN: ReadonlySet<string> = new Set([
  ...['system-out', 'system-err', 'output', 'stdout', 'stderr', 'log', 'logs', 'trace', 'stacktrace'],
  ...['properties', 'property', 'parameters', 'metadata', 'measurement', 'annotations', 'tags', 'categories', 'traits'],
  ...['attachments', 'attachment', 'links', 'link', 'url', 'description', 'comment', 'reason', 'info', 'warning'],
]);

const PARTS = ['classname', 'name', 'file', 'line'] as const;

const identityOf = (attributes: Attributes): string | undefined => {
  const identity = PARTS.map((part) => attributes[part] ?? '').join('\u{0}');
  return (attributes.name ?? '') === '' || identity.includes('\u{fffd}') ? undefined : identity;
};

/** A testcase that opens. Two are the same test when class, name, file and line are the same. */
const openedCase = (attributes: Attributes): TestCase => ({
  identity: identityOf(attributes),
  // Gtest marks a disabled test by these attributes only; other writers put the outcome of any test in them.
  stated: statedOutcome(attributes.status, attributes.result, attributes.outcome),
  children: new Set(),
  flakes: 0,
  unknownChild: undefined,
});

/** Notes a child of a testcase, by its name in small letters. */
const noteChild = (testCase: TestCase, name: string, { type }: Attributes): void => {
  const { children } = testCase;
  if (name === 'skipped') children.add(type === 'todo' ? 'todo' : 'skipped');
  else if (name === 'failure' || name === 'rerunfailure') children.add('failure');
  else if (name === 'error' || name === 'rerunerror') children.add('error');
  else if (name === 'flakyfailure' || name === 'flakyerror') testCase.flakes += 1;
  else if (!OTHER_CHILDREN.has(name)) testCase.unknownChild ??= name;
};

/**
 * Returns the outcome of a testcase; `doubted` for an unknown word or child, which may mean a failure and is noted in
 * the tally. A failure that is to be fixed later (node:test's todo) is skipped. Failed earlier attempts of a test that
 * passed (flakyFailure, flakyError) do not count; further failed attempts (rerunFailure, rerunError) are of the same
 * test. Failures that do not count here, but may count in the head, are noted in the tally, too.
 */
export const outcomeOf = ({ children, flakes, stated, unknownChild }: TestCase, tally: Tally): Outcome | 'doubted' => {
  tally.failuresNotCounted += flakes;
  if (children.has('todo') && children.size > 1) tally.failuresNotCounted += 1;
  if (children.has('todo')) return 'skipped';
  if (children.has('failure')) return 'failed';
  if (children.has('error')) return 'errored';
  if (unknownChild !== undefined) {
    tally.noteUnknownElement(unknownChild, 'test');
    return 'doubted';
  }
  // An attribute that says failed wins over a child that says skipped.
  if (children.has('skipped') && !saysFailure(stated)) return 'skipped';
  if (stated === undefined) return 'passed';
  if ('outcome' in stated) return stated.outcome;
  tally.noteUnknown(stated.unknown);
  return 'doubted';
};

/** Words in the attributes status, result and outcome of a testcase, without case, blanks, dashes and underscores. */
const WORDS: Readonly<Record<Outcome, readonly string[]>> = {
  passed: [
    ...['run', 'ran', 'completed', 'executed', 'finished', 'notfailed'],
    ...['passed', 'pass', 'success', 'successful', 'succeeded', 'ok'],
  ],
  failed: ['failed', 'failure', 'fail', 'timeout', 'timedout', 'broken'],
  errored: ['error', 'errored'],
  skipped: ['skipped', 'skip', 'notrun', 'disabled', 'suppressed', 'ignored', 'pending', 'todo'],
};

const BY_WORD = new Map(
  (Object.keys(WORDS) as Outcome[]).flatMap((outcome) =>
    WORDS[outcome].map((word): readonly [string, Outcome] => [word, outcome]),
  ),
);

/** The worst of several words counts; an unknown word is worse than skipped or passed. */
const WORST_FIRST = ['failed', 'errored', 'unknown', 'skipped', 'passed'] as const;

/** The outcome by the attributes of a testcase; `unknown` is a word that is not in WORDS. */
export type StatedOutcome = { readonly outcome: Outcome } | { readonly unknown: string };

/** Returns the worst outcome that words say, such as the attributes status and result; undefined without a word. */
export const statedOutcome = (...attributes: readonly (string | null | undefined)[]): StatedOutcome | undefined => {
  const words = attributes
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim().toLowerCase())
    .filter((word) => word !== '');
  const stated = words.map((word) => BY_WORD.get(word.replace(/[\s_-]/g, '')) ?? 'unknown');
  const worst = WORST_FIRST.find((outcome) => stated.includes(outcome));
  if (worst === undefined) return undefined;
  return worst === 'unknown' ? { unknown: words[stated.indexOf(worst)] ?? '' } : { outcome: worst };
};

/** Whether the words say that a test failed or had an error. */
export const saysFailure = (stated: StatedOutcome | undefined): boolean =>
  stated !== undefined && 'outcome' in stated && (stated.outcome === 'failed' || stated.outcome === 'errored');

/** Gathers times of testsuites and testsuite elements: the root's length, else its suites' sum; the latest end. */
class SuiteTimes {
  #whole: number | undefined;
  #sum: number | undefined;
  #isWhole = true;
  #ranAt: number | undefined;

  /** `floor`: 0 for the root, 1 for the suites in it; what is deeper is part of those. */
  note(floor: number, isList: boolean, { time, timestamp }: Attributes): void {
    const length = durationOf(time);
    if (floor === 0) this.#whole = length;
    else if (floor === 1 && length !== undefined) this.#sum = (this.#sum ?? 0) + length;
    const start = momentOf(timestamp);
    // A list of suites with a start and no length gives no end time.
    if (start === undefined || (isList && length === undefined)) return;
    this.#ranAt = laterOf(this.#ranAt, Math.round(start + (length ?? 0) * 1000));
  }

  /** Notes a test outside of the suites: the sum of their lengths is then not the whole. */
  noteLooseTest(): void {
    this.#isWhole = false;
  }

  get times(): ReportTimes {
    return { durationSeconds: this.#whole ?? (this.#isWhole ? this.#sum : undefined), ranAt: this.#ranAt };
  }
}
