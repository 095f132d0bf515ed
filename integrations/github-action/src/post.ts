import { getInput, getState, notice, warning } from '@actions/core';
import { processWorld, type World } from '@shipworthy/cli';
import { endProcess } from './end-process.js';
import { takeKey, withSettings } from './key.js';
import { leftOpen } from './outputs.js';
import { logText, perform } from './perform.js';

const TITLE = { title: 'Shipworthy' };
const FINISHED = 'deployment-finished';

const timeLimit = (): readonly string[] => ['--timeout', getInput('timeout')];

const close = async (world: World, id: string): Promise<void> => {
  const job = getInput('job-status');
  const status = job === 'success' ? 'success' : 'failure';
  const argv = ['--json', ...timeLimit(), 'deploy', 'finish', '--status', status, '--', id];
  const { exit, document } = await perform(world, argv);
  // A status that was reported before is kept.
  if (document?.error?.code === FINISHED) return;
  if (exit === 0)
    notice(logText(`Deployment ${id} was left open; the job is ${job || 'over'}, so it ended as ${status}.`), TITLE);
  else warning(logText(`Deployment ${id} was left open and could not be ended (exit ${exit}).`), TITLE);
};

/**
 * What is left to do once the job is over: ends a deployment that was left open, as success only where the job succeeded, and
 * sends what was kept while the server was away. Never fails the job, which is over.
 */
const cleanUp = async (outside: World, key: string): Promise<void> => {
  const world = { ...outside, env: withSettings(outside.env, key, getInput('api-url')) };
  const id = leftOpen(world.env);
  if (id !== undefined) await close(world, id);
  if (getState('kept') !== 'true') return;
  const { exit } = await perform(world, ['--json', ...timeLimit(), 'flush']);
  if (exit !== 0) warning(`What was kept could not be sent (exit ${exit}), and goes with this runner.`, TITLE);
};

const world = processWorld();
const key = takeKey(world.env);
await cleanUp(world, key);
await endProcess(0);
