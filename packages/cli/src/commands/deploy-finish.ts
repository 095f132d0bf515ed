import { Command, Option } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { asDuration } from '../deploy/deploy-options.js';
import { finishDeployment } from '../deploy/finish-deployment.js';

/** `shipworthy deploy finish`: reports how a deployment ended. */
export const deployFinishCommand = (act: Act) =>
  new Command('finish')
    .description('report how a deployment ended')
    .argument('<id>', 'what deploy start printed')
    .addOption(
      new Option('--status <status>', 'how it ended; final').choices(['success', 'failure']).makeOptionMandatory(),
    )
    .option('--duration <seconds>', 'how long it took', asDuration)
    .option('--strict-report', 'a report that is not sent is an error')
    .addHelpText(
      'after',
      '\nThe same status again changes nothing and ends with 0; the other one, or another duration, is refused (2). While the server is away it is kept.',
    )
    .action(act((session, id, options) => finishDeployment(session, id, options)));
