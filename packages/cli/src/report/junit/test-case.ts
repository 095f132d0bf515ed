import type { Outcome } from '../report-counts.js';

export type Attributes = Readonly<Record<string, string>>;

/** What a testcase element said of itself so far. */
export interface TestCase {
  readonly identity: string;
  readonly byAttribute: Outcome | undefined;
  readonly children: Set<string>;
}

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

/** Gtest has no element for a test that is disabled, only the attributes status and result; others say more in them. */
const byAttribute = ({ status = '', result = '' }: Attributes): Outcome | undefined =>
  BY_WORD[status.toLowerCase()] ?? BY_WORD[result.toLowerCase()];

const PARTS = ['classname', 'name', 'file', 'line'] as const;

/** A testcase that opens. Two are the same test when class, name, file and line are the same. */
export const openedCase = (attributes: Attributes): TestCase => ({
  identity: PARTS.map((part) => attributes[part] ?? '').join('\u{0}'),
  byAttribute: byAttribute(attributes),
  children: new Set(),
});

/** Notes a child of a testcase; what is no result is not kept. */
export const noteChild = ({ children }: TestCase, name: string, { type }: Attributes): void => {
  if (name === 'skipped') children.add(type === 'todo' ? 'todo' : 'skipped');
  else if (name === 'failure' || name === 'rerunFailure') children.add('failure');
  else if (name === 'error' || name === 'rerunError') children.add('error');
};

/**
 * What a testcase came to. A failure that is to be mended later (node:test's todo) is skipped; earlier attempts that failed
 * (flakyFailure, flakyError) count for nothing, further ones that failed (rerunFailure, rerunError) are of the same test.
 */
export const outcomeOf = ({ children, byAttribute }: TestCase): Outcome => {
  if (children.has('todo')) return 'skipped';
  if (children.has('failure')) return 'failed';
  if (children.has('error')) return 'errored';
  if (children.has('skipped')) return 'skipped';
  return byAttribute ?? 'passed';
};
