import { stripVTControlCharacters } from 'node:util';
import { type ProgramEnd, runProgram } from '../../git/run-program.js';
import type { Examination } from '../examination.js';
import { couldNotCheck, type Finding, needsAction, ready } from '../finding.js';
import type { Step } from '../step.js';
import { agentCommand } from './agent-command.js';
import { type AskedLine, chooseLine, isLine, promptFor } from './asked-line.js';
import { changesBetween, takeSnapshot } from './snapshot.js';

const linesOf = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '');

const listed = (changes: readonly string[]): string =>
  changes.slice(0, 5).join(', ') + (changes.length > 5 ? ` and ${changes.length - 5} more` : '');

/** What the end of the agent and the changes mean. The answer itself is never shown: it may quote any file. */
const judgeAgent = (end: ProgramEnd, changes: readonly string[], seconds: number, asked: AskedLine): Finding => {
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
  const [answer = '', another] = lines;
  const where = `line ${asked.number} of ${asked.path}`;
  if (answer !== '' && another === undefined && isLine(answer, asked))
    return ready(`The agent answered with ${where} (${answer.length} characters) and changed nothing.`);
  if (answer !== '' && another === undefined)
    return needsAction(
      `The agent answered (${answer.length} characters), but not with ${where}.`,
      'See that it may read the files of this folder, and prints its answer as it is.',
    );
  return needsAction(
    lines.length === 0 ? 'The agent answered nothing.' : `The agent answered ${lines.length} lines instead of one.`,
    'Start the agent so that it prints its answer alone.',
  );
};

const checkAgent = async ({ world, repository, options }: Examination, signal: AbortSignal): Promise<Finding> => {
  if (options.agent === undefined)
    return couldNotCheck('No agent was named.', "shipworthy doctor agent --agent 'my-agent --print {prompt}'");
  const root = await repository.root();
  const asked = await chooseLine(world, root);
  if (asked === undefined)
    return couldNotCheck(
      'No tracked file here has a line to ask the agent about.',
      'git add a text file, then check again.',
    );
  const { words, env } = agentCommand(options.agent, promptFor(asked), world.platform);
  const before = await takeSnapshot(world, root);
  const end = await runProgram(words, {
    folder: root,
    // Reading files takes no key of ours.
    env: { ...world.env, SHIPWORTHY_API_KEY: undefined, SHIPWORTHY_API_KEY_FILE: undefined, ...env },
    limitMs: options.agentTimeoutMs,
    signal,
  });
  return judgeAgent(end, changesBetween(before, await takeSnapshot(world, root)), options.agentTimeoutMs / 1000, asked);
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
