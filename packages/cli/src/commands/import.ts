import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { EXIT, type ExitCode, Failure, failureOf, isOutage, usageFailure } from '../failure.js';
import {
  columnsOf,
  countNdjson,
  createNaming,
  csvRows,
  delimiterOf,
  type ImportInput,
  ndjsonRows,
  openInput,
  type Row,
  readAhead,
  requireColumns,
  toRecord,
} from '../import/rows.js';
import {
  batchesOf,
  type Destination,
  destinationOf,
  type ImportKind,
  type NumberedRecord,
  type Refusal,
  Refusals,
  type RowTally,
  sendBatches,
} from '../import/send-batches.js';
import { harmless } from '../output/safe-text.js';
import type { Screen } from '../output/screen.js';
import { clearTarget } from '../output/target-file.js';
import type { Act, CommandSession } from '../session.js';
import type { World } from '../world.js';
import { asMomentOrNow, collected } from './option-values.js';

const delimiter = (text: string): string => {
  const meant = text === '\\t' || text === 'tab' ? '\t' : text;
  if ([...meant].length !== 1 || meant === '"' || meant === '\n')
    throw new InvalidArgumentError('Give one character, or tab.');
  return meant;
};

const FILES = `
A file has a header that names fields (CSV), or one JSON object a line (NDJSON); - is standard input. An empty cell
says nothing. Times are RFC 3339, as 2026-11-21T09:30:00Z. A row without external_id gets one that follows from
its content, so that the same file can be sent again: what is there already is not stored twice. A row that does not
say when it was (started_at, ran_at) is refused, unless --started-at or --ran-at says it for such rows.

Exit codes: 0 all went in; 2 rows were refused, or the file is at fault; 4 the key; 5 the server went away.`;

const fileCommand = (name: 'deployments' | 'test-runs', description: string) =>
  new Command(name)
    .description(description)
    .argument('<file>', 'CSV or NDJSON; - for standard input')
    .addOption(
      new Option('--format <format>', 'told by name and content unless given').choices(['csv', 'ndjson'] as const),
    )
    .option('--delimiter <character>', 'of CSV; told by the header unless given', delimiter)
    .option(
      '--map <field=column>',
      'the column a field is taken from, where it is not called so; may be repeated',
      collected,
      [],
    )
    .option('--ignore-others', 'leave columns out that no field takes')
    .option('--refused <file>', 'write refused rows there as NDJSON, each with its line and reasons')
    .addHelpText('after', FILES);

const deploymentsCommand = (act: Act) =>
  fileCommand('deployments', 'import past deployments')
    .option('--started-at <moment>', 'of rows that do not say when they began; may be now', asMomentOrNow)
    .action(
      act(async (session, file, { ignoreOthers = false, startedAt, ...rest }) =>
        runImport(session, 'deployments', file, { ...rest, ignoreOthers, when: startedAt }),
      ),
    );

const testRunsCommand = (act: Act) =>
  fileCommand('test-runs', 'import past test runs')
    .option('--release <id-or-name>', 'the release of rows that name none; the active one unless given')
    .option('--ran-at <moment>', 'of rows that do not say when they ran; may be now', asMomentOrNow)
    .action(
      act(async (session, file, { ignoreOthers = false, ranAt, ...rest }) =>
        runImport(session, 'test-runs', file, { ...rest, ignoreOthers, when: ranAt }),
      ),
    );

/** `shipworthy import`: imports past deployments and test runs from files. */
export const importCommand = (act: Act) =>
  new Command('import')
    .description('import past deployments and test runs from a file')
    .addCommand(deploymentsCommand(act))
    .addCommand(testRunsCommand(act));

interface ImportOptions extends Reading {
  /** For test runs: id or exact name of the release of rows that name none. */
  readonly release?: string | undefined;
  /** The moment, or `now`, for rows without a time; undefined: such rows are refused. */
  readonly when?: string | undefined;
  /** Where refused rows are written to. */
  readonly refused?: string | undefined;
}

interface Survey {
  readonly rows: number;
  /** Rows with a fault; 0 where the rows were only counted. */
  readonly faulty: number;
}

const surveyOf = async (
  input: ImportInput,
  reading: Reading,
  destination: Destination,
  looksInside: boolean,
): Promise<Survey> => {
  if (!looksInside) return { rows: await countRows(input, reading, destination), faulty: 0 };
  let [rows, faulty] = [0, 0];
  for await (const some of readRows(input, reading, destination)) {
    rows += some.length;
    faulty += some.filter(({ reasons }) => reasons !== null).length;
  }
  return { rows, faulty };
};

async function* goodRows(
  input: ImportInput,
  reading: Reading,
  destination: Destination,
  refusals: Refusals,
  onRows: (count: number) => void,
): AsyncGenerator<readonly NumberedRecord[], void, undefined> {
  const named = createNaming();
  for await (const rows of readRows(input, reading, destination)) {
    onRows(rows.length);
    const good: NumberedRecord[] = [];
    for (const { line, record, reasons } of rows)
      if (reasons === null) good.push({ line, record: destination.withProject(named(record)) });
      else await refusals.add({ line, reasons, record });
    yield good;
  }
}

const refusalLine = ({ line, reasons }: Refusal): string => harmless(`  line ${line}: ${reasons.join('; ')}`);

const counted = ({ created, duplicates }: RowTally, refused: number): string =>
  `${created} created, ${duplicates} there already, ${refused} refused`;

/** The error that ended the import, with the number of stored rows and how to go on. */
const endedBy = (error: unknown, tally: RowTally, refusals: Refusals): unknown => {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const { exit, code, fixes, faults, requestId } = failure;
  const again =
    'Run the same command again: rows that went in are known by their external_id and are not stored twice.';
  const parts = { code, fixes: isOutage(failure) ? [again, ...fixes] : [...fixes, again], faults, requestId };
  return new Failure(exit, `${failure.message} Until then: ${counted(tally, refusals.count)}.`, parts);
};

/** undefined: it is missing or cannot be looked at. Inode numbers of Windows need big integers. */
const statOf = (path: string) => {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
};

/** Whether both paths lead to one file, also by a link or in another case of letters. */
const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map(statOf);
  return one === other || (a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino);
};

/** Imports the rows of a file; answers the exit code. */
const runImport = async (
  session: CommandSession,
  kind: ImportKind,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> => {
  const { screen, world, globals } = session;
  const input = await openInput(world, file);
  const refusedPath = options.refused === undefined ? undefined : resolve(world.folder, options.refused);
  if (refusedPath !== undefined && input.path !== null && isSameFile(refusedPath, input.path))
    throw usageFailure('--refused names the file itself.');
  const stop = new AbortController();
  session.ended.catch(() => stop.abort());
  const { when, release } = options;
  const wanted = { kind, when, release };
  const destination = await destinationOf(await session.connect(), await session.settings(), stop.signal, wanted);
  // A stream can be read only once, so it is not surveyed first.
  const survey = input.path === null ? null : await surveyOf(input, options, destination, globals.dryRun ?? false);
  if (survey?.rows === 0) throw usageFailure(`${input.name} holds no row.`);
  if (globals.dryRun && survey !== null)
    screen.say(`${survey.rows} rows, of which ${survey.faulty} would be refused here already; the first request is`);

  if (refusedPath !== undefined && !globals.dryRun) clearTarget(world.folder, refusedPath);
  const refusals = await Refusals.open(globals.dryRun ? undefined : refusedPath, screen.shown);
  const progress = new Progress(world, screen, survey?.rows ?? null);
  const tally: RowTally = { created: 0, duplicates: 0 };
  let rows = 0;
  const good = goodRows(input, options, destination, refusals, (count) => {
    rows += count;
  });
  session.ended.catch((reason: unknown) => {
    progress.end();
    if (reason instanceof Failure) screen.say(`Until then: ${counted(tally, refusals.count)}.`);
  });
  try {
    await sendBatches(batchesOf(good), destination.send, tally, refusals, () =>
      progress.tell(tally.created + tally.duplicates + refusals.count),
    );
    await refusals.close();
  } catch (error) {
    await refusals.close().catch(() => undefined);
    throw endedBy(error, tally, refusals);
  } finally {
    progress.end();
  }
  if (rows === 0) throw usageFailure(`${input.name} holds no row.`);
  for (const refusal of refusals.first) screen.say(refusalLine(refusal));
  if (refusals.count > refusals.first.length) screen.say(`  and ${refusals.count - refusals.first.length} more`);
  const untimed = `${destination.time.field}: is missing`;
  if (refusals.first.some(({ reasons }) => reasons.includes(untimed))) screen.say(destination.time.fix);
  if (refusals.count > 0 && refusedPath !== undefined) screen.say(`All refused rows are in ${refusedPath}.`);
  const text = `${counted(tally, refusals.count)} of ${rows} rows${destination.page === null ? '' : `\n${destination.page}`}`;
  screen.answer(text, {
    file: input.name,
    kind,
    rows,
    created: tally.created,
    duplicates: tally.duplicates,
    refused: refusals.count,
    refusals: refusals.first,
    refused_file: refusedPath ?? null,
    url: destination.page,
  });
  return refusals.count === 0 ? EXIT.done : EXIT.usage;
};

/** How a file is read. */
interface Reading {
  /** Recognised by the file's name and beginning unless given. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Recognised by the header unless given. */
  readonly delimiter?: string | undefined;
  /** `field=column` each. */
  readonly map: readonly string[];
  readonly ignoreOthers: boolean;
}

const formatOf = ({ name }: ImportInput, beginning: string): 'csv' | 'ndjson' => {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl|json)$/i.test(name)) return 'ndjson';
  return /^\s*[{[]/.test(beginning) ? 'ndjson' : 'csv';
};

type Target = Pick<Destination, 'schema' | 'defaults' | 'time'>;

const opened = async (
  input: ImportInput,
  { format, delimiter, map, ignoreOthers }: Reading,
  { schema, defaults, time }: Target,
) => {
  const columns = columnsOf(schema, map, ignoreOthers);
  const { beginning, all } = await readAhead(input.open());
  const isCsv = (format ?? formatOf(input, beginning)) === 'csv';
  const csv = () =>
    csvRows(input.name, all, delimiter ?? delimiterOf(beginning), (heads) =>
      requireColumns(input.name, columns, schema, heads, defaults, time),
    );
  return { columns, all, isCsv, csv };
};

/**
 * Reads the rows of a file in small groups, each row as a record or with the reasons why it is refused. Failure (exit
 * 2) where the file itself is at fault.
 */
async function* readRows(
  input: ImportInput,
  reading: Reading,
  target: Target,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { columns, all, isCsv, csv } = await opened(input, reading, target);
  const { schema, defaults } = target;
  const conversion = { schema, columns, defaults, texts: isCsv };
  for await (const rows of isCsv ? csv() : ndjsonRows(input.name, all))
    yield rows.map((row) => toRecord(row, conversion));
}

/** How many rows a file has, good and bad. Failure (exit 2) where the file itself is at fault. */
const countRows = async (input: ImportInput, reading: Reading, target: Target): Promise<number> => {
  const { all, isCsv, csv } = await opened(input, reading, target);
  if (!isCsv) return countNdjson(input.name, all);
  let rows = 0;
  for await (const { length } of csv()) rows += length;
  return rows;
};

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** Shows how far the import is: on a terminal in one line, written over; elsewhere in a new line every ten seconds. */
class Progress {
  readonly #begun: number;
  #told: number;
  #open = false;

  constructor(
    private readonly world: Pick<World, 'now' | 'stderr'>,
    private readonly screen: Pick<Screen, 'say'>,
    /** How many rows there are; null where that is not known. */
    private readonly total: number | null,
  ) {
    this.#begun = world.now();
    this.#told = this.#begun;
  }

  #line(rows: number): string {
    const seconds = (this.world.now() - this.#begun) / 1000;
    const rate = seconds > 0 ? `, ${Math.round(rows / seconds)}/s` : '';
    return this.total === null ? `${rows} rows${rate}` : `${rows} of ${this.total} rows${rate}`;
  }

  /** Reports how many rows are done. */
  tell(rows: number): void {
    const now = this.world.now();
    const isTerminal = this.world.stderr.isTTY === true;
    if (now - this.#told < (isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.#told = now;
    if (isTerminal) {
      // Clears the rest of the line, since the line before may have been longer.
      this.world.stderr.write(`\r${this.#line(rows)}\u001b[K`);
      this.#open = true;
    } else this.screen.say(this.#line(rows));
  }

  /** Clears the progress line, so that other lines can be written. */
  end(): void {
    if (this.#open) this.world.stderr.write('\r\u001b[K');
    this.#open = false;
  }
}
