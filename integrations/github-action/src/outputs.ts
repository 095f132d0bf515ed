import { exportVariable, getState, saveState } from '@actions/core';
import { inert, inertJson, UNUSABLE_ANSWERS, type World } from '@shipworthy/cli';
import type { StepCommand } from './inputs.js';
import { type Data, type Document, inside } from './perform.js';

/** The outputs for later steps; every output of the step's command is present, empty when it is not known. */
export type Outputs = Readonly<Record<string, string>>;

const UNCHECKED = 5;

const text = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? inertJson(JSON.stringify(value)) : inert(String(value));
};

const verdictOf = (data: Data | undefined, exit: number, code: string | undefined): string => {
  if (typeof data?.decision === 'string') return data.decision;
  if (data?.unreadable || (code !== undefined && UNUSABLE_ANSWERS.includes(code))) return 'error';
  return data !== undefined || exit === UNCHECKED ? 'unavailable' : 'error';
};

const gateOutputs = (data: Data | undefined, exit: number, code?: string): Outputs => ({
  verdict: verdictOf(data, exit, code),
  score: text(data?.score),
  coverage: text(data?.coverage),
  reasons: text(data?.reasons ?? []),
  'next-steps': text(data?.next_steps ?? []),
  'release-id': text(inside(data?.release, 'id')),
  url: text(data?.scorecard),
});

const reportOutputs = (name: string, id: unknown, data: Data | undefined): Outputs => ({
  [name]: text(id),
  report: text(data?.report) || 'refused',
  url: text(data?.url),
});

const COMMAND_OUTPUTS: Readonly<Record<StepCommand, (data: Data | undefined, exit: number, code?: string) => Outputs>> =
  {
    gate: gateOutputs,
    tests: (data) => reportOutputs('test-run-id', data?.test_run_id ?? data?.reference, data),
    deploy: (data) => reportOutputs('deployment-id', data?.deployment_id ?? data?.reference, data),
    'deploy-start': (data) => reportOutputs('deployment-id', data?.id, data),
    'deploy-finish': (data) => reportOutputs('deployment-id', data?.id, data),
  };

/** The outputs of a step that ended so. `verdict` is never `go` unless the server said it. */
export const outputsOf = (command: StepCommand, exit: number, document: Document | undefined): Outputs => ({
  ...COMMAND_OUTPUTS[command](document?.data, exit, document?.error?.code),
  'exit-code': String(exit),
});

/** The outputs of a step that did nothing for want of the secret. */
export const skippedOutputs = (command: StepCommand): Outputs => ({
  ...COMMAND_OUTPUTS[command]({}, 0),
  ...(command === 'gate' ? { verdict: 'skipped' } : { report: 'skipped' }),
  'exit-code': '0',
});

/** Between the steps of a job: the deployments that a step has ended, by id. */
const ENDED = 'SHIPWORTHY_ENDED_DEPLOYMENTS';
const BEGAN = /^Deployment ([0-9a-f-]{36}) began\.$/m;

/** The post step ends this deployment unless it is ended before. */
export const leaveOpen = (id: string): void => saveState('deployment', id);

/** The post step need not do anything about it. */
export const markEnded = (env: World['env'], id: string): void => {
  saveState('deployment', '');
  if (id !== '') exportVariable(ENDED, `${env[ENDED] ?? ''} ${id}`.trim());
};

/** The deployment that was left open, if any: begun by this step and ended by none. */
export const leftOpen = (env: World['env']): string | undefined => {
  const id = getState('deployment');
  return id === '' || (env[ENDED] ?? '').split(' ').includes(id) ? undefined : id;
};

/** The id in what `deploy run` says once the start is reported: a runner that is killed leaves it to the post step. */
export const begunIn = (said: string): string | undefined => BEGAN.exec(said)?.[1];
