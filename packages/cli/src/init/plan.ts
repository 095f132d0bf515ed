import { REPOSITORY_FILE } from '../settings/find-files.js';
import { type CiSystem, FIRST_LINE, type SnippetValues } from '../snippet/ci-system.js';
import { AGENTS_FILE, withAgentRules } from './agents-section.js';
import { keyIn, withoutSettingsFile, withSettings } from './settings-members.js';

/** One file as it is and as it would be; `paste`: it is not ours to change, and its text is to be put in by hand. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly action: 'create' | 'change' | 'paste' | 'unchanged';
}

/** What is to be set up. */
export interface Wish {
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
  { system, values, agents }: Wish,
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
