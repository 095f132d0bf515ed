import { getBooleanInput, getInput } from '@actions/core';

/** What a step can do. */
const STEP_COMMANDS = ['deploy', 'deploy-start', 'deploy-finish', 'tests', 'gate'] as const;
export type StepCommand = (typeof STEP_COMMANDS)[number];

/** The inputs of the step; a text that was not given is empty. */
export interface Inputs {
  readonly command: StepCommand;
  readonly apiUrl: string;
  readonly app: string;
  readonly release: string;
  readonly environment: string;
  readonly version: string;
  readonly commit: string;
  readonly run: string;
  readonly shell: string;
  readonly passKey: boolean;
  readonly deployment: string;
  readonly status: string;
  readonly files: readonly string[];
  readonly format: string;
  readonly suite: string;
  readonly allowEmpty: boolean;
  readonly wait: string;
  readonly onUnavailable: string;
  readonly shadow: boolean;
  /** Seconds. */
  readonly timeout: string;
  readonly strictReport: boolean;
}

/** The step cannot be what it was told to be. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

const isCommand = (text: string): text is StepCommand => (STEP_COMMANDS as readonly string[]).includes(text);

const commandOf = (text: string): StepCommand => {
  if (isCommand(text)) return text;
  throw new InputError(`The input command is one of ${STEP_COMMANDS.join(', ')}.`);
};

const flag = (name: string): boolean => {
  try {
    return getBooleanInput(name);
  } catch {
    throw new InputError(`The input ${name} is true or false.`);
  }
};

/** Reads the inputs. InputError for one that makes no sense by itself; the rest is the command's to judge. */
export const readInputs = (): Inputs => ({
  command: commandOf(getInput('command')),
  apiUrl: getInput('api-url'),
  app: getInput('app'),
  release: getInput('release'),
  environment: getInput('environment'),
  version: getInput('version'),
  commit: getInput('commit'),
  run: getInput('run', { trimWhitespace: false }),
  shell: getInput('shell'),
  passKey: flag('pass-key'),
  deployment: getInput('deployment'),
  status: getInput('status'),
  files: getInput('files')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  format: getInput('format'),
  suite: getInput('suite'),
  allowEmpty: flag('allow-empty'),
  wait: getInput('wait'),
  onUnavailable: getInput('on-unavailable'),
  shadow: flag('shadow'),
  timeout: getInput('timeout'),
  strictReport: flag('strict-report'),
});

/** The commands by which the runner starts the shells of `run`. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'],
  sh: ['sh', '-e', '-c'],
};

const option = (name: string, value: string): readonly string[] => (value === '' ? [] : [name, value]);
const flagWords = (name: string, wanted: boolean): readonly string[] => (wanted ? [name] : []);

const shellWords = ({ run, shell }: Inputs): readonly string[] => {
  const words = SHELLS[shell];
  if (words === undefined) throw new InputError(`The input shell is one of ${Object.keys(SHELLS).join(', ')}.`);
  if (run.trim() === '') throw new InputError('The input run is empty: say what deploys.');
  return [...words, run];
};

const beginning = ({ environment, version, commit }: Inputs): readonly string[] => [
  ...['--env', environment],
  ...option('--version', version),
  ...option('--commit', commit),
];

const filesOf = ({ files }: Inputs): readonly string[] => {
  if (files.length === 0) throw new InputError('The input files is empty: say where the reports are.');
  return files;
};

const WORDS: Readonly<Record<StepCommand, (inputs: Inputs) => readonly string[]>> = {
  deploy: (inputs) => [
    ...['deploy', 'run', ...beginning(inputs), ...flagWords('--pass-key', inputs.passKey), ...strict(inputs)],
    ...['--', ...shellWords(inputs)],
  ],
  'deploy-start': (inputs) => ['deploy', 'start', ...beginning(inputs), ...strict(inputs)],
  'deploy-finish': (inputs) => [
    ...['deploy', 'finish', '--status', inputs.status, ...strict(inputs)],
    ...['--', inputs.deployment],
  ],
  tests: (inputs) => [
    ...['tests', 'record', ...option('--format', inputs.format), ...option('--suite', inputs.suite)],
    ...[...option('--release', inputs.release), ...option('--commit', inputs.commit)],
    ...[...flagWords('--allow-empty', inputs.allowEmpty), ...strict(inputs), '--', ...filesOf(inputs)],
  ],
  gate: (inputs) => [
    ...['gate', ...option('--release', inputs.release), ...option('--wait', inputs.wait)],
    ...[...option('--on-unavailable', inputs.onUnavailable), ...flagWords('--shadow', inputs.shadow)],
  ],
};

const strict = ({ strictReport }: Inputs): readonly string[] => flagWords('--strict-report', strictReport);

/** The words after `shipworthy`. InputError where an input is missing that the command would not miss by itself. */
export const commandLine = (inputs: Inputs): readonly string[] => [
  '--json',
  ...option('--app', inputs.app),
  ...option('--timeout', inputs.timeout),
  ...WORDS[inputs.command](inputs),
];
