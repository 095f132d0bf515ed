import { BrokenReport } from './broken-report.js';
import type { Doubts } from './doubts.js';
import { saidBy, saysFailure } from './status-words.js';
import type { XmlElement } from './xml-element.js';

/** Elements of a suite or a case whose content is text of its own; no test is in them, whatever they look like. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  ...['system-out', 'system-err', 'properties', 'failure', 'error', 'skipped'],
  ...['rerunfailure', 'rerunerror', 'flakyfailure', 'flakyerror'],
]);
/** Names of tests and suites, those of other formats too. */
const TESTS: ReadonlySet<string> = new Set([
  ...['testcase', 'testsuite', 'testsuites', 'test', 'test-case', 'test-suite'],
]);
/** What a suite holds that could not be loaded, or taken down. */
const RESULTS: ReadonlySet<string> = new Set(['failure', 'error']);
/** Names under which a failure may be hidden in an element that is not known. */
const FAILURES: ReadonlySet<string> = new Set(['failure', 'error', 'failed', 'fail', 'errored']);

const hidden = (inner: XmlElement, outer: XmlElement): BrokenReport =>
  new BrokenReport(`holds <${inner.localName}> within <${outer.localName}>, which is not understood`);

const isIn = (names: ReadonlySet<string>, { localName }: XmlElement): boolean => names.has(localName.toLowerCase());

const refuseWithin = (outer: XmlElement, element: XmlElement): void => {
  for (const child of element.children) {
    if (isIn(TESTS, child) || isIn(FAILURES, child)) throw hidden(child, outer);
    refuseWithin(outer, child);
  }
};

/** Whether an element of a suite says that the suite failed; one under an unusual name is doubted. Throws BrokenReport for a test in it. */
export const isResult = (element: XmlElement, doubts: Doubts): boolean => {
  const name = element.localName.toLowerCase();
  if (!saysFailure(saidBy(name))) return false;
  if (!RESULTS.has(name)) {
    doubts.noteUnknownElement(name, 'suite');
    refuseWithin(element, element);
  }
  return true;
};

/**
 * Throws BrokenReport for an element of a suite or a case that is not counted, and that is or holds what would be a test or a
 * result elsewhere: it would go uncounted. Output may hold what it likes.
 */
export const refuseHidden = (element: XmlElement, parent: XmlElement): void => {
  if (isIn(TESTS, element)) throw hidden(element, parent);
  if (!isIn(FREE_TEXT, element)) refuseWithin(element, element);
};
