import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { FORMAT_CHOICES, recordReports } from '../report/record-reports.js';
import { runTests } from '../report/run-tests.js';
import type { Act } from '../session.js';
import {
  asCommit,
  asIdempotencyKey,
  asLabel,
  asOneLine,
  collected,
  PAGE_URL,
  PASS_KEY,
  STRICT_REPORT,
} from './option-values.js';

/** `shipworthy tests`: what a pipeline tests. */
export const testsCommand = (act: Act) =>
  new Command('tests')
    .description('report test runs')
    .addCommand(testsRecordCommand(act))
    .addCommand(testsRunCommand(act));

const RECORD_HELP = `
Reports are counted from the tests in them. What ran is passed, failed or errored; skipped and todo
are outside of it; a test that was tried again counts once, by its last attempt; a file that could not be loaded is an error.
Several reports become one run. The exit code is 0 although tests failed: recording worked, and the ship gate judges.

A report that is broken, missing or without tests ends with 6, names file and line, and nothing is recorded. One that contradicts
itself, such as failures at its head and none in its list, or says what is not understood, is recorded with errors, and ends with 6.
While the server is away the run is kept, and sent by the next report that arrives or by shipworthy flush. Prints the id of the test run.

  shipworthy tests record --app checkout --suite unit report.xml
  shipworthy tests record 'target/surefire-reports/*.xml' --release 2.4`;

/** `shipworthy tests record`: records reports as one test run. */
const testsRecordCommand = (act: Act) =>
  withRecordOptions(
    new Command('record')
      .description('record test reports as one test run')
      .argument('<files...>', 'reports, patterns such as reports/**/*.xml, or - for standard input'),
    'commit that was tested',
  )
    .addHelpText('after', RECORD_HELP)
    .action(act((session, files, options) => recordReports(session, files, options)));

const RUN_HELP = `
Runs the command with this one's own input and output and records the report it wrote, also when tests failed. The exit code is
the command's own; where it is not 0 although every test in the report passed, one error is added to them. Where the command
succeeded, a report that is missing, broken or without tests ends with 6 and is not recorded; one that contradicts itself, or
says what is not understood, is recorded with errors and ends with 6. Where a good report could not be sent, that is said on
stderr; --strict-report makes it the exit code (2, 4 or 5). The command does not get the API key, unless --pass-key says so.

Only reports that were written while the command ran are recorded. Without --report the usual places are looked at (junit.xml,
test-results/*.xml, target/surefire-reports/TEST-*.xml, ctrf/*.json and the like); what is there must be unambiguous.
A run that was interrupted is not recorded.

  shipworthy tests run --app checkout --report junit.xml -- npm test`;

/** `shipworthy tests run`: runs a command and records the test report it writes. */
const testsRunCommand = (act: Act) =>
  withRecordOptions(
    new Command('run')
      .description('run a command and record the test report it writes')
      .argument('<command...>', 'what tests, after --')
      .option('--report <pattern>', 'report the command writes; may be given again', collected),
    'commit that is tested',
  )
    .addOption(PASS_KEY)
    .addHelpText('after', RUN_HELP)
    .action(act((session, [command = '', ...words], options) => runTests(session, [command, ...words], options)));

/** The command with all that is told of a run, however its reports come about. */
const withRecordOptions = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  commit: string,
) =>
  command
    .addOption(new Option('--format <format>', 'of the reports').choices(FORMAT_CHOICES).default('auto' as const))
    .option('--suite <name>', 'label of the suite', asLabel)
    .option('--release <release>', 'its id or exact name; the active one unless given', asOneLine)
    .option('--commit <sha>', commit, asCommit)
    .addOption(PAGE_URL)
    .option('--allow-empty', 'reports without tests are no error; nothing is recorded for them')
    .option(
      '--idempotency-key <key>',
      'name of this step: run again, for the same suite, release and commit, it counts once, as it was first',
      asIdempotencyKey,
    )
    .addOption(STRICT_REPORT);
