import { EXIT, type ExitCode } from '../exit-code.js';
import { Failure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { Session } from '../session.js';
import { findReports } from './find-reports.js';
import type { RecordOptions } from './record-options.js';
import { exitOfRun, recordSum, unrecorded } from './record-sum.js';
import { sumReports } from './sum-reports.js';

/** `tests record`: counts the reports that paths and patterns name, and records them as one run. Failure (exit 6) for a report that cannot be; 6 too where one is recorded, but not to be taken at its word. */
export const recordReports = async (
  session: Session,
  patterns: readonly string[],
  options: RecordOptions,
): Promise<ExitCode> => {
  const { world, screen } = session;
  const { files, unmatched } = await findReports(world.folder, patterns);
  if (unmatched.length > 0)
    throw new Failure(EXIT.report, `No file is named ${harmless(unmatched.join(', '))}. Nothing was recorded.`, {
      code: 'report-missing',
      fixes: ['Say where the report is, as in shipworthy tests record target/surefire-reports/*.xml.'],
    });
  const note = (line: string) => screen.warn(line);
  const sum = await sumReports(files, {
    format: options.format,
    allowEmpty: options.allowEmpty ?? false,
    note,
    stdin: world.stdin,
  });
  if (sum === undefined) screen.warn('No test ran; nothing was recorded.');
  const recorded = sum === undefined ? unrecorded('empty') : await recordSum(session, sum, options);
  screen.answer(recorded.test_run_id ?? recorded.reference ?? '', recorded);
  return exitOfRun(recorded);
};
