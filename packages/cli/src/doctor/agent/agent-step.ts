import { stripVTControlCharacters } from 'node:util';
import { type ProgramEnd, runProgram } from '../../git/run-program.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import type { Step } from '../step.js';
import { agentCommand } from './agent-command.js';
import { changesBetween, takeSnapshot } from './snapshot.js';

const linesOf = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '');

const listed = (changes: readonly string[]): string =>
  changes.slice(0, 5).join(', ') + (changes.length > 5 ? ` and ${changes.length - 5} more` : '');

/** What the end of the agent and the changes mean. The answer itself is never shown: it may quote any file. */
const judgeAgent = (end: ProgramEnd, changes: readonly string[], seconds: number): Finding => {
  if (changes.length > 0)
    return needsAction(
      `The agent changed what it was to read: ${listed(changes)}.`,
      'Look at git status and undo it; start the agent so that it only reads.',
    );
  if (end.timedOut)
    return needsAction(
      `The agent did not finish within ${seconds} seconds.`,
      'Run it by hand once and sign it in, or give --agent-timeout.',
    );
  if (end.exit !== 0)
    return needsAction(
      `The agent ended with ${end.exit ?? end.fault ?? 'a signal'}.`,
      'Run the command by hand in this folder and see what it says.',
    );
  const lines = linesOf(end.stdout);
  if (lines.length === 1)
    return ready(`The agent answered in one line (${lines[0]?.length} characters) and changed nothing.`);
  return needsAction(
    lines.length === 0 ? 'The agent answered nothing.' : `The agent answered ${lines.length} lines instead of one.`,
    'Start the agent so that it prints its answer alone.',
  );
};

const checkAgent = async ({ world, repository, options }: Examination, signal: AbortSignal): Promise<Finding> => {
  if (options.agent === undefined)
    return couldNotCheck('No agent was named.', "shipworthy doctor agent --agent 'my-agent --print {prompt}'");
  const root = await repository.root();
  const { words, env } = agentCommand(options.agent, world.platform);
  const before = await takeSnapshot(world, root);
  const end = await runProgram(words, {
    folder: root,
    // Reading files takes no key of ours.
    env: { ...world.env, SHIPWORTHY_API_KEY: undefined, SHIPWORTHY_API_KEY_FILE: undefined, ...env },
    limitMs: options.agentTimeoutMs,
    signal,
  });
  return judgeAgent(end, changesBetween(before, await takeSnapshot(world, root)), options.agentTimeoutMs / 1000);
};

/** A coding agent at work in the repository; `limitMs` is its own limit and what the snapshots take. */
export const agentSteps = (agentTimeoutMs: number): readonly Step[] => [
  {
    id: 'agent.proof',
    title: 'Agent reads and answers',
    after: ['repository.git', 'repository.folder'],
    limitMs: agentTimeoutMs + 120_000,
    check: checkAgent,
    onlyWhenAsked: ({ options }) => options.agent !== undefined,
  },
];
