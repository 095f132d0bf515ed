import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { AxisReport } from '@shipworthy/client';
import { AxisReportRequest } from '@shipworthy/client/contract';
import { type Measurement, readCoverage, readLighthouse } from '@shipworthy/test-reports';
import type { Connection } from '../connection.js';
import { EXIT, type ExitCode, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { readPipeline } from '../pipeline/read-pipeline.js';
import { pathOf, visibleProjects } from '../project.js';
import { bytesOf, countedFor, findReports, reportFault, STDIN } from '../report/record-reports.js';
import { schemaFaults } from '../schema.js';
import type { Act, CommandSession } from '../session.js';
import { ANSWERED_AXIS_REPORT, type Sent } from '../spool/deliver.js';
import type { NamedAxisReportEntry } from '../spool/entry.js';
import { type ReportOptions, reportOrKeep } from '../spool/report-or-keep.js';
import { asIdempotencyKey, asLabel, asOneLine, collected, PAGE_URL, STRICT_REPORT } from './option-values.js';

/** `shipworthy axis`: reports own axes of a project. */
export const axisCommand = (act: Act) =>
  new Command('axis').description("report axes of the project's own").addCommand(axisReportCommand(act));

const MOST = AxisReportRequest.properties.whole.maximum;

/** Reads a whole number, from 0 to the largest that the API accepts. */
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
    .option('--explanation <text>', 'what is behind the numbers', asOneLine)
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

/** The options of `axis report`. */
interface AxisOptions extends Omit<ReportOptions, 'commit'> {
  readonly part?: number | undefined;
  readonly whole?: number | undefined;
  /** Why it could not be measured. */
  readonly unmeasured?: string | undefined;
  /** Files or patterns. */
  readonly coverage?: readonly string[] | undefined;
  readonly lighthouse?: string | undefined;
  /** The category of Lighthouse; the name of the axis unless given. */
  readonly category?: string | undefined;
  readonly explanation?: string | undefined;
  readonly release?: string | undefined;
}

/** A measurement to report; `whole` is null when nothing was measured. `faults` names files that could not be read. */
interface Measured {
  readonly part: number;
  readonly whole: number | null;
  readonly explanation: string | null;
  readonly faults: readonly string[];
}

/**
 * `axis report`: reports a measurement of an own axis, from figures or from a file of a tool, and says what became of it. A file that
 * cannot be read is reported as not measured, so that no older report counts in its place, and the command ends with 6.
 * Failure (exit 2, 4) when it is refused, (exit 5) during an outage when reports are strict.
 */
const reportAxis = async (session: CommandSession, axis: string, options: AxisOptions): Promise<ExitCode> => {
  const { screen } = session;
  const measured = await measure(session, axis, options);
  for (const fault of measured.faults) screen.warn(`${fault}; reported as not measured.`);
  screen.say(
    `${harmless(axis)}: ${measured.whole === null ? 'not measured' : `${measured.part} of ${measured.whole}`}.`,
  );
  const exit = measured.faults.length === 0 ? EXIT.done : EXIT.report;
  session.dryRunExit = exit;
  const connection = await session.connect();
  const entry = await axisEntry(session, connection, axis, measured, options);
  const done = await reportOrKeep(session, connection, entry, options.strictReport ?? false);
  const { part, whole, faults } = measured;
  const figures = { axis, part, whole, faults };
  if (done.outcome === 'kept') {
    const report = done.reference === null ? 'lost' : 'kept';
    screen.answer(done.reference ?? '', { ...figures, report, id: null, reference: done.reference, url: null });
    return exit;
  }
  const url = await sayAxisReport(session, connection, done);
  screen.answer(done.id, { ...figures, report: 'sent', id: done.id, reference: null, url });
  return exit;
};

const ONE_SOURCE = 'Give --part and --whole, or one of --coverage, --lighthouse and --unmeasured.';

/** Takes the measurement from the one source that the options name. Failure (exit 2) when they name none or several. */
const measure = async (session: CommandSession, axis: string, options: AxisOptions): Promise<Measured> => {
  const { part, whole, unmeasured, coverage, lighthouse, category, explanation = null } = options;
  const hasFigures = part !== undefined || whole !== undefined;
  const sources = [hasFigures, unmeasured !== undefined, coverage !== undefined, lighthouse !== undefined];
  if (sources.filter(Boolean).length !== 1) throw usageFailure(ONE_SOURCE);
  if (category !== undefined && lighthouse === undefined) throw usageFailure('--category belongs to --lighthouse.');
  if (unmeasured !== undefined) {
    if (explanation !== null) throw usageFailure('--unmeasured says why already; leave --explanation out.');
    return { part: 0, whole: null, explanation: unmeasured, faults: [] };
  }
  if (coverage !== undefined) return ofFiles(session, coverage, readCoverage, 'covered lines', explanation);
  if (lighthouse !== undefined) {
    const name = category ?? axis;
    return ofFiles(session, [lighthouse], (bytes) => readLighthouse(bytes, name), `Lighthouse, ${name}`, explanation);
  }
  if (part === undefined || whole === undefined) throw usageFailure(ONE_SOURCE);
  if (whole === 0 || part > whole)
    throw usageFailure('--whole is 1 at least, and --part no more than it.', 'Say --unmeasured why there is no whole.');
  return { part, whole, explanation, faults: [] };
};

type ReadFile = (bytes: AsyncIterable<Uint8Array>) => Promise<Measurement>;

/** Adds up the measurements of all files. Where one of them cannot be read, nothing is measured. */
const ofFiles = async (
  { world, screen }: CommandSession,
  patterns: readonly string[],
  read: ReadFile,
  what: string,
  explanation: string | null,
): Promise<Measured> => {
  const { files, unmatched } = await findReports(world.folder, patterns);
  const faults = unmatched.map((pattern) => harmless(`${pattern}: does not exist`));
  let [part, whole] = [0, 0];
  for (const { name, path } of files) {
    try {
      const bytes = path === STDIN ? bytesOf(world.stdin) : createReadStream(resolve(world.folder, path));
      const found = await read(bytes);
      for (const doubt of found.doubts) screen.warn(harmless(`${name}: ${doubt}; the worse figure is reported.`));
      part += found.part;
      whole += found.whole;
    } catch (error) {
      faults.push(reportFault(name, error));
    }
  }
  if (faults.length > 0) return { part: 0, whole: null, explanation: inOneText(faults.join('; ')), faults };
  return { part, whole, explanation: explanation ?? inOneText(what), faults: [] };
};

const LONGEST = AxisReportRequest.properties.explanation.maxLength;

/** Makes a text acceptable to the API: replaces control and reordering characters, cuts it to the longest allowed. */
const inOneText = (text: string): string => [...text.replace(/[\p{C}]/gu, '\ufffd')].slice(0, LONGEST).join('');

/** The external id for `--idempotency-key`: a step that runs again gets the same one, another release another one. */
const repeatedId = (key: string, ...parts: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key, ...parts.map((part) => part ?? null)]))
    .digest('hex');

const axisEntry = async (
  session: CommandSession,
  { address }: Connection,
  axis: string,
  { part, whole, explanation }: Measured,
  { url, release, idempotencyKey: given }: AxisOptions,
): Promise<NamedAxisReportEntry> => {
  const run = await readPipeline(session.world, { url, commit: undefined });
  const madeAt = session.world.now();
  const idempotencyKey = given ?? randomUUID();
  const app = (await session.settings()).app?.value ?? '';
  return {
    operation: 'recordNamedAxisReport',
    path: { app, release: release ?? '', axis },
    body: {
      part,
      whole,
      ...(explanation !== null && { explanation }),
      ...(run.url !== undefined && { url: run.url }),
      external_id: given === undefined ? idempotencyKey : repeatedId(given, release),
    },
    idempotencyKey,
    address,
    madeAt,
  };
};

const isAxisReport = (record: Sent['record']): record is AxisReport => record !== null && 'part' in record;

const LINK_MS = 2_000;

/**
 * Reads a report again, with what it contributes, and finds the address of its release's scorecard. Where that fails or
 * takes too long, returns the report as the server answered it, and null for the address.
 */
const asRead = async ({ client, address }: Connection, record: AxisReport) => {
  try {
    const projects = await visibleProjects(client, { timeoutMs: LINK_MS });
    const project = projects.find(({ id }) => id === record.project_id);
    if (project === undefined) return { record, page: null };
    const page = `${address}/teams/${project.teamId}/projects/${project.id}/releases/${record.release_id}`;
    const path = { ...pathOf(project), axis: record.axis, report_id: record.id };
    // Earlier servers cannot answer a single report.
    const read = await client.readAxisReport({ path, timeoutMs: LINK_MS }).then(
      ({ body }) => (schemaFaults(ANSWERED_AXIS_REPORT, body).length === 0 ? body.data : record),
      () => record,
    );
    return { record: read, page };
  } catch {
    // The report was stored; only its link is missing.
    return { record, page: null };
  }
};

/** Says what the server recorded and what it counts for. Returns the link to its scorecard, null without one. */
const sayAxisReport = async (
  { screen }: CommandSession,
  connection: Connection,
  { id, record, repeated }: Sent,
): Promise<string | null> => {
  if (!isAxisReport(record)) {
    screen.say(`Report ${id} was recorded before; this one is not added.`);
    return null;
  }
  const { record: read, page } = await asRead(connection, record);
  screen.say(`Recorded${repeated ? ' before' : ''}. ${countedFor(read.attribution)}`);
  screen.say(page ?? `Report ${id}`);
  return page;
};
