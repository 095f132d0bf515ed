import { getInput, getState, notice, warning } from '@actions/core';
import { processWorld, type World } from '@shipworthy/cli';
import { endProcess } from './end-process.js';
import { takeKey, withSettings } from './key.js';
import { leftOpen } from './outputs.js';
import { logText, perform } from './perform.js';

const TITLE = { title: 'Shipworthy' };
const FINISHED = 'deployment-finished';

const timeLimit = (): readonly string[] => ['--timeout', getInput('timeout')];

/** Ends a deployment that was left open; answers whether its end is kept, because the server is away. */
const close = async (world: World, id: string): Promise<boolean> => {
  const job = getInput('job-status');
  const status = job === 'success' ? 'success' : 'failure';
  const argv = ['--json', ...timeLimit(), 'deploy', 'finish', '--status', status, '--', id];
  const { exit, document } = await perform(world, argv);
  // A status that was reported before is kept.
  if (document?.error?.code === FINISHED) return false;
  const report = document?.data?.report;
  if (report === 'sent')
    notice(logText(`Deployment ${id} was left open; the job is ${job || 'over'}, so it ended as ${status}.`), TITLE);
  else if (exit === 0)
    warning(logText(`Deployment ${id} was left open; its end as ${status} could not be sent.`), TITLE);
  else warning(logText(`Deployment ${id} was left open and could not be ended (exit ${exit}).`), TITLE);
  return report === 'kept';
};

/**
 * What is left to do once the job is over: ends a deployment that was left open, as success only where the job succeeded, and
 * sends what was kept while the server was away. Never fails the job, which is over.
 */
const cleanUp = async (outside: World, key: string): Promise<void> => {
  const world = { ...outside, env: withSettings(outside.env, key, getInput('api-url')) };
  const id = leftOpen(world.env);
  const endIsKept = id !== undefined && (await close(world, id));
  if (!endIsKept && getState('kept') !== 'true') return;
  const { exit } = await perform(world, ['--json', ...timeLimit(), 'flush']);
  if (exit !== 0) warning(`What was kept could not be sent (exit ${exit}), and goes with this runner.`, TITLE);
};

const world = processWorld();
const key = takeKey(world.env);
await cleanUp(world, key);
await endProcess(0);
