import { testsOf } from './attempts.js';
import { BrokenReport } from './broken-report.js';
import { Doubts } from './doubts.js';
import { isResult, refuseHidden } from './hidden-tests.js';
import { countsOf, type Outcome, type ReportCounts } from './report-counts.js';
import { suiteTimes } from './suite-times.js';
import { identityOf, outcomeOf } from './test-case.js';
import { isSuite, type XmlElement } from './xml-element.js';

/** Writers that never write an attempt, but allow tests of one name: what is repeated there is another test. Names of the root ... */
const ROOTS_WITHOUT_ATTEMPTS: ReadonlySet<string> = new Set(['Mocha Tests', 'jest tests', 'vitest tests']);
/** ... and the class that node:test gives to every test. */
const CLASS_WITHOUT_ATTEMPTS = 'test';

/** Attributes of a suite that count its failures, and its errors; the first of each is the usual one. */
const COUNTS_OF_FAILURES = [
  ['failures', 'failure', 'failed'],
  ['errors', 'error', 'errored'],
] as const;

/** Failures and errors that a suite's own head claims; a blank attribute says nothing. */
const ownClaim = (suite: XmlElement, doubts: Doubts): number => {
  let sum = 0;
  for (const names of COUNTS_OF_FAILURES) {
    const counts = names.map((name) => {
      const value = suite.getAttribute(name) ?? '';
      return doubts.countAtHead(name, value.trim() === '' ? undefined : value);
    });
    sum += Math.max(...counts);
  }
  return sum;
};

/** The tests of a suite and of those within it, and the failures that their heads claim: a head may or may not sum up what is within. */
interface InSuite {
  readonly outcomes: readonly Outcome[];
  readonly claimed: number;
}

/** Reads a suite. One that is itself in error could not be loaded, or taken down. */
const readSuite = (suite: XmlElement, retries: boolean, doubts: Doubts): InSuite => {
  const own = ownClaim(suite, doubts);
  let within = 0;
  const byIdentity = new Map<string, Outcome[]>();
  const others: Outcome[] = [];
  for (const child of suite.children) {
    if (isSuite(child)) {
      const inner = readSuite(child, retries, doubts);
      within += inner.claimed;
      for (const outcome of inner.outcomes) others.push(outcome);
    } else if (isResult(child, doubts)) others.push('errored');
    else if (child.localName === 'testcase') {
      const outcome = outcomeOf(child, doubts);
      const identity = identityOf(child);
      const isOnce = !retries || child.getAttribute('classname') === CLASS_WITHOUT_ATTEMPTS;
      // Not an attempt: a pass that follows would take back the error that the doubt says is recorded.
      if (outcome === 'doubted') others.push('errored');
      else if (isOnce || identity === undefined) others.push(outcome);
      else if (byIdentity.get(identity)?.push(outcome) === undefined) byIdentity.set(identity, [outcome]);
    } else refuseHidden(child, suite);
  }
  for (const outcomes of byIdentity.values()) {
    const tests = testsOf(outcomes);
    doubts.failuresNotCounted += outcomes.length - tests.length;
    others.push(...tests);
  }
  const claimed = Math.max(own, within);
  // Without a test in it, what its head says is the only trace of a suite that did not load.
  if (others.length > 0 || suite.localName !== 'testsuite' || own === 0) return { outcomes: others, claimed };
  doubts.errorsFromHead += 1;
  return { outcomes: ['errored'], claimed };
};

/**
 * Counts JUnit XML from its elements; a test that was tried several times counts once. What its heads say counts only where they
 * claim failures and none is listed. Throws BrokenReport.
 */
export const countJunit = (root: XmlElement): ReportCounts => {
  if (!isSuite(root))
    throw new BrokenReport(`begins with <${root.localName}>; JUnit begins with <testsuites> or <testsuite>`);
  const retries = !ROOTS_WITHOUT_ATTEMPTS.has(root.getAttribute('name') ?? '');
  const doubts = new Doubts();
  const { outcomes, claimed } = readSuite(root, retries, doubts);
  const failed = outcomes.filter((outcome) => outcome === 'failed' || outcome === 'errored').length;
  doubts.compareWithHead(claimed, { failed });
  return countsOf(outcomes, suiteTimes(root), { errors: doubts.errors, doubts: doubts.sentences });
};
