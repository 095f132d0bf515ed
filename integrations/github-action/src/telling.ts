import { summary } from '@actions/core';
import type { World } from '@shipworthy/cli';
import type { StepCommand } from './inputs.js';
import type { Outputs } from './outputs.js';
import { type Data, type Document, inside, recordsIn } from './perform.js';

/** The texts of the log and the job summary about a step. */
export interface Telling {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly lists: readonly { readonly heading: string; readonly items: readonly string[] }[];
  /** Where a person reads on. */
  readonly link: string;
}

const MOST_ITEMS = 50;

const messagesIn = (value: unknown): readonly string[] =>
  recordsIn(value)
    .slice(0, MOST_ITEMS)
    .map(({ message, waived }) => `${waived === true ? 'waived: ' : ''}${String(message)}`);

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.slice(0, MOST_ITEMS).map(String) : [];

const list = (heading: string, items: readonly string[]) => (items.length === 0 ? [] : [{ heading, items }]);
const row = (name: string, value: string | undefined) => (value ? [[name, value] as const] : []);

const shown = (score: unknown): string => (typeof score === 'number' ? (Math.floor(score * 10) / 10).toFixed(1) : '');

/** `84.2, 4 of 5 measured`: a score is never shown without its coverage. */
const covered = ({ coverage }: Outputs, data: Data | undefined): string => {
  const [measured, of] = [inside(data?.axes, 'measured'), inside(data?.axes, 'of')];
  if (typeof measured === 'number' && typeof of === 'number') return `${measured} of ${of} measured`;
  return coverage ? `coverage ${coverage}` : '';
};

const scored = (outputs: Outputs, data: Data | undefined): string =>
  [shown(data?.score), covered(outputs, data)].filter((part) => part !== '').join(', ');

/** ` with 1 waiver. Without it: hold`; empty where no waiver applies. */
const waived = (data: Data | undefined): string => {
  const count = recordsIn(data?.waivers).length;
  if (count === 0) return '';
  const [waivers, them] = count === 1 ? ['1 waiver', 'it'] : [`${count} waivers`, 'them'];
  return ` with ${waivers}. Without ${them}: ${String(data?.decision_without_waivers ?? 'unknown')}`;
};

const gateTelling = (outputs: Outputs, data: Data | undefined): Telling => ({
  title: `Ship gate: ${outputs.verdict}${waived(data)}${data?.shadow === true ? ' (in shadow)' : ''}`,
  rows: [
    ...row('Project', String(inside(data?.project, 'name') ?? '')),
    ...row('Release', String(inside(data?.release, 'name') ?? '')),
    ...row('Score', scored(outputs, data)),
    ...row('Unavailable', String(inside(data?.unavailable, 'message') ?? '')),
    ...row('Not read', String(inside(data?.unreadable, 'message') ?? '')),
  ],
  lists: [...list('Reasons', messagesIn(data?.reasons)), ...list('Next steps', messagesIn(data?.next_steps))],
  link: outputs.url ?? '',
});

const COUNTS = ['total', 'passed', 'failed', 'errored', 'skipped'] as const;

const testsTelling = (outputs: Outputs, data: Data | undefined): Telling => ({
  title: `Test run: ${outputs.report}`,
  rows: [
    ...COUNTS.flatMap((name) => (typeof data?.[name] === 'number' ? row(name, String(data[name])) : [])),
    ...row('Test run', outputs['test-run-id']),
  ],
  lists: list('Not to be taken at its word', textsIn(data?.doubts)),
  link: outputs.url ?? '',
});

const deployTelling = (outputs: Outputs, data: Data | undefined): Telling => ({
  title: `Deployment: ${typeof data?.status === 'string' ? data.status : 'started'}, report ${outputs.report}`,
  rows: [
    ...row('Deployment', outputs['deployment-id']),
    ...row('Seconds', typeof data?.duration_seconds === 'number' ? String(data.duration_seconds) : ''),
  ],
  lists: [],
  link: outputs.url ?? '',
});

/** Puts a step's end into words: those of an error where it has no answer. */
export const tellingOf = (command: StepCommand, outputs: Outputs, document: Document | undefined): Telling => {
  const tell = command === 'gate' ? gateTelling : command === 'tests' ? testsTelling : deployTelling;
  const telling = tell(outputs, document?.data);
  if (document?.error === undefined) return telling;
  const { message, faults, fixes } = document.error;
  return {
    ...telling,
    title: command === 'gate' ? telling.title : `${command}: not done`,
    rows: [...telling.rows, ['Error', message]],
    lists: [...list('Faults', faults), ...list('What to do', fixes)],
  };
};

/**
 * Escapes a text for use inside an element: characters with a meaning in HTML or Markdown become character references, line
 * ends become spaces, so that no name or reason of a project can end the element it is in.
 */
export const escaped = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[^\p{L}\p{M}\p{N} .,%]/gu, (character) => `&#${character.codePointAt(0)};`);

const isPage = (link: string): boolean => URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);

/** Adds a section to the job's summary; none where the runner keeps none. */
export const writeSummary = async (env: World['env'], { title, rows, lists, link }: Telling): Promise<void> => {
  if (!env.GITHUB_STEP_SUMMARY) return;
  summary.addHeading(escaped(title), 3);
  if (rows.length > 0)
    summary.addTable(rows.map(([name, value]) => [{ data: escaped(name), header: true }, escaped(value)]));
  for (const { heading, items } of lists) summary.addHeading(escaped(heading), 4).addList(items.map(escaped));
  if (isPage(link)) summary.addLink(escaped(link), escaped(link));
  await summary.write();
};
