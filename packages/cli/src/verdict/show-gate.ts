import type { Gate, ReadinessReport } from '@shipworthy/client';
import { harmless } from '../output/safe-text.js';
import { scoreLine, shownScore, waiverWords } from './show-score.js';
import { checklistLines } from './used-report.js';

const reasonLines = ({ reasons }: Gate): readonly string[] =>
  reasons.map(({ message, waived }) => `  ${waived ? 'waived ' : 'because'}  ${harmless(message)}`);

const waiverLines = ({ waivers, decision, decision_without_waivers: without }: Gate): readonly string[] =>
  waivers.length === 0
    ? []
    : [
        `without waivers: ${without}${without === decision ? ' as well' : ''}`,
        ...waivers.map(({ code, axis, created_by, expires_at, text }) => {
          const what = axis === undefined ? code : `${code} of ${axis}`;
          return harmless(`  ${what}, accepted by ${created_by} until ${expires_at}: ${text}`);
        }),
      ];

const stepLines = ({ next_steps: steps }: Gate): readonly string[] =>
  steps.length === 0
    ? []
    : [
        'next steps',
        ...steps.map(({ message, gain }) => {
          const adds = gain === null ? '' : ` (+${shownScore(gain)})`;
          return `  ${harmless(message)}${adds}`;
        }),
      ];

/** The reasons in their order, the waivers with what would be decided without them, the next steps with their gains. */
export const gateLines = (gate: Gate): readonly string[] => [
  ...reasonLines(gate),
  ...waiverLines(gate),
  ...stepLines(gate),
];

/** The verdict for people: the decision in a word on the first line, the waivers that make it on the next, then all it rests on. */
export const verdictText = (
  report: Pick<ReadinessReport, 'score' | 'axes' | 'gate'> & Partial<Pick<ReadinessReport, 'project' | 'release'>>,
  scorecard: string | null,
): string => {
  const name = report.project && report.release ? `${report.project.name} ${report.release.name}: ` : '';
  return [
    report.gate.decision,
    ...(report.gate.waivers.length === 0 ? [] : [harmless(waiverWords(report.gate))]),
    harmless(`${name}${scoreLine(report)}`),
    ...gateLines(report.gate),
    ...checklistLines(report),
    ...(scorecard === null ? [] : [`scorecard: ${scorecard}`]),
  ].join('\n');
};
