import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { asCommit, asIdempotencyKey, asLabel, asPage } from '../deploy/deploy-options.js';
import { startDeployment } from '../deploy/start-deployment.js';

const HELP = `
Prints the id for deploy finish, and nothing else, on stdout. While the server is away it prints a reference instead, such as
kept:7c9e6679-7425-40de-944b-e07fc1f90ae7, which deploy finish takes on the same machine; with --strict-report it ends with 5.

  id=$(shipworthy deploy start --app checkout --env production)
  ./deploy.sh && shipworthy deploy finish "$id" --status success || shipworthy deploy finish "$id" --status failure`;

/** `shipworthy deploy start`: reports that a deployment begins. */
export const deployStartCommand = (act: Act) =>
  new Command('start')
    .description('report that a deployment begins, and print its id')
    .requiredOption('--env <name>', 'environment it is deployed to', asLabel)
    .option('--version <version>', 'version that is deployed', asLabel)
    .option('--commit <sha>', 'commit that is deployed', asCommit)
    .option('--url <address>', 'page of the run', asPage)
    .option('--deployed-by <name>', 'who or what deploys', asLabel)
    .option(
      '--idempotency-key <key>',
      'name of this step: run again, for the same commit and environment, it counts once',
      asIdempotencyKey,
    )
    .option('--strict-report', 'a report that is not sent is an error')
    .addHelpText('after', HELP)
    .action(act((session, options) => startDeployment(session, options)));
