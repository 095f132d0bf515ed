import type { RowResult } from '../measure/line.js';
import type { RunSize } from '../rows/row.js';
import { machine } from './machine.js';
import { markdownTable } from './table.js';

/** A row that ran. */
export interface Finished {
  readonly title: string;
  readonly result: RowResult;
}

const section = ({ title, result }: Finished): string => {
  const remarks = result.remarks.map((remark) => `- ${remark}`).join('\n');
  return `## ${title}\n\n${markdownTable(result.lines)}\n\n${remarks}`.trimEnd();
};

/** The page of figures for the documentation, in Markdown. */
export const performancePage = (rows: readonly Finished[], size: RunSize, busy: string | null): string =>
  `${[
    '# Performance',
    'Every figure stands beside a baseline measured in the same run, on the same machine, by `npm run bench -- --write`.',
    [...machine(), ...(busy === null ? [] : [busy])].map((line) => `- ${line}`).join('\n'),
    `Medians of ${size.rounds} rounds in which the contestants take turns; the ratio is the median of the rounds' own ratios. Server, baseline, database and load share the cores.`,
    ...rows.map(section),
  ].join('\n\n')}\n`;
