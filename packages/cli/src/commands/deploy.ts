import { Command, Option } from '@commander-js/extra-typings';
import { runDeployment } from '../deploy/run-deployment.js';
import { reportFinish, startDeployment } from '../deploy/start-and-finish.js';
import { usageFailure } from '../failure.js';
import type { Act } from '../session.js';
import { asGateOptions, type GivenGateOptions, ON_UNAVAILABLE, RELEASE_OPTION, WAIT } from './gate.js';
import { asCommit, asDuration, asIdempotencyKey, asLabel, PAGE_URL, PASS_KEY, STRICT_REPORT } from './option-values.js';

/** `shipworthy deploy`: what a pipeline deploys. */
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
runs, nothing is reported, and the exit code is that of shipworthy gate: 3 hold; 5 unknown, or nobody could be asked;
8 --wait ran out; 4 the key; 2 usage or no such release.

Commit, page of the run and who deployed come from the variables of GitHub Actions, GitLab CI, Buildkite, CircleCI, Jenkins,
Azure Pipelines and Bitbucket Pipelines, the commit else from git; what was assumed is said. On a pull request it is the head
commit.

  shipworthy deploy run --app checkout --env production --version 2.4.1 -- ./deploy.sh --fast
  shipworthy deploy run --gate --wait 10m --app checkout --env production -- ./deploy.sh`;

/** The options of the gate; undefined without --gate. Failure (exit 2) when its options are given without it: they would gate nothing. */
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

/** A command that reports a deployment's beginning, with all that is told of it. */
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
