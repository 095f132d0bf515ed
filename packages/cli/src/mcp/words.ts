import type { AxisRow, HistoryPoint, NextStep, ReadinessReport, Reason } from '@shipworthy/client';
import { harmless } from '../output/safe-text.js';
import { unmeasuredWord } from '../verdict/explain-score.js';
import { shownScore } from '../verdict/shown-score.js';

/** Lines under a heading; nothing when there are none. */
export const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `- ${harmless(line)}`)];

/** A list in one text, or what to say when it is empty. */
export const listing = (heading: string, lines: readonly string[], otherwise: string): string =>
  lines.length === 0 ? otherwise : section(heading, lines).join('\n');

/** A score as everywhere on screens. */
export const scoreWords = (score: number | null): string => (score === null ? 'not measured' : shownScore(score));

const PERCENT = 100;

/** How much of the weight is measured, in percent. */
export const shownCoverage = (coverage: number): string => `${Math.floor(coverage * PERCENT)} % measured`;

/** Why the gate says what it says, and what would change it. */
export const gateLines = (reasons: readonly Reason[], steps: readonly NextStep[]): readonly string[] => [
  ...section(
    'What holds it:',
    reasons.map(({ message, waived }) => (waived ? `${message} (waived)` : message)),
  ),
  ...section(
    'The least that clears it:',
    steps.map(({ message }) => message),
  ),
];

/** One line per axis. */
export const axisLines = (axes: ReadinessReport['axes']): readonly string[] =>
  axes.map((reading) =>
    reading.state === 'measured'
      ? `${reading.axis}: ${scoreWords(reading.score)}. ${reading.explanation}`
      : `${reading.axis}: not measured (${unmeasuredWord(reading)}). ${reading.explanation}`,
  );

const described = (row: AxisRow): string => {
  if ('environment' in row) return `${row.commit_sha} to ${row.environment}: ${row.status}, started ${row.started_at}`;
  if ('passed' in row)
    return `${row.suite ?? 'no suite'}: ${row.passed} of ${row.total} passed, ${row.failed} failed, ran ${row.ran_at}`;
  if ('evidence' in row) return `${row.title}: ${row.state}`;
  return `${row.type} "${row.title}": ${row.state}${row.severity === null ? '' : ` (${row.severity})`}`;
};

/** A record in one line, with whether it counts. */
export const rowLine = (row: AxisRow): string =>
  row.counts ? described(row) : `${described(row)}; does not count${row.reason ? ` (${row.reason})` : ''}`;

/** A point of the trend in one line. */
export const pointLine = ({ at, score, coverage, decision, cause_count, causes }: HistoryPoint): string => {
  const [first] = causes;
  const cause =
    first === undefined ? '' : `, after ${first.kind}${cause_count > 1 ? ` and ${cause_count - 1} more` : ''}`;
  return `${at}: ${decision}, score ${scoreWords(score)}, ${shownCoverage(coverage)}${cause}`;
};
