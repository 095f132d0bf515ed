import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { deployFinishCommand } from './deploy-finish.js';
import { deployRunCommand } from './deploy-run.js';
import { deployStartCommand } from './deploy-start.js';

/** `shipworthy deploy`: what a pipeline deploys. */
export const deployCommand = (act: Act) =>
  new Command('deploy')
    .description('report deployments')
    .addCommand(deployRunCommand(act))
    .addCommand(deployStartCommand(act))
    .addCommand(deployFinishCommand(act));
