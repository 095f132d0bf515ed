import { Command, Option } from '@commander-js/extra-typings';
import type { CallOptions } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import {
  afterSending,
  type DeploymentFacts,
  type DeployOptions,
  describeDeployment,
  reportFinish,
  sayNotReported,
  saySentAndFlush,
  startDeployment,
  startEntry,
  wholeEntry,
} from '../deploy/start-and-finish.js';
import { EXIT, type ExitCode, Failure, failureOf, isOutage, unexpectedFailure, usageFailure } from '../failure.js';
import { askGate, type GateAnswer, type GateOptions } from '../gate/run-gate.js';
import { runChild } from '../run-child.js';
import { type Act, type CommandSession, interruption, requireNotEnded } from '../session.js';
import type { DeploymentEntry, SpoolEntry } from '../spool/entry.js';
import { keepAndReport, sendEntry } from '../spool/report-or-keep.js';
import { type KeptEntry, spoolOf } from '../spool/spool.js';
import { asGateOptions, type GivenGateOptions, ON_UNAVAILABLE, RELEASE_OPTION, WAIT } from './gate.js';
import { asCommit, asDuration, asIdempotencyKey, asLabel, PAGE_URL, PASS_KEY, STRICT_REPORT } from './option-values.js';

/** `shipworthy deploy`: reports the deployments of a pipeline. */
export const deployCommand = (act: Act) =>
  new Command('deploy')
    .description('report deployments')
    .addCommand(deployRunCommand(act))
    .addCommand(deployStartCommand(act))
    .addCommand(deployFinishCommand(act));

const START_HELP = `
Prints the id for deploy finish, and nothing else, on stdout. While the server is away it prints a reference instead, such as
kept:7c9e6679-7425-40de-944b-e07fc1f90ae7, which deploy finish takes on the same machine; with --strict-report it ends with 5.

  id=$(shipworthy deploy start --app checkout --env production)
  ./deploy.sh && shipworthy deploy finish "$id" --status success || shipworthy deploy finish "$id" --status failure`;

/** `shipworthy deploy start`: reports that a deployment begins. */
const deployStartCommand = (act: Act) =>
  beginCommand('start', 'report that a deployment begins, and print its id')
    .addHelpText('after', START_HELP)
    .action(act((session, options) => startDeployment(session, options)));

const RUN_HELP = `
Reports that the deployment begins, runs the command with this one's own input and output, and reports success or failure
with its duration. The exit code is the command's own; 128 and the signal's number when a signal ended it, 127 when it was
not found, 126 when it could not be run. Interrupts are handed on to it; a second one kills it. It does not get the API key,
unless --pass-key says so.

A server that is away holds the deployment up for at most 5 seconds, and its end for 5 more: the report is kept, and sent by the next report that
arrives or by shipworthy flush. A report that is refused is said on stderr. With --strict-report either becomes the exit code
(5; 2 or 4), once the command itself succeeded. What is wrong on the command line ends with 2 before anything runs.

With --gate the ship gate is asked first, as shipworthy gate asks it. The command runs only when it says go; otherwise nothing
runs, nothing is reported, and the exit code is that of shipworthy gate: 3 hold; 5 unknown, or no server could be asked;
8 --wait ran out; 4 the key; 2 usage or no such release.

Commit, page of the run and who deployed come from the variables of GitHub Actions, GitLab CI, Buildkite, CircleCI, Jenkins,
Azure Pipelines and Bitbucket Pipelines, the commit else from git; what was assumed is said. On a pull request it is the head
commit.

  shipworthy deploy run --app checkout --env production --version 2.4.1 -- ./deploy.sh --fast
  shipworthy deploy run --gate --wait 10m --app checkout --env production -- ./deploy.sh`;

/** The options of the gate; undefined without --gate. Failure (exit 2) for options of the gate without --gate. */
const askedWith = (gate: boolean | undefined, given: GivenGateOptions) => {
  if (gate) return asGateOptions(given);
  if (Object.values(given).some((value) => value !== undefined))
    throw usageFailure('--release, --wait and --on-unavailable go with --gate.');
  return undefined;
};

/** `shipworthy deploy run`: runs a command and reports it as a deployment. */
const deployRunCommand = (act: Act) =>
  beginCommand('run', 'run a command and report it as a deployment')
    .argument('<command...>', 'what deploys, after --')
    .option('--gate', 'run the command only when the ship gate says go')
    .addOption(RELEASE_OPTION)
    .addOption(WAIT)
    .addOption(ON_UNAVAILABLE)
    .addOption(PASS_KEY)
    .addHelpText('after', RUN_HELP)
    .action(
      act(async (session, [command = '', ...words], { gate, release, wait, onUnavailable, ...deployment }) => {
        const asked = askedWith(gate, { release, wait, onUnavailable });
        return runDeployment(session, [command, ...words], deployment, asked);
      }),
    );

/** `shipworthy deploy finish`: reports how a deployment ended. */
const deployFinishCommand = (act: Act) =>
  new Command('finish')
    .description('report how a deployment ended')
    .argument('<id>', 'what deploy start printed')
    .addOption(
      new Option('--status <status>', 'how it ended; final').choices(['success', 'failure']).makeOptionMandatory(),
    )
    .option('--duration <seconds>', 'how long it took', asDuration)
    .addOption(STRICT_REPORT)
    .addHelpText(
      'after',
      '\nThe same status again changes nothing and ends with 0; the other one, or another duration, is refused (2). While the server is away it is kept.',
    )
    .action(act((session, id, options) => reportFinish(session, id, options)));

/** A command that reports that a deployment begins, with the options that describe the deployment. */
const beginCommand = (name: 'run' | 'start', description: string) =>
  new Command(name)
    .description(description)
    .requiredOption('--env <name>', 'environment it is deployed to', asLabel)
    .option('--version <version>', 'version that is deployed', asLabel)
    .option('--commit <sha>', 'commit that is deployed', asCommit)
    .addOption(PAGE_URL)
    .option('--deployed-by <name>', 'who or what deploys', asLabel)
    .option(
      '--idempotency-key <key>',
      'name of this step: run again, for the same commit and environment, it counts once',
      asIdempotencyKey,
    )
    .addOption(STRICT_REPORT);

/** Asks the ship gate before the command may run; undefined without a gate. */
const askFirst = async (session: CommandSession, gate: GateOptions | undefined): Promise<GateAnswer | undefined> => {
  if (gate === undefined) return undefined;
  session.screen.say('Asking the ship gate. The command runs only when it says go.');
  return askGate(session, gate);
};

/** Warns in the last line about what was not recorded; prints nothing when everything was sent. */
const sayUnrecorded = ({ screen }: CommandSession, { report, id, reference }: EndReportResult): void => {
  if (report === 'sent') return;
  const what = id === null ? 'Nothing was recorded of this deployment' : `The end of deployment ${id} was not recorded`;
  screen.warn(reference === null ? `${what}.` : `${what} yet: shipworthy flush sends ${reference}.`);
};

/** Prints the gate's answer and that the command was not run; returns the gate's exit code. */
const answerNotRun = ({ screen }: CommandSession, { exit, text, data }: GateAnswer): ExitCode => {
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
 * Runs a command as a deployment: reports that it begins, runs it, reports how it ended. The command's own exit code
 * wins over the result of the reports; only when it is 0 and reports are strict, the exit code of the reports counts.
 * With `gate` all this happens only when the ship gate says go; otherwise the exit code is the gate's. Failure (exit 2)
 * when no commit is known, before the gate is asked; fails also as `askGate` does.
 */
const runDeployment = async (
  session: CommandSession,
  command: readonly [string, ...string[]],
  options: DeployOptions,
  gate?: GateOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  const facts = await describeDeployment(session, options);
  const verdict = await askFirst(session, gate);
  if (verdict !== undefined) {
    if (verdict.exit !== EXIT.done) return answerNotRun(session, verdict);
    // stdout belongs to the command.
    screen.say(verdict.text);
  }
  const announced = await announce(session, facts, options);
  const startedAt = world.now();
  const { exit, signal, interruptedBy } = await runChild(session, command, options.passKey);
  const finishedAt = world.now();
  const durationSeconds = Math.max(0, finishedAt - startedAt) / 1000;
  const cancelled = interruptedBy !== null;
  const status = exit === 0 && !cancelled ? 'success' : 'failure';
  if (signal !== null) screen.say(`The command was ended by ${signal}.`);
  const result = await reportEnd(session, announced, { status, startedAt, finishedAt, durationSeconds, cancelled });
  const { report, id, reference, url, exit: reportExit } = result;
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
  sayUnrecorded(session, result);
  return ending;
};

/** A server that cannot be reached delays a deployment by this at most. */
const LIMIT_MS = 5_000;

/** The result of reporting that a deployment begins. */
type Announced =
  | { readonly state: 'started'; readonly connection: Connection; readonly entry: DeploymentEntry; readonly id: string }
  /** During an outage: whether the server has the report is unknown. */
  | { readonly state: 'unknown'; readonly connection: Connection; readonly entry: DeploymentEntry }
  /** The deployment will not be reported, now or later. */
  | { readonly state: 'refused'; readonly failure: Failure };

const attempt = async (
  session: CommandSession,
  facts: DeploymentFacts,
  options: DeployOptions,
  limits: CallOptions,
): Promise<Announced> => {
  let entry: DeploymentEntry | undefined;
  let connection: Connection | undefined;
  try {
    connection = await session.connect();
    entry = await startEntry(session, connection, facts, options);
    const { id } = await sendEntry(session, connection, entry, limits);
    session.screen.say(`Deployment ${id} began.`);
    return { state: 'started', connection, entry, id };
  } catch (error) {
    if (session.globals.dryRun) throw error;
    const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
    if (failure.code === 'interrupted') throw failure;
    if (connection === undefined || entry === undefined || !isOutage(failure)) {
      sayNotReported(session, failure);
      return { state: 'refused', failure };
    }
    session.screen.warn(failure.message);
    session.screen.warn('The deployment goes on, and is reported when it is over.');
    return { state: 'unknown', connection, entry };
  }
};

/**
 * Reports that a deployment begins. A failed report is printed and delays the deployment by five seconds at most.
 * Failure (exit 129, 130, 143) when the command is or was interrupted: then nothing may begin.
 */
export const announce = async (
  session: CommandSession,
  facts: DeploymentFacts,
  options: DeployOptions,
): Promise<Announced> => {
  const interrupted = new AbortController();
  const giveBack = session.takeInterrupts((signal) => interrupted.abort(interruption(signal)));
  const timeoutMs = Math.min(LIMIT_MS, session.globals.timeout * 1000);
  try {
    await requireNotEnded(session);
    const announced = await attempt(session, facts, options, { signal: interrupted.signal, timeoutMs });
    interrupted.signal.throwIfAborted();
    return announced;
  } finally {
    giveBack();
  }
};

/** A cancelled pipeline is killed soon: reports that cannot be sent within this time are kept. */
const CANCELLED_MS = 3_000;
const AWAY_MS = 5_000;

/** How the deployment ended. */
export interface End {
  readonly status: 'success' | 'failure';
  /** Milliseconds since the epoch, as is `finishedAt`. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly durationSeconds: number;
  readonly cancelled: boolean;
}

/** The result of the report. */
interface EndReportResult {
  readonly report: 'sent' | 'kept' | 'lost' | 'refused';
  readonly id: string | null;
  readonly reference: string | null;
  readonly url: string | null;
  /** The exit code under strict reports: 0 only when the report was sent. */
  readonly exit: ExitCode;
}

const entryOf = (announced: Exclude<Announced, { state: 'refused' }>, end: End): SpoolEntry => {
  const { status, startedAt, finishedAt, durationSeconds } = end;
  if (announced.state === 'unknown')
    return wholeEntry({ ...announced.entry, madeAt: startedAt }, status, finishedAt, durationSeconds);
  return {
    operation: 'finishDeployment',
    path: { deployment_id: announced.id },
    body: { status, duration_seconds: durationSeconds },
    measured: true,
    idempotencyKey: `${announced.entry.idempotencyKey}-end`,
    address: announced.connection.address,
    madeAt: finishedAt,
  };
};

const cancelled = (): Failure =>
  new Failure(EXIT.unchecked, 'Interrupted before the server answered.', { code: 'interrupted' });

/** How long the report may delay the pipeline, in milliseconds; short where the server was away at the start. */
const patienceMs = ({ state }: Announced, { cancelled: isCancelled }: End): number => {
  if (isCancelled) return CANCELLED_MS;
  return state === 'unknown' ? AWAY_MS : Number.POSITIVE_INFINITY;
};

/**
 * Reports how a deployment ended. The report is kept before it is sent, so that it outlives this process. A report that
 * fails never rejects the promise.
 */
const reportEnd = async (session: CommandSession, announced: Announced, end: End): Promise<EndReportResult> => {
  if (announced.state === 'refused')
    return { report: 'refused', id: null, reference: null, url: null, exit: announced.failure.exit };
  const hurry = new AbortController();
  // Registered before anything else: the interrupt that ended the command may arrive twice, and the second one must not end
  // this process before the report is kept.
  const giveBack = session.takeInterrupts(() => hurry.abort(cancelled()));
  try {
    return await keepAndSendReport(session, announced, end, hurry.signal);
  } finally {
    giveBack();
  }
};

const keepAndSendReport = async (
  session: CommandSession,
  announced: Exclude<Announced, { state: 'refused' }>,
  end: End,
  signal: AbortSignal,
): Promise<EndReportResult> => {
  const { connection } = announced;
  const id = announced.state === 'started' ? announced.id : null;
  const entry = entryOf(announced, end);
  const spool = await spoolOf(session);
  const kept: KeptEntry | undefined = await spool.keep(entry).catch(() => undefined);
  const timeoutMs = Math.min(patienceMs(announced, end), session.globals.timeout * 1000);
  try {
    const sent = await sendEntry(session, connection, entry, { signal, timeoutMs });
    const url = await afterSending(session, sent, async () => {
      if (kept !== undefined) await spool.remove(kept);
      return end.cancelled ? null : saySentAndFlush(session, connection, sent);
    });
    return { report: 'sent', id: sent.id, reference: null, url, exit: EXIT.done };
  } catch (error) {
    const failure = failureOf(error) ?? unexpectedFailure(error, session.world.env);
    if (isOutage(failure) || failure.exit === EXIT.unexpected) {
      const waiting = await keepAndReport(session, entry, failure, kept?.reference);
      return {
        report: waiting === undefined ? 'lost' : 'kept',
        id,
        reference: waiting?.reference ?? null,
        url: null,
        exit: failure.exit,
      };
    }
    if (kept !== undefined) await spool.remove(kept).catch(() => undefined);
    sayNotReported(session, failure);
    return { report: 'refused', id, reference: null, url: null, exit: failure.exit };
  }
};
