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

/** Creating a deployment in its final state touches it twice, within moments. */
const SAME_STEP_MS = 1000;

/**
 * When the present state was entered; undefined: GitLab does not tell. A deployment ends with its job (`finished_at`).
 * One that a tool recorded has no job: `updated_at` moves with every later touch and is no end, so the end is known only of
 * what was recorded already ended and never touched since.
 */
const enteredAt = (fields: Fields, state: HostDeploymentState): Instant | undefined => {
  const createdAt = moment(fields, 'created_at');
  const job = within(fields, 'deployable');
  if (state === 'queued') return createdAt;
  if (state === 'started') return job === undefined ? createdAt : (momentOrNull(job, 'started_at') ?? createdAt);
  const finishedAt = job === undefined ? null : momentOrNull(job, 'finished_at');
  if (finishedAt !== null) return finishedAt;
  const isUntouched = moment(fields, 'updated_at') - createdAt <= SAME_STEP_MS;
  return job === undefined && isUntouched ? createdAt : undefined;
};

/**
 * A deployment, as GitLab's documentation shows it. It keeps no list of states: they are put together from job and state. One
 * that ended nobody knows when is neither a success nor a failure here, and not under way either.
 */
export const deploymentOf = (fields: Fields): HostDeployment => {
  const createdAt = moment(fields, 'created_at');
  const job = within(fields, 'deployable');
  const user = within(fields, 'user');
  const environment = within(fields, 'environment');
  const state = STATES[text(fields, 'status')] ?? 'other';
  const present = enteredAt(fields, state);
  const began = job === undefined ? null : momentOrNull(job, 'started_at');
  const states: { state: HostDeploymentState; at: Instant }[] = [];
  if (present === undefined) states.push({ state: 'other', at: createdAt });
  else {
    const hasEnded = state !== 'queued' && state !== 'started';
    if (hasEnded && began !== null) states.push({ state: 'started', at: Math.min(began, present) });
    states.push({ state, at: present });
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
