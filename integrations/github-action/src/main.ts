import { error, info, notice, saveState, setOutput, warning } from '@actions/core';
import { processWorld, type World } from '@shipworthy/cli';
import { endProcess } from './end-process.js';
import { commandLine, InputError, type Inputs, readInputs, type StepCommand } from './inputs.js';
import { isOutsider, takeKey, withSettings } from './key.js';
import { begunIn, leaveOpen, markEnded, type Outputs, outputsOf, skippedOutputs } from './outputs.js';
import { logText, type Performed, perform } from './perform.js';
import { type Telling, tellingOf, writeSummary } from './telling.js';

const TITLE = { title: 'Shipworthy' };

const setOutputs = (outputs: Outputs): void => {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
};

const noteSkipped = (command: StepCommand): void =>
  notice(`${command}: GitHub hands this run no secrets, so there is no API key; nothing was reported or asked.`, TITLE);

const skip = (command: StepCommand): number => {
  setOutputs(skippedOutputs(command));
  noteSkipped(command);
  return 0;
};

/** A command that deploys runs even without the key: only its report is missing then. */
const runUnreported = async (inputs: Inputs, world: World): Promise<number> => {
  const { exit, document } = await perform(world, commandLine({ ...inputs, strictReport: false }));
  setOutputs({ ...outputsOf(inputs.command, exit, document), report: 'skipped' });
  noteSkipped(inputs.command);
  return exit;
};

const logLines = ({ title, rows, lists, link }: Telling): readonly string[] => [
  title,
  ...rows.map(([name, value]) => `  ${name}: ${value}`),
  ...lists.flatMap(({ heading, items }) => [heading, ...items.map((item) => `  ${item}`)]),
  ...(link === '' ? [] : [link]),
];

const annotate = (outputs: Outputs, exit: number, { title, rows, lists }: Telling): void => {
  const why = rows.find(([name]) => name === 'Error')?.[1] ?? lists[0]?.items.join('; ') ?? '';
  const line = logText(why === '' ? title : `${title}. ${why}`);
  if (exit !== 0) error(`${line} (exit ${exit})`, TITLE);
  else if (outputs.verdict !== undefined ? outputs.verdict !== 'go' : outputs.report !== 'sent') warning(line, TITLE);
};

const keepState = ({ command, deployment }: Inputs, env: World['env'], outputs: Outputs): void => {
  if (outputs.report === 'kept') saveState('kept', 'true');
  const id = outputs['deployment-id'] ?? '';
  if (command === 'deploy-start' && id !== '') leaveOpen(id);
  if (command === 'deploy') markEnded(env, id);
  if (command === 'deploy-finish' && outputs.report !== 'refused') markEnded(env, deployment);
};

const finish = async (inputs: Inputs, world: World, { exit, document }: Performed): Promise<number> => {
  const outputs = outputsOf(inputs.command, exit, document);
  const telling = tellingOf(inputs.command, outputs, document);
  setOutputs(outputs);
  keepState(inputs, world.env, outputs);
  info(logText(logLines(telling).join('\n')));
  annotate(outputs, exit, telling);
  await writeSummary(world.env, telling).catch((problem: unknown) => {
    warning(`The job summary could not be written: ${logText(String(problem))}`, TITLE);
  });
  return exit;
};

/** Does what the inputs say; returns the exit code of its command, 2 for inputs that make no sense. */
const runStep = async (outside: World, key: string): Promise<number> => {
  try {
    const inputs = readInputs();
    const argv = commandLine(inputs);
    const world = { ...outside, env: withSettings(outside.env, key, inputs.apiUrl) };
    const keyless = key === '' && !world.env.SHIPWORTHY_API_KEY_FILE;
    if (keyless && (await isOutsider(world.env)))
      return inputs.command === 'deploy' ? await runUnreported(inputs, world) : skip(inputs.command);
    const performed = await perform(world, argv, (said) => {
      const id = inputs.command === 'deploy' ? begunIn(said) : undefined;
      if (id !== undefined) leaveOpen(id);
    });
    return await finish(inputs, world, performed);
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    error(logText(problem.message), TITLE);
    setOutput('exit-code', '2');
    return 2;
  }
};

const world = processWorld();
const key = takeKey(world.env);
await endProcess(await runStep(world, key));
