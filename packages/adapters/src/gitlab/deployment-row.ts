import type { HostDeployment, HostDeploymentState, Instant } from '@shipworthy/domain';
import { type Fields, moment, momentOrNull, text, textOrNull, wholeNumber, within } from './fields.js';

/** GitLab's states; a canceled or skipped one says nothing about how a deployment went, nor does one that is new to us. */
const STATES: Readonly<Record<string, HostDeploymentState>> = {
  created: 'queued',
  blocked: 'queued',
  running: 'started',
  success: 'success',
  failed: 'failure',
  canceled: 'other',
  skipped: 'other',
};

const stateOf = (fields: Fields): HostDeploymentState => STATES[text(fields, 'status')] ?? 'other';

const jobMoment = (fields: Fields, name: 'started_at' | 'finished_at'): Instant | null => {
  const job = within(fields, 'deployable');
  return job === undefined ? null : momentOrNull(job, name);
};

/** Whether it succeeded or failed and no job tells when: a tool recorded it, and the row has no such field. */
export const lacksEnd = (fields: Fields): boolean =>
  ['success', 'failure'].includes(stateOf(fields)) && jobMoment(fields, 'finished_at') === null;

/** When the present state was entered; null: unknown. */
const enteredAt = (fields: Fields, state: HostDeploymentState, end: Instant | null): Instant | null => {
  const createdAt = moment(fields, 'created_at');
  if (state === 'queued') return createdAt;
  if (state === 'started') return jobMoment(fields, 'started_at') ?? createdAt;
  return jobMoment(fields, 'finished_at') ?? end;
};

/**
 * A deployment, as GitLab's documentation shows it. It keeps no list of states: they are put together from its state and
 * its job. It ends with its job (`finished_at`), or at `end` if a tool recorded it; `updated_at` moves with every later touch
 * and is no end. One that ended nobody knows when is neither a success nor a failure here, and not under way either.
 */
export const deploymentOf = (fields: Fields, end: Instant | null): HostDeployment => {
  const createdAt = moment(fields, 'created_at');
  const job = within(fields, 'deployable');
  const user = within(fields, 'user');
  const environment = within(fields, 'environment');
  const state = stateOf(fields);
  const at = enteredAt(fields, state, end);
  const began = jobMoment(fields, 'started_at');
  const states: { state: HostDeploymentState; at: Instant }[] = [];
  if (at === null) states.push({ state: 'other', at: createdAt });
  else {
    const hasEnded = state !== 'queued' && state !== 'started';
    if (hasEnded && began !== null) states.push({ state: 'started', at: Math.min(began, at) });
    states.push({ state, at });
  }
  return {
    id: String(wholeNumber(fields, 'id')),
    // A deleted environment leaves its deployments behind.
    environment: (environment && textOrNull(environment, 'name')) ?? 'unknown',
    commitSha: text(fields, 'sha'),
    ref: textOrNull(fields, 'ref'),
    deployedBy: (user && textOrNull(user, 'username')) ?? null,
    url: (job && textOrNull(job, 'web_url')) ?? null,
    createdAt,
    states,
  };
};
