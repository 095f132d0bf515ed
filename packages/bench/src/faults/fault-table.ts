import { markdownColumns, textColumns } from '../page/columns.js';
import type { FaultLine } from './fault-programme.js';

const HEADINGS = ['what', 'measured', 'aim', ''] as const;

const cells = ({ what, measured, aim, met }: FaultLine): readonly string[] => [
  what,
  measured,
  aim,
  met ? 'met' : 'missed',
];

/** The lines as columns of text. */
export const faultText = (lines: readonly FaultLine[]): string => textColumns([HEADINGS, ...lines.map(cells)], []);

/** The lines as a Markdown table. */
export const faultMarkdown = (lines: readonly FaultLine[]): string => markdownColumns(HEADINGS, lines.map(cells), []);
