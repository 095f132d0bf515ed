import { getBooleanInput, getInput } from '@actions/core';

/** What a step can do. */
export const STEP_COMMANDS = ['deploy', 'deploy-start', 'deploy-finish', 'tests', 'gate'] as const;
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
