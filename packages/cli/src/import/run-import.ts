import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../exit-code.js';
import { Failure, failureOf, isOutage, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { Session } from '../session.js';
import { batchesOf, type Placed } from './batches.js';
import { type Destination, destinationOf, type ImportKind } from './destination.js';
import { createNaming } from './external-id.js';
import { type Input, openInput } from './input.js';
import { Progress } from './progress.js';
import { countRows, type Reading, readRows } from './read-rows.js';
import { type Refusal, Refusals } from './refusals.js';
import { sendBatches, type Tally } from './send-batches.js';

export interface ImportOptions extends Reading {
  /** Of test runs: id or exact name of the release that rows belong to which name none. */
  readonly release?: string | undefined;
  /** Of rows that do not say when they were: a moment, or `now`. Unless it is given they are refused. */
  readonly when?: string | undefined;
  /** Where refused rows are written to. */
  readonly refused?: string | undefined;
}

interface Survey {
  readonly rows: number;
  /** Known where each row was looked into. */
  readonly faulty: number;
}

const surveyOf = async (
  input: Input,
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
  input: Input,
  reading: Reading,
  destination: Destination,
  refusals: Refusals,
  onRows: (count: number) => void,
): AsyncGenerator<readonly Placed[], void, undefined> {
  const named = createNaming();
  for await (const rows of readRows(input, reading, destination)) {
    onRows(rows.length);
    const good: Placed[] = [];
    for (const { line, record, reasons } of rows)
      if (reasons === null) good.push({ line, record: named(record) });
      else await refusals.add({ line, reasons, record });
    yield good;
  }
}

const refusalLine = ({ line, reasons }: Refusal): string => harmless(`  line ${line}: ${reasons.join('; ')}`);

const counted = ({ created, duplicates }: Tally, refused: number): string =>
  `${created} created, ${duplicates} there already, ${refused} refused`;

/** What ended it, with how much had gone in and how to go on. */
const endedBy = (error: unknown, tally: Tally, refusals: Refusals): unknown => {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const { exit, code, fixes, faults, requestId } = failure;
  const again =
    'Run the same command again: rows that went in are known by their external_id and are not stored twice.';
  const parts = { code, fixes: isOutage(failure) ? [again, ...fixes] : [...fixes, again], faults, requestId };
  return new Failure(exit, `${failure.message} Until then: ${counted(tally, refusals.count)}.`, parts);
};

/** Imports the rows of a file; answers the exit code. */
export const runImport = async (
  session: Session,
  kind: ImportKind,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> => {
  const { screen, world, globals } = session;
  const input = await openInput(world, file);
  const refusedPath = options.refused === undefined ? undefined : resolve(world.folder, options.refused);
  if (refusedPath !== undefined && refusedPath === input.path) throw usageFailure('--refused names the file itself.');
  const stop = new AbortController();
  session.ended.catch(() => stop.abort());
  const { when, release } = options;
  const wanted = { kind, when, release };
  const destination = await destinationOf(await session.connect(), await session.settings(), stop.signal, wanted);
  // What can be read only once is not looked through first.
  const survey = input.path === null ? null : await surveyOf(input, options, destination, globals.dryRun ?? false);
  if (survey?.rows === 0) throw usageFailure(`${input.name} holds no row.`);
  if (globals.dryRun && survey !== null)
    screen.say(`${survey.rows} rows, of which ${survey.faulty} would be refused here already; the first request is`);

  const refusals = await Refusals.open(globals.dryRun ? undefined : refusedPath, screen.shown);
  const progress = new Progress(world, screen, survey?.rows ?? null);
  const tally: Tally = { created: 0, duplicates: 0 };
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
  } catch (error) {
    throw endedBy(error, tally, refusals);
  } finally {
    progress.end();
    await refusals.close();
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
