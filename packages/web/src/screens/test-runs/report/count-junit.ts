import { testsOf } from './attempts.js';
import { BrokenReport } from './broken-report.js';
import { Doubts, headCount } from './doubts.js';
import { isResult, refuseHidden } from './hidden-tests.js';
import { countsOf, type Outcome, type ReportCounts } from './report-counts.js';
import { suiteTimes } from './suite-times.js';
import { identityOf, outcomeOf } from './test-case.js';
import { isSuite, type XmlElement } from './xml-element.js';

/** Writers that never write an attempt, but allow tests of one name: what is repeated there is another test. Names of the root ... */
const ROOTS_WITHOUT_ATTEMPTS: ReadonlySet<string> = new Set(['Mocha Tests', 'jest tests', 'vitest tests']);
/** ... and the class that node:test gives to every test. */
const CLASS_WITHOUT_ATTEMPTS = 'test';

/** Failures and errors that a suite's own head claims. */
const ownClaim = (suite: XmlElement): number =>
  headCount(suite.getAttribute('errors')) + headCount(suite.getAttribute('failures'));

/** Those that the heads of a suite and of the suites in it claim: a head may or may not sum up what is within it. */
const claimOf = (suite: XmlElement): number => {
  let within = 0;
  for (const child of suite.children) if (isSuite(child)) within += claimOf(child);
  return Math.max(ownClaim(suite), within);
};

/** The tests of a suite and those within it. A suite that is itself in error could not be loaded, or taken down. */
const testsIn = (suite: XmlElement, retries: boolean, doubts: Doubts): readonly Outcome[] => {
  const byIdentity = new Map<string, Outcome[]>();
  const others: Outcome[] = [];
  for (const child of suite.children) {
    if (isSuite(child)) for (const outcome of testsIn(child, retries, doubts)) others.push(outcome);
    else if (isResult(child)) others.push('errored');
    else if (child.localName === 'testcase') {
      const outcome = outcomeOf(child, doubts);
      const identity = identityOf(child);
      const isOnce = !retries || child.getAttribute('classname') === CLASS_WITHOUT_ATTEMPTS;
      if (isOnce || identity === undefined) others.push(outcome);
      else if (byIdentity.get(identity)?.push(outcome) === undefined) byIdentity.set(identity, [outcome]);
    } else refuseHidden(child, suite);
  }
  for (const outcomes of byIdentity.values()) {
    const tests = testsOf(outcomes);
    doubts.excused += outcomes.length - tests.length;
    others.push(...tests);
  }
  // Without a test in it, what its head says is the only trace of a suite that did not load.
  if (others.length > 0 || suite.localName !== 'testsuite' || ownClaim(suite) === 0) return others;
  doubts.assumed += 1;
  return ['errored'];
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
  const outcomes = testsIn(root, retries, doubts);
  const counted = outcomes.filter((outcome) => outcome === 'failed' || outcome === 'errored').length;
  const missing = doubts.missing(claimOf(root), counted);
  return countsOf(outcomes, suiteTimes(root), { errors: missing, doubts: doubts.sentences });
};
