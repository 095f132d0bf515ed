import { InputError, type Inputs, type StepCommand } from './inputs.js';

/** The commands by which the runner starts the shells of `run`. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'],
  sh: ['sh', '-e', '-c'],
};

const option = (name: string, value: string): readonly string[] => (value === '' ? [] : [name, value]);
const flag = (name: string, wanted: boolean): readonly string[] => (wanted ? [name] : []);

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
    ...['deploy', 'run', ...beginning(inputs), ...flag('--pass-key', inputs.passKey), ...strict(inputs)],
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
    ...[...flag('--allow-empty', inputs.allowEmpty), ...strict(inputs), '--', ...filesOf(inputs)],
  ],
  gate: (inputs) => [
    ...['gate', ...option('--release', inputs.release), ...option('--wait', inputs.wait)],
    ...[...option('--on-unavailable', inputs.onUnavailable), ...flag('--shadow', inputs.shadow)],
  ],
};

const strict = ({ strictReport }: Inputs): readonly string[] => flag('--strict-report', strictReport);

/** The words after `shipworthy`. InputError where an input is missing that the command would not miss by itself. */
export const commandLine = (inputs: Inputs): readonly string[] => [
  '--json',
  ...option('--app', inputs.app),
  ...option('--timeout', inputs.timeout),
  ...WORDS[inputs.command](inputs),
];
