import type { Outcome } from '../report-counts.js';
import type { Tally } from '../tally.js';
import { type Said, saidBy, saysFailure } from './status-words.js';

export type Attributes = Readonly<Record<string, string>>;

/** What a testcase element said of itself so far. */
export interface TestCase {
  /** Undefined for one that could not be known again: without a name, or with one in an unknown encoding. */
  readonly identity: string | undefined;
  readonly said: Said | undefined;
  readonly children: Set<string>;
  /** A child that is none of those that are known; undefined where there is none. */
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
export const openedCase = (attributes: Attributes): TestCase => ({
  identity: identityOf(attributes),
  // Gtest has no element for a test that is disabled, only these attributes; others say more in them.
  said: saidBy(attributes.status, attributes.result, attributes.outcome),
  children: new Set(),
  unknownChild: undefined,
});

/** Notes a child of a testcase, by its name in small letters. */
export const noteChild = (testCase: TestCase, name: string, { type }: Attributes): void => {
  const { children } = testCase;
  if (name === 'skipped') children.add(type === 'todo' ? 'todo' : 'skipped');
  else if (name === 'failure' || name === 'rerunfailure') children.add('failure');
  else if (name === 'error' || name === 'rerunerror') children.add('error');
  else if (name === 'flakyfailure' || name === 'flakyerror') children.add('flaky');
  else if (!OTHER_CHILDREN.has(name)) testCase.unknownChild ??= name;
};

/**
 * What a testcase came to. A failure that is to be mended later (node:test's todo) is skipped; earlier attempts that failed
 * (flakyFailure, flakyError) count for nothing, further ones that failed (rerunFailure, rerunError) are of the same test. What
 * the head may count among the failures all the same, and a word or a child that is not known, is noted in the tally: it may say
 * that the test failed. Such a test is `doubted`.
 */
export const outcomeOf = ({ children, said, unknownChild }: TestCase, tally: Tally): Outcome | 'doubted' => {
  if (children.has('flaky') || (children.has('todo') && children.size > 1)) tally.failuresNotCounted += 1;
  if (children.has('todo')) return 'skipped';
  if (children.has('failure')) return 'failed';
  if (children.has('error')) return 'errored';
  if (unknownChild !== undefined) {
    tally.noteUnknownElement(unknownChild, 'test');
    return 'doubted';
  }
  // An attribute that says failed wins over a child that says skipped.
  if (children.has('skipped') && !saysFailure(said)) return 'skipped';
  if (said === undefined) return 'passed';
  if ('outcome' in said) return said.outcome;
  tally.noteUnknown(said.unknown);
  return 'doubted';
};
