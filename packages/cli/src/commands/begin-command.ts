import { Command } from '@commander-js/extra-typings';
import { asCommit, asIdempotencyKey, asLabel, asPage } from '../deploy/deploy-options.js';

/** A command that reports a deployment's beginning, with all that is told of it. */
export const beginCommand = (name: 'run' | 'start', description: string) =>
  new Command(name)
    .description(description)
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
    .option('--strict-report', 'a report that is not sent is an error');
