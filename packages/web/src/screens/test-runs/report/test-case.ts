import type { Outcome } from './report-counts.js';
import type { XmlElement } from './xml-element.js';

const BY_WORD: Readonly<Record<string, Outcome>> = {
  notrun: 'skipped',
  'not run': 'skipped',
  skipped: 'skipped',
  disabled: 'skipped',
  ignored: 'skipped',
  suppressed: 'skipped',
  pending: 'skipped',
  failed: 'failed',
  failure: 'failed',
  error: 'errored',
  errored: 'errored',
};

/** Gtest has no element for a test that is disabled, only these attributes; others say more in them. */
const byAttribute = (test: XmlElement): Outcome | undefined =>
  BY_WORD[test.getAttribute('status')?.toLowerCase() ?? ''] ??
  BY_WORD[test.getAttribute('result')?.toLowerCase() ?? ''];

/**
 * What a testcase came to. A failure that is to be mended later (node:test's todo) is skipped; earlier attempts that failed
 * (flakyFailure, flakyError) count for nothing, further ones that failed (rerunFailure, rerunError) are of the same test.
 */
export const outcomeOf = (test: XmlElement): Outcome => {
  const found = new Set<string>();
  for (const child of test.children)
    found.add(child.localName === 'skipped' && child.getAttribute('type') === 'todo' ? 'todo' : child.localName);
  if (found.has('todo')) return 'skipped';
  if (found.has('failure') || found.has('rerunFailure')) return 'failed';
  if (found.has('error') || found.has('rerunError')) return 'errored';
  if (found.has('skipped')) return 'skipped';
  return byAttribute(test) ?? 'passed';
};

/** Two testcases of one suite are the same test when class, name, file and line are the same. */
export const identityOf = (test: XmlElement): string =>
  ['classname', 'name', 'file', 'line'].map((part) => test.getAttribute(part) ?? '').join('\u{0}');
