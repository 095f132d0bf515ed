import type { ReadinessReport } from '@shipworthy/client';
import type { OwnReport } from '../offline/own-report.js';
import { harmless } from '../output/safe-text.js';
import { explanationLines } from './explain-score.js';
import { decisionWords, scoreLine } from './shown-score.js';

/** The score for people, on one line with what it covers; explained on the lines that follow where that is wanted. */
export const scoreText = (
  report: OwnReport & Partial<Pick<ReadinessReport, 'project' | 'release' | 'frozen_at'>>,
  scorecard: string | null,
  explain: boolean,
): string => {
  const name = report.project && report.release ? `${report.project.name} ${report.release.name}: ` : '';
  return [
    harmless(`${name}${scoreLine(report)}`),
    ...(explain ? explanationLines(report) : []),
    harmless(
      `ship gate: ${decisionWords(report.gate)}${report.frozen_at === undefined ? '' : `, frozen at ${report.frozen_at}`}`,
    ),
    ...(scorecard === null ? [] : [`scorecard: ${scorecard}`]),
  ].join('\n');
};
