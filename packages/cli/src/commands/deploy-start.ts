import type { Act } from '../command.js';
import { startDeployment } from '../deploy/start-deployment.js';
import { beginCommand } from './begin-command.js';

const START_HELP = `
Prints the id for deploy finish, and nothing else, on stdout. While the server is away it prints a reference instead, such as
kept:7c9e6679-7425-40de-944b-e07fc1f90ae7, which deploy finish takes on the same machine; with --strict-report it ends with 5.

  id=$(shipworthy deploy start --app checkout --env production)
  ./deploy.sh && shipworthy deploy finish "$id" --status success || shipworthy deploy finish "$id" --status failure`;

/** `shipworthy deploy start`: reports that a deployment begins. */
export const deployStartCommand = (act: Act) =>
  beginCommand('start', 'report that a deployment begins, and print its id')
    .addHelpText('after', START_HELP)
    .action(act((session, options) => startDeployment(session, options)));
