import { fileURLToPath } from 'node:url';
import {
  type CopiedTable,
  type Database,
  fillOlder,
  migrate,
  openDatabase,
  STEP_COUNT,
  statementCount,
  stepName,
  stepsTaken,
  storeTeams,
  sumsOfTables,
  tablesOf,
} from '@shipworthy/adapters/test-migrations';
import { endBy, nextMessage, startChild } from '../../process/child.js';
import type { Workshop } from '../../process/workshop.js';
import { type FaultLine, holds } from '../fault-programme.js';
import type { Places } from './places.js';

const TEAMS = 3;
export const STARTERS = 3;
const program = fileURLToPath(import.meta.resolve('@shipworthy/adapters/stuck-starter'));

/** A database as it was before a step, with data, and the sums of all it held. */
interface Before {
  readonly url: string;
  readonly statements: number;
  readonly tables: readonly CopiedTable[];
  readonly sums: string;
}

const textOf = async (database: Database, tables: readonly CopiedTable[]): Promise<string> =>
  JSON.stringify(await sumsOfTables(database, tables));

const withOpen = async <Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> => {
  const database = await openDatabase({ url });
  return work(database).finally(() => database.close());
};

const prepare = async (full: Database, places: Places, taken: number): Promise<Before> => {
  const url = await places.create();
  return withOpen(url, async (older) => {
    await fillOlder(full, older, taken);
    const tables = await tablesOf(older);
    return { url, statements: statementCount(older, taken), tables, sums: await textOf(older, tables) };
  });
};

/** Kills a starter just before one statement of the step; then several start at once. What was wrong; undefined: nothing. */
const killedAt = async (
  workshop: Workshop,
  places: Places,
  { url: original, tables, sums }: Before,
  taken: number,
  statement: number,
): Promise<string | undefined> => {
  const url = await places.copy(original);
  const env = { PLACE: url, TAKEN: String(taken), STATEMENT: String(statement) };
  const child = startChild(workshop, { program, env });
  await nextMessage(child);
  await endBy(child.process, 'SIGKILL');
  const starters = await Promise.all(Array.from({ length: STARTERS }, () => openDatabase({ url })));
  try {
    const [first] = starters;
    if (first === undefined) throw new Error('Nobody starts.');
    if ((await stepsTaken(first)) !== taken) return 'the killed step counts as taken';
    await Promise.all(starters.map(migrate));
    await Promise.all(starters.map((starter) => starter.ready()));
    return (await textOf(first, tables)) === sums ? undefined : 'what was there is not the same any more';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await Promise.all(starters.map((starter) => starter.close()));
  }
};

/** Which statements of a step somebody is killed before; the last place is behind all of them. */
const placesIn = (statements: number, every: boolean): readonly number[] =>
  every ? Array.from({ length: statements + 1 }, (_, index) => index) : [Math.ceil(statements / 2)];

/** Kills starters in the middle of steps on data, and lets several start after each. @param steps how many others were taken before each */
export const killInSteps = async (
  workshop: Workshop,
  places: Places,
  steps: readonly number[],
  every: boolean,
): Promise<FaultLine> => {
  const fullUrl = `sqlite:${workshop.path('full.sqlite')}`;
  const wrong: string[] = [];
  let kills = 0;
  await withOpen(fullUrl, async (full) => {
    await storeTeams(full, TEAMS);
    for (const taken of steps) {
      const before = await prepare(full, places, taken);
      for (const statement of placesIn(before.statements, every)) {
        const fault = await killedAt(workshop, places, before, taken, statement);
        kills += 1;
        if (fault !== undefined) wrong.push(`${stepName(taken)} before statement ${statement + 1}: ${fault}`);
      }
    }
  });
  const what = `${places.title}: a starter killed in the middle of ${steps.length} of ${STEP_COUNT} steps, ${kills} times, then ${STARTERS} at once`;
  const measured = wrong.length === 0 ? 'all steps taken, the same checksums' : wrong.join('; ');
  return holds(what, measured, 'no hand needed, nothing lost', wrong.length === 0);
};
