import { SaxesParser } from 'saxes';
import { BrokenReport } from '../broken-report.js';
import type { ReportReader } from '../report-counts.js';
import { Tally } from '../tally.js';
import { Attempts } from './attempts.js';
import { SuiteTimes } from './suite-times.js';
import { type Attributes, noteChild, openedCase, outcomeOf, type TestCase } from './test-case.js';
import { withoutCharacterData } from './without-character-data.js';

/** Writers that never write an attempt, but allow tests of one name: what is repeated there is another test. Names of the root ... */
const ROOTS_WITHOUT_ATTEMPTS: ReadonlySet<string> = new Set(['Mocha Tests', 'jest tests', 'vitest tests']);
/** ... and the class that node:test gives to every test. */
const CLASS_WITHOUT_ATTEMPTS = 'test';
/** Neither changes what is counted: characters that XML forbids, as tools print them into messages. */
const HARMLESS = /: (disallowed character\.|malformed character entity\.)$/;
const READABLE = /^(utf-?8|utf-?16|utf-16[lb]e|us-ascii|ascii)$/i;
const DEEPEST = 1000;

interface Suite {
  readonly attempts: Attempts;
  readonly saysBroken: boolean;
  holdsTests: boolean;
}

/** The parser's sentence without its position and full stop; what was cut short is said as such. */
const inWords = (message: string): string => {
  const said = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
  const unclosed = /^unclosed tag: (.*)$/.exec(said)?.[1];
  return unclosed === undefined ? `is not well-formed: ${said}` : `is cut short: <${unclosed}> does not end`;
};

const isPositive = (text: string | undefined): boolean => Number(text) > 0;

/** Reads the JUnit XML of mocha, node:test, playwright, jest-junit, pytest, surefire, gradle, gtest and their kin. Entities are never expanded. */
export class JunitReader implements ReportReader {
  readonly #tally = new Tally();
  readonly #times = new SuiteTimes();
  readonly #parser = new SaxesParser();
  readonly #filter = withoutCharacterData();
  readonly #suites: Suite[] = [];
  #case: TestCase | undefined;
  /** Elements open below a suite, or a case, that are neither; what is in them is not looked at, save a case's own children. */
  #others = 0;
  #depth = 0;
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
    parser.on('doctype', (doctype) => {
      if (doctype.includes('[')) this.#break('declares entities of its own, which are not expanded');
    });
    parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    parser.on('closetag', ({ name }) => this.#close(name));
  }

  write(piece: string): void {
    this.#parser.write(this.#filter.pass(piece));
  }

  end() {
    this.#parser.write(this.#filter.rest());
    this.#parser.close();
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
    if (this.#others > 0) this.#others += 1;
    else if (this.#case !== undefined) {
      noteChild(this.#case, name, attributes);
      this.#others = 1;
    } else if (isSuite) this.#openSuite(name, attributes);
    else if (name === 'testcase') this.#openCase(attributes);
    else {
      // A suite that is itself in error could not be loaded, or taken down.
      if (name === 'error' || name === 'failure') this.#addBroken();
      this.#others = 1;
    }
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
    const saysBroken = name === 'testsuite' && (isPositive(attributes.errors) || isPositive(attributes.failures));
    this.#suites.push({ attempts: new Attempts(this.#tally), saysBroken, holdsTests: false });
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
      // Without a test in it, what its head says is the only trace of a suite that did not load.
      if (suite?.saysBroken && !suite.holdsTests) this.#addBroken();
    }
  }

  #closeCase(testCase: TestCase): void {
    this.#case = undefined;
    for (const suite of this.#suites) suite.holdsTests = true;
    const outcome = outcomeOf(testCase);
    if (this.#retries) this.#suites.at(-1)?.attempts.add(testCase.identity, outcome);
    else this.#tally.add(outcome);
  }
}
