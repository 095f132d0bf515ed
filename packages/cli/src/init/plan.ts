import { AGENT_RULES } from '../agent-rules.js';
import { usageFailure } from '../failure.js';
import type { Paint } from '../output/screen.js';
import { type CiSystem, FIRST_LINE, type SnippetValues } from '../pipeline/ci-system.js';
import { REPOSITORY_FILE } from '../settings.js';

/** One file as it is and as it would be; `paste`: it is not ours to change, and its text is to be put in by hand. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly action: 'create' | 'change' | 'paste' | 'unchanged';
}

/** What is to be set up. */
export interface SetUpChoices {
  readonly system: CiSystem | undefined;
  readonly values: SnippetValues;
  readonly agents: boolean;
}

const changeOf = (path: string, before: string | undefined, after: string): FileChange => ({
  path,
  before,
  after,
  action: before === undefined ? 'create' : before === after ? 'unchanged' : 'change',
});

const snippetChange = (system: CiSystem, before: string | undefined, values: SnippetValues): FileChange => {
  const change = changeOf(system.path, before, system.snippet(values));
  const foreign = before !== undefined && !(before.split('\n', 1)[0] ?? '').includes(FIRST_LINE);
  return foreign && change.action === 'change' ? { ...change, action: 'paste' } : change;
};

/** Every file there is to see to, in the order it is shown. `read` answers undefined for one that is not there. */
export const planOf = (
  { system, values, agents }: SetUpChoices,
  read: (path: string) => string | undefined,
): readonly FileChange[] => {
  const settings = read(REPOSITORY_FILE);
  const plan = [changeOf(REPOSITORY_FILE, settings, withSettings(settings, values.apiUrl, values.app))];
  if (keyIn(settings) !== undefined) {
    const ignore = read('.gitignore');
    plan.push(changeOf('.gitignore', ignore, withoutSettingsFile(ignore ?? '')));
  }
  if (system !== undefined) plan.push(snippetChange(system, read(system.path), values));
  if (agents) {
    const page = read(AGENTS_FILE);
    plan.push(changeOf(AGENTS_FILE, page, withAgentRules(page ?? '')));
  }
  return plan;
};

const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // The parser's own words would quote the text, which may hold a key.
  }
  throw usageFailure(`${REPOSITORY_FILE} is not a JSON object.`, 'Correct the file or remove it.');
};

/** The settings file with address and project; every other member stays, and a key is never added. */
export const withSettings = (before: string | undefined, apiUrl: string, app: string): string => {
  const members = before === undefined ? {} : membersOf(before);
  if (before !== undefined && members.api_url === apiUrl && members.app === app) return before;
  return `${JSON.stringify({ ...members, api_url: apiUrl, app }, null, 2)}\n`;
};

/** The key such a file holds, so that it is never shown; undefined when there is none. */
export const keyIn = (text: string | undefined): string | undefined => {
  const key = text === undefined ? undefined : membersOf(text).api_key;
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** What git is told to leave out, with the settings file in it. */
export const withoutSettingsFile = (ignore: string): string => {
  const named = ignore.split(/\r?\n/).some((line) => [REPOSITORY_FILE, `/${REPOSITORY_FILE}`].includes(line.trim()));
  if (named) return ignore;
  return `${ignore}${ignore === '' || ignore.endsWith('\n') ? '' : '\n'}${REPOSITORY_FILE}\n`;
};

/** The file that coding agents read in a repository. */
export const AGENTS_FILE = 'AGENTS.md';

const BEGIN = '<!-- shipworthy:begin (written by "shipworthy init --agents"; changes between these lines are lost) -->';
const END = '<!-- shipworthy:end -->';
const BEGINS = '<!-- shipworthy:begin';

/** The text with the rules between their marks: put in place where they were, else at the end; all else stays. Failure for marks that do not pair. */
export const withAgentRules = (before: string): string => {
  const section = `${BEGIN}\n${AGENT_RULES}${END}`;
  const [from, to] = [before.indexOf(BEGINS), before.indexOf(END)];
  if (from === -1 && to === -1) return before.trim() === '' ? `${section}\n` : `${before.trimEnd()}\n\n${section}\n`;
  if (from === -1 || to < from || before.indexOf(BEGINS, from + 1) !== -1 || before.indexOf(END, to + 1) !== -1)
    throw usageFailure(
      `${AGENTS_FILE} holds marks of shipworthy that do not pair.`,
      'Remove them, with what is between.',
    );
  return before.slice(0, from) + section + before.slice(to + END.length);
};

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** For each pair of lines: the length of the longest common subsequence of both texts from there on. */
const commonLengths = (before: readonly string[], after: readonly string[]): readonly Uint32Array[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i]?.set([before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))], j);
  return lengths;
};

/** Every line of both texts in order, after ` ` where it is in both, `-` where only in the old, `+` where only in the new text. */
export const differenceOf = (before: string, after: string): readonly string[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const lengths = commonLengths(old, fresh);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [going, coming] = [old[i], fresh[j]];
    if (going !== undefined && going === coming) {
      lines.push(` ${going}`);
      i += 1;
      j += 1;
    } else if (
      coming === undefined ||
      (going !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      lines.push(`-${going}`);
      i += 1;
    } else {
      lines.push(`+${coming}`);
      j += 1;
    }
  }
  return lines;
};

const AROUND = 3;

/** The lines that differ with three around them, coloured where colours are seen. */
export const shownDifference = (before: string, after: string, paint: Paint): readonly string[] => {
  const lines = differenceOf(before, after);
  const near = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' '));
  return lines.flatMap((line, at) => {
    if (line.startsWith('+')) return [paint.good(line)];
    if (line.startsWith('-')) return [paint.bad(line)];
    if (near(at)) return [line];
    return near(at + 1) && at > 0 ? [paint.faint('...')] : [];
  });
};
