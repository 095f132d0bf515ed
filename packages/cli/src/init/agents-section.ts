import { AGENT_RULES } from '../agents/rules.js';
import { usageFailure } from '../failure.js';

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
