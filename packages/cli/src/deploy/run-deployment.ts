import { runChild } from '../child/run-child.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { askGate, type GateAnswer, type GateOptions } from '../gate/run-gate.js';
import type { Session } from '../session.js';
import { announce } from './announce.js';
import { type Concluded, conclude } from './conclude.js';
import type { DeployOptions } from './deploy-options.js';
import { readDeployment } from './deployment-start.js';

/** What the ship gate said before the command may run; undefined without a gate. */
const askFirst = async (session: Session, gate: GateOptions | undefined): Promise<GateAnswer | undefined> => {
  if (gate === undefined) return undefined;
  session.screen.say('Asking the ship gate. The command runs only when it says go.');
  return askGate(session, gate);
};

/** Says in the last line what the server has not got; nothing when it has all. */
const sayUnrecorded = ({ screen }: Session, { report, id, reference }: Concluded): void => {
  if (report === 'sent') return;
  const what = id === null ? 'Nothing was recorded of this deployment' : `The end of deployment ${id} was not recorded`;
  screen.warn(reference === null ? `${what}.` : `${what} yet: shipworthy flush sends ${reference}.`);
};

/** Ends without the command: the answer is what `shipworthy gate` says. */
const answerNotRun = ({ screen }: Session, { exit, text, data }: GateAnswer): ExitCode => {
  screen.answer(text, {
    status: 'not_run',
    exit,
    command_exit: null,
    signal: null,
    duration_seconds: null,
    report: null,
    deployment_id: null,
    reference: null,
    url: null,
    gate: data,
  });
  screen.say('The command was not run, and no deployment was reported.');
  return exit;
};

/**
 * Runs a command as a deployment: reports that it begins, runs it, reports how it ended. The command's own exit code wins over
 * whatever became of the reports; only where it is 0 and reports are strict, theirs counts. With `gate` all this happens only
 * when the ship gate says go; otherwise the exit code is the gate's. Failure (exit 2) when no commit is known, before the gate
 * is asked, and those of asking the gate.
 */
export const runDeployment = async (
  session: Session,
  command: readonly [string, ...string[]],
  options: DeployOptions,
  gate?: GateOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  const facts = await readDeployment(session, options);
  const verdict = await askFirst(session, gate);
  if (verdict !== undefined) {
    if (verdict.exit !== EXIT.done) return answerNotRun(session, verdict);
    // stdout belongs to the command.
    screen.say(verdict.text);
  }
  const announced = await announce(session, facts, options);
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
    gate: verdict?.data ?? null,
  });
  sayUnrecorded(session, concluded);
  return ending;
};
