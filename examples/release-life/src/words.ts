import type { Difference, ReadinessReport } from '@shipworthy/client';

const points = (score: number | null): string => (score === null ? 'none' : score.toFixed(2));

/** Score, decision and why, line by line. */
export const reportWords = ({ score, coverage, gate }: ReadinessReport): readonly string[] => [
  `${gate.decision.toUpperCase()}  score ${points(score)}, coverage ${coverage}`,
  ...gate.reasons.map(({ message, waived }) => `  because  ${message}${waived ? ' (waived)' : ''}`),
  ...gate.next_steps.map(({ message, gain }) => `  next     ${message}${gain === null ? '' : ` (+${gain})`}`),
  ...(gate.decision === gate.decision_without_waivers ? [] : [`  without waivers: ${gate.decision_without_waivers}`]),
];

/** What moved the report between two moments. */
export const differenceWords = ({ from, to, data }: Difference): readonly string[] => [
  `${from.decision} at ${points(from.score)} -> ${to.decision} at ${points(to.score)}`,
  ...data.map(({ kind, title, by }) =>
    [`  ${kind.padEnd(14)}`, ...(title === undefined ? [] : [title]), ...(by === undefined ? [] : [`by ${by.name}`])]
      .join(' ')
      .trimEnd(),
  ),
];
