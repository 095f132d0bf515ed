import { exportVariable, getState, saveState } from '@actions/core';
import type { World } from '@shipworthy/cli';

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
