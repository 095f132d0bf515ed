import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, sumsOfTables, type TableSum, tablesOf } from '@shipworthy/adapters/test-migrations';
import { countWords } from '../../page/wording.js';
import type { Workshop } from '../../process/workshop.js';
import { sqliteQuery } from '../../read-back/query.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds, missedWords } from '../fault-programme.js';
import { startCrew } from '../reporters/crew.js';
import { emptyLedger, type Ledger } from '../reporters/ledger.js';
import { readBack } from '../reporters/read-back.js';
import { setUpScene } from '../reporters/scene.js';

export const REPORTERS = 8;
export const PATIENCE_MS = 20_000;

/** What was acknowledged until now. */
const acknowledgedSoFar = ({ deployments, testRuns }: Ledger): Ledger => ({
  ...emptyLedger(),
  deployments: new Map([...deployments].map(([commit, deployment]) => [commit, { ...deployment }])),
  testRuns: new Map(testRuns),
});

/** Whether the end of a deployment was acknowledged: a backup made before that would prove little. */
const hasEnds = ({ deployments }: Ledger): boolean =>
  [...deployments.values()].some(({ id, state }) => id !== null && state !== 'started');

/** A backup holds what was acknowledged before it began, and of the rest whatever was stored by its moment. */
const expected = (before: Ledger, everything: Ledger): Ledger => ({
  ...before,
  deployments: new Map(
    [...everything.deployments].map(([commit, { state }]) => [
      commit,
      before.deployments.get(commit) ?? { id: null, state },
    ]),
  ),
  testRuns: new Map([...everything.testRuns].map(([commit]) => [commit, before.testRuns.get(commit) ?? null])),
});

const sumsIn = async (file: string): Promise<readonly TableSum[]> => {
  const database = await openDatabase({ url: `sqlite:${file}` });
  try {
    return await sumsOfTables(database, await tablesOf(database));
  } finally {
    await database.close();
  }
};

interface Backup {
  readonly file: string;
  readonly before: Ledger;
}

/** Backs a SQLite server up again and again while it is reported to, then restores each backup elsewhere and looks. */
export const backUpUnderLoad = async (
  workshop: Workshop,
  backups: number,
  betweenMs: number,
): Promise<readonly FaultLine[]> => {
  const server = await standingServer(workshop, `sqlite:${workshop.path('busy.sqlite')}`);
  await server.start();
  const scene = await setUpScene(server, REPORTERS);
  const crew = startCrew({ scene, ports: [server.port], reporters: REPORTERS, patienceMs: PATIENCE_MS, pauseMs: 20 });
  const made: Backup[] = [];
  for (let count = 0; count < backups; count += 1) {
    do await pause(betweenMs);
    while (!hasEnds(crew.ledger));
    const [file, before] = [workshop.path('backup.sqlite'), acknowledgedSoFar(crew.ledger)];
    await server.command('backup', file);
    made.push({ file, before });
  }
  await crew.stop(PATIENCE_MS);
  await server.end('SIGTERM');

  const broken: string[] = [];
  let [records, differing] = [0, 0];
  for (const { file, before } of made) {
    const restored = workshop.path('restored.sqlite');
    const elsewhere = await standingServer(workshop, `sqlite:${restored}`);
    await elsewhere.command('restore', file);
    if (JSON.stringify(await sumsIn(file)) !== JSON.stringify(await sumsIn(restored))) differing += 1;
    await elsewhere.start();
    const lines = await readBack(sqliteQuery(restored), elsewhere.port, scene, expected(before, crew.ledger));
    await elsewhere.end('SIGTERM');
    records += [...before.deployments.values()].filter(({ id }) => id !== null).length;
    broken.push(...missedWords(lines));
  }
  const what = `SQLite: ${backups} backups under load, restored elsewhere`;
  return [
    holds(
      `${what}: what was acknowledged before each began, its counts and its report`,
      broken.length === 0 ? `${countWords(records)} deployments found, all else equal` : broken.join('; '),
      'all there once; counts and report follow from the rows',
      broken.length === 0,
    ),
    holds(
      `${what}: checksums of all tables, before and after restoring`,
      differing === 0 ? 'equal' : `${differing} differ`,
      'equal',
      differing === 0,
    ),
    holds(
      'Answers to those who reported meanwhile, other than done or come again',
      crew.strays[0] ?? '0',
      '0',
      crew.strays.length === 0,
    ),
  ];
};
