import type { ReportTimes } from './report-counts.js';
import { lengthOf, momentOf } from './report-time.js';
import { isSuite, type XmlElement } from './xml-element.js';

/** When a suite, or the last one in it, ended; a list that began and says no length would end when it began. */
const endsIn = (suite: XmlElement): number => {
  const length = lengthOf(suite.getAttribute('time'));
  const start = momentOf(suite.getAttribute('timestamp'));
  const isOpen = start === undefined || (suite.localName === 'testsuites' && length === undefined);
  let end = isOpen ? Number.NEGATIVE_INFINITY : Math.round(start + (length ?? 0) * 1000);
  for (const child of suite.children) if (isSuite(child)) end = Math.max(end, endsIn(child));
  return end;
};

/** How long a report's run took, by its root, else by the suites in it; and its last end, where no zone must be guessed. */
export const suiteTimes = (root: XmlElement): ReportTimes => {
  const end = endsIn(root);
  const lengths = [...root.children].map((child) =>
    isSuite(child) ? lengthOf(child.getAttribute('time')) : undefined,
  );
  const hasLooseTests = [...root.children].some(({ localName }) => localName === 'testcase');
  const known = lengths.filter((length) => length !== undefined);
  const sum = hasLooseTests || known.length === 0 ? undefined : known.reduce((all, one) => all + one, 0);
  return {
    durationSeconds: lengthOf(root.getAttribute('time')) ?? sum,
    ranAt: Number.isFinite(end) ? end : undefined,
  };
};
