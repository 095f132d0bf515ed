import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { AxisReportRequest } from '@shipworthy/client/contract';
import { reportAxis } from '../report/report-axis.js';
import type { Act } from '../session.js';
import { asIdempotencyKey, asLabel, asOneLine, collected, PAGE_URL, STRICT_REPORT } from './option-values.js';

/** `shipworthy axis`: axes of a project's own. */
export const axisCommand = (act: Act) =>
  new Command('axis').description("report axes of the project's own").addCommand(axisReportCommand(act));

const MOST = AxisReportRequest.properties.whole.maximum;

/** A whole number that the interface takes. */
const asFigure = (text: string): number => {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value > MOST) throw new InvalidArgumentError(`Give a whole number, 0 to ${MOST}.`);
  return value;
};

const asAxisName = (text: string): string => {
  if (!/^[a-z][a-z0-9_]{1,39}$/.test(text))
    throw new InvalidArgumentError('Give a small letter and 1 to 39 small letters, digits and underscores.');
  return text;
};

const REPORT_HELP = `
The policy of the project names its own axes; the latest report of each counts. What is measured is a part of a whole: figures, the
covered lines of all lines in coverage reports (lcov, Cobertura; several are added up), or the score of a category of Lighthouse.

A file that is missing, cut short, of another kind or without figures is reported as not measured, so that no older report
counts in its place, and the command ends with 6. Where a report's head says less than its lines do, the worse figure counts.
While the server is away the report is kept, and sent by the next report that arrives or by shipworthy flush. Prints the id.

  shipworthy axis report security --app checkout --part 48 --whole 50 --url https://ci.acme.dev/scans/7
  shipworthy axis report coverage --coverage coverage/lcov.info
  shipworthy axis report accessibility --lighthouse report.json
  shipworthy axis report security --unmeasured "The scanner was down"`;

/** `shipworthy axis report`: reports one measurement of one axis. */
const axisReportCommand = (act: Act) =>
  new Command('report')
    .description('report a measurement of an own axis')
    .argument('<axis>', 'its name in the policy', asAxisName)
    .option('--part <count>', 'how much of the whole is right', asFigure)
    .option('--whole <count>', 'how much there is, 1 at least', asFigure)
    .option('--coverage <pattern>', 'coverage report, lcov or Cobertura; may be given again', collected)
    .option('--lighthouse <file>', 'report of Lighthouse in JSON')
    .option('--category <name>', 'of Lighthouse; the name of the axis unless given', asLabel)
    .option('--unmeasured <why>', 'it could not be measured', asOneLine)
    .option('--explanation <text>', 'what stands behind the numbers', asOneLine)
    .option('--release <release>', 'its id or exact name; the active one unless given', asOneLine)
    .addOption(PAGE_URL)
    .option(
      '--idempotency-key <key>',
      'name of this step: run again, for the same axis and release, it counts once, as it was first',
      asIdempotencyKey,
    )
    .addOption(STRICT_REPORT)
    .addHelpText('after', REPORT_HELP)
    .action(act((session, axis, options) => reportAxis(session, axis, options)));
