import { BrokenReport } from './broken-report.js';
import type { XmlElement } from './xml-element.js';

/** Elements of a suite or a case whose content is text of its own; no test is in them, whatever they look like. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  ...['system-out', 'system-err', 'properties', 'failure', 'error', 'skipped'],
  ...['rerunfailure', 'rerunerror', 'flakyfailure', 'flakyerror'],
]);
const TESTS: ReadonlySet<string> = new Set(['testcase', 'testsuite', 'testsuites']);
const RESULTS: ReadonlySet<string> = new Set(['failure', 'error']);

const hidden = (inner: XmlElement, outer: XmlElement): BrokenReport =>
  new BrokenReport(`holds <${inner.localName}> within <${outer.localName}>, which is not understood`);

const isIn = (names: ReadonlySet<string>, { localName }: XmlElement): boolean => names.has(localName.toLowerCase());

const refuseWithin = (outer: XmlElement, element: XmlElement): void => {
  for (const child of element.children) {
    if (isIn(TESTS, child) || isIn(RESULTS, child)) throw hidden(child, outer);
    refuseWithin(outer, child);
  }
};

/** Whether an element says that what it stands in failed. */
export const isResult = (element: XmlElement): boolean => isIn(RESULTS, element);

/**
 * Throws BrokenReport for an element of a suite or a case that is not counted, and that is or holds what would be a test or a
 * result elsewhere: it would go uncounted. Output may hold what it likes.
 */
export const refuseHidden = (element: XmlElement, parent: XmlElement): void => {
  if (isIn(TESTS, element)) throw hidden(element, parent);
  if (!isIn(FREE_TEXT, element)) refuseWithin(element, element);
};
