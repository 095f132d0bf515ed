import { runChild } from '../child/run-child.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { announce } from './announce.js';
import { conclude } from './conclude.js';
import type { DeployOptions } from './deploy-options.js';

/**
 * Runs a command as a deployment: reports that it begins, runs it, reports how it ended. The command's own exit code wins over
 * whatever became of the reports; only where it is 0 and reports are strict, theirs counts.
 */
export const runDeployment = async (
  session: Session,
  command: readonly [string, ...string[]],
  options: DeployOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  const announced = await announce(session, options);
  const startedAt = world.now();
  const { exit, signal, interruptedBy } = await runChild(session, command);
  const finishedAt = world.now();
  const durationSeconds = Math.max(0, finishedAt - startedAt) / 1000;
  const cancelled = interruptedBy !== null;
  const status = exit === 0 && !cancelled ? 'success' : 'failure';
  if (signal !== null) screen.say(`The command was ended by ${signal}.`);
  const concluded = await conclude(session, announced, { status, startedAt, finishedAt, durationSeconds, cancelled });
  const { report, id, reference, url, exit: reportExit } = concluded;
  const ending = exit !== 0 ? exit : options.strictReport ? reportExit : EXIT.done;
  screen.answer('', {
    status,
    exit: ending,
    command_exit: exit,
    signal,
    duration_seconds: durationSeconds,
    report,
    deployment_id: id,
    reference,
    url,
  });
  return ending;
};
