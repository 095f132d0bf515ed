import type { Doubts } from './doubts.js';
import { refuseHidden } from './hidden-tests.js';
import type { Outcome } from './report-counts.js';
import { type Said, saidBy, saysFailure } from './status-words.js';
import type { XmlElement } from './xml-element.js';

/** Children by which a test says how it ended ... */
const RESULTS: readonly string[] = [
  ...['skipped', 'failure', 'error', 'rerunfailure', 'rerunerror', 'flakyfailure', 'flakyerror'],
];
/** ... and those that say nothing of it. PHPUnit counts a test with a warning as passed. */
const OTHER_CHILDREN: readonly string[] = [
  ...['system-out', 'system-err', 'output', 'stdout', 'stderr', 'log', 'logs', 'trace', 'stacktrace'],
  ...['properties', 'property', 'parameters', 'metadata', 'measurement', 'annotations', 'tags', 'categories', 'traits'],
  ...['attachments', 'attachment', 'links', 'link', 'url', 'description', 'comment', 'reason', 'info', 'warning'],
];
const KNOWN: ReadonlySet<string> = new Set([...RESULTS, ...OTHER_CHILDREN, 'todo']);

/** The children of a testcase by their names in small letters; `todo` for one that is to be mended later. */
const childrenOf = (test: XmlElement): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const child of test.children) {
    refuseHidden(child, test);
    const name = child.localName.toLowerCase();
    found.add(name === 'skipped' && child.getAttribute('type') === 'todo' ? 'todo' : name);
  }
  return found;
};

const byAttribute = (said: Said | undefined, doubts: Doubts): Outcome | 'doubted' => {
  if (said === undefined) return 'passed';
  if ('outcome' in said) return said.outcome;
  doubts.noteUnknown(said.unknown);
  return 'doubted';
};

/**
 * What a testcase came to. A failure that is to be mended later (node:test's todo) is skipped; earlier attempts that failed
 * (flakyFailure, flakyError) count for nothing, further ones that failed (rerunFailure, rerunError) are of the same test. What
 * the head may count among the failures all the same is noted, and so is a child that is not known: it may say that the test failed. Such a test is `doubted`. Throws BrokenReport for a test within it.
 */
export const outcomeOf = (test: XmlElement, doubts: Doubts): Outcome | 'doubted' => {
  const found = childrenOf(test);
  const has = (...names: readonly string[]) => names.some((name) => found.has(name));
  const [failed, errored] = [has('failure', 'rerunfailure'), has('error', 'rerunerror')];
  const isFlaky = has('flakyfailure', 'flakyerror');
  if (isFlaky || (found.has('todo') && (failed || errored))) doubts.failuresNotCounted += 1;
  if (found.has('todo')) return 'skipped';
  if (failed) return 'failed';
  if (errored) return 'errored';
  const unknown = [...found].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    doubts.noteUnknownElement(unknown, 'test');
    return 'doubted';
  }
  // Gtest has no element for a test that is disabled, only these attributes; others say more in them.
  const said = saidBy(...['status', 'result', 'outcome'].map((name) => test.getAttribute(name)));
  // An attribute that says failed wins over a child that says skipped.
  return found.has('skipped') && !saysFailure(said) ? 'skipped' : byAttribute(said, doubts);
};

/**
 * Two testcases of one suite are the same test when class, name, file and line are the same; undefined for one that could not be
 * known again: without a name, or with one in an unknown encoding.
 */
export const identityOf = (test: XmlElement): string | undefined => {
  const [name = '', ...others] = ['name', 'classname', 'file', 'line'].map((part) => test.getAttribute(part) ?? '');
  const identity = [name, ...others].join('\u{0}');
  return name === '' || identity.includes('\u{fffd}') ? undefined : identity;
};
