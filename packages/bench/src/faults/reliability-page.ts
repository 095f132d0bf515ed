import { machine } from '../page/machine.js';
import { markdownColumns, reasonsOf, textColumns } from '../page/table.js';
import type { FaultLine } from './fault-programme.js';
import type { FinishedProgramme } from './run-programmes.js';

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
const faultMarkdown = (lines: readonly FaultLine[]): string => markdownColumns(HEADINGS, lines.map(cells), []);

const INTRODUCTION = `# Reliability

What becomes of the service when something around it breaks. Each programme breaks one thing again and again, under load,
and then looks: past the service into its database, and at every answer its callers got. \`npm run faults\` lists the
programmes. A run ends with code 1 when anything is lost, doubled or wrong; times may be missed on a busy machine.`;

const mark = (name: string): string => `<!-- programme: ${name} -->`;

const section = ({ programme, result, took }: FinishedProgramme, busy: string | null): string => {
  const about = [`\`npm run faults -- ${programme.name} --write\` (${Math.ceil(took / 60_000)} min)`, ...machine()];
  const remarks = result.remarks.map((remark) => `- ${remark}`).join('\n');
  const heading = `${mark(programme.name)}\n## ${programme.title}`;
  const taken = [...about, ...(busy === null ? [] : [busy])].map((line) => line.replace(/\.$/, '')).join('; ');
  const missed = reasonsOf(result.lines.filter(({ met }) => !met));
  return [heading, faultMarkdown(result.lines), ...missed, remarks, `Measured with ${taken}.`]
    .filter(Boolean)
    .join('\n\n');
};

/** The section of a programme on an earlier page, or undefined. */
const earlierSection = (page: string, name: string): string | undefined => {
  const from = page.indexOf(mark(name));
  if (from < 0) return undefined;
  const to = page.indexOf('<!-- programme: ', from + 1);
  return page.slice(from, to < 0 ? undefined : to).trimEnd();
};

/**
 * The page about reliability, in Markdown. A programme that was not run this time keeps its section of the earlier page:
 * together they take longer than one wants to wait for.
 * @param order the names of all programmes
 */
export const reliabilityPage = (
  order: readonly string[],
  finished: readonly FinishedProgramme[],
  earlier: string,
  busy: string | null,
): string => {
  const sections = order.map((name) => {
    const now = finished.find(({ programme }) => programme.name === name);
    return now === undefined ? earlierSection(earlier, name) : section(now, busy);
  });
  return `${[INTRODUCTION, ...sections.filter((text) => text !== undefined)].join('\n\n')}\n`;
};
