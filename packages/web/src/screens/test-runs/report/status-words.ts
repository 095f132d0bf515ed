import type { Outcome } from './report-counts.js';

/** Words in the attributes status, result and outcome of a testcase, without case, blanks, dashes and underscores. */
const WORDS: Readonly<Record<Outcome, readonly string[]>> = {
  passed: [
    ...['run', 'ran', 'completed', 'executed', 'finished', 'notfailed'],
    ...['passed', 'pass', 'success', 'successful', 'succeeded', 'ok'],
  ],
  failed: ['failed', 'failure', 'fail', 'timeout', 'timedout', 'broken'],
  errored: ['error', 'errored'],
  skipped: ['skipped', 'skip', 'notrun', 'disabled', 'suppressed', 'ignored', 'pending', 'todo'],
};

const BY_WORD = new Map(
  (Object.keys(WORDS) as Outcome[]).flatMap((outcome) =>
    WORDS[outcome].map((word): readonly [string, Outcome] => [word, outcome]),
  ),
);

/** The worst of several words counts; a word that is not known is worse than one that is no failure. */
const WORST_FIRST = ['failed', 'errored', 'unknown', 'skipped', 'passed'] as const;

/** What the attributes of a testcase say; `unknown` names the word that is none of those above. */
export type Said = { readonly outcome: Outcome } | { readonly unknown: string };

/** What the attributes status, result and outcome say of a testcase without a child that says it; undefined where all are absent. */
export const saidBy = (...attributes: readonly (string | null | undefined)[]): Said | undefined => {
  const words = attributes
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim().toLowerCase())
    .filter((word) => word !== '');
  const said = words.map((word) => BY_WORD.get(word.replace(/[\s_-]/g, '')) ?? 'unknown');
  const worst = WORST_FIRST.find((outcome) => said.includes(outcome));
  if (worst === undefined) return undefined;
  return worst === 'unknown' ? { unknown: words[said.indexOf(worst)] ?? '' } : { outcome: worst };
};

/** Whether the attributes say that the testcase failed or was in error. */
export const saysFailure = (said: Said | undefined): boolean =>
  said !== undefined && 'outcome' in said && (said.outcome === 'failed' || said.outcome === 'errored');
