import type { ReadinessReport, WhatIf } from '@shipworthy/client';
import type { OwnReport } from '../offline/own-report.js';
import { harmless } from '../output/safe-text.js';
import { gateLines } from '../verdict/show-gate.js';
import { decisionWords, scoreLine, shownScore } from '../verdict/shown-score.js';

/** How a release would stand and how it stands, by the service or by the engine here. */
export interface Thought {
  readonly report: OwnReport & Partial<Pick<ReadinessReport, 'project' | 'release'>>;
  readonly before: WhatIf['before'];
}

/** Before and after on a line each, then what would still hold it. */
export const whatIfText = ({ report, before }: Thought): string => {
  const score = before.score === null ? 'no score' : shownScore(before.score);
  return [
    `before: ${before.decision}, ${score} (coverage ${Math.floor(before.coverage * 100)} %)`,
    harmless(`after:  ${decisionWords(report.gate)}, ${scoreLine(report)}`),
    ...gateLines(report.gate),
  ].join('\n');
};
