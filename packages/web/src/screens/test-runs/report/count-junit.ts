import { testsOf } from './attempts.js';
import { BrokenReport } from './broken-report.js';
import { countsOf, type Outcome, type ReportCounts } from './report-counts.js';
import { suiteTimes } from './suite-times.js';
import { identityOf, outcomeOf } from './test-case.js';
import { isSuite, type XmlElement } from './xml-element.js';

/** Writers that never write an attempt, but allow tests of one name: what is repeated there is another test. Names of the root ... */
const ROOTS_WITHOUT_ATTEMPTS: ReadonlySet<string> = new Set(['Mocha Tests', 'jest tests', 'vitest tests']);
/** ... and the class that node:test gives to every test. */
const CLASS_WITHOUT_ATTEMPTS = 'test';

const saysBroken = (suite: XmlElement): boolean =>
  suite.localName === 'testsuite' &&
  ['errors', 'failures'].some((member) => Number(suite.getAttribute(member) ?? 0) > 0);

/** The tests of a suite and those within it. A suite that is itself in error could not be loaded, or taken down. */
const testsIn = (suite: XmlElement, retries: boolean): readonly Outcome[] => {
  const byIdentity = new Map<string, Outcome[]>();
  const others: Outcome[] = [];
  for (const child of suite.children) {
    if (isSuite(child)) for (const outcome of testsIn(child, retries)) others.push(outcome);
    else if (child.localName === 'error' || child.localName === 'failure') others.push('errored');
    else if (child.localName === 'testcase') {
      const outcome = outcomeOf(child);
      const identity = identityOf(child);
      if (!retries || child.getAttribute('classname') === CLASS_WITHOUT_ATTEMPTS) others.push(outcome);
      else if (byIdentity.get(identity)?.push(outcome) === undefined) byIdentity.set(identity, [outcome]);
    }
  }
  for (const outcomes of byIdentity.values()) others.push(...testsOf(outcomes));
  // Without a test in it, what its head says is the only trace of a suite that did not load.
  return others.length === 0 && saysBroken(suite) ? ['errored'] : others;
};

/** Counts JUnit XML from its elements, never from what its heads say; a test that was tried several times counts once. */
export const countJunit = (root: XmlElement): ReportCounts => {
  if (!isSuite(root))
    throw new BrokenReport(`begins with <${root.localName}>; JUnit begins with <testsuites> or <testsuite>`);
  const retries = !ROOTS_WITHOUT_ATTEMPTS.has(root.getAttribute('name') ?? '');
  return countsOf(testsIn(root, retries), suiteTimes(root));
};
