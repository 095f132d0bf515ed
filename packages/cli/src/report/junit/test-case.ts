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
}

const PARTS = ['classname', 'name', 'file', 'line'] as const;

const identityOf = (attributes: Attributes): string | undefined => {
  const identity = PARTS.map((part) => attributes[part] ?? '').join('\u{0}');
  return (attributes.name ?? '') === '' || identity.includes('\u{fffd}') ? undefined : identity;
};

/** A testcase that opens. Two are the same test when class, name, file and line are the same. */
export const openedCase = (attributes: Attributes): TestCase => ({
  identity: identityOf(attributes),
  // Gtest has no element for a test that is disabled, only these attributes; others say more in them.
  said: saidBy(attributes.status, attributes.result),
  children: new Set(),
});

/** Notes a child of a testcase, by its name in small letters; what is no result is not kept. */
export const noteChild = ({ children }: TestCase, name: string, { type }: Attributes): void => {
  if (name === 'skipped') children.add(type === 'todo' ? 'todo' : 'skipped');
  else if (name === 'failure' || name === 'rerunfailure') children.add('failure');
  else if (name === 'error' || name === 'rerunerror') children.add('error');
  else if (name === 'flakyfailure' || name === 'flakyerror') children.add('flaky');
};

/**
 * What a testcase came to. A failure that is to be mended later (node:test's todo) is skipped; earlier attempts that failed
 * (flakyFailure, flakyError) count for nothing, further ones that failed (rerunFailure, rerunError) are of the same test. What
 * the head may count among the failures all the same, and a word that is not known, is noted in the tally.
 */
export const outcomeOf = ({ children, said }: TestCase, tally: Tally): Outcome => {
  if (children.has('flaky') || (children.has('todo') && children.size > 1)) tally.excused += 1;
  if (children.has('todo')) return 'skipped';
  if (children.has('failure')) return 'failed';
  if (children.has('error')) return 'errored';
  // An attribute that says failed wins over a child that says skipped.
  if (children.has('skipped') && !saysFailure(said)) return 'skipped';
  if (said === undefined) return 'passed';
  if ('outcome' in said) return said.outcome;
  tally.noteUnknown(said.unknown);
  return 'errored';
};
