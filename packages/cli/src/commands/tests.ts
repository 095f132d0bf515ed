import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { testsRecordCommand } from './tests-record.js';
import { testsRunCommand } from './tests-run.js';

/** `shipworthy tests`: what a pipeline tests. */
export const testsCommand = (act: Act) =>
  new Command('tests')
    .description('report test runs')
    .addCommand(testsRecordCommand(act))
    .addCommand(testsRunCommand(act));
