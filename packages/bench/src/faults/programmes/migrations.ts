import { STEP_COUNT } from '@shipworthy/adapters/test-migrations';
import { startPostgres } from '../../process/postgres.js';
import { postgresQuery } from '../../read-back/query.js';
import type { FaultLine, FaultProgramme, FaultSize } from '../fault-programme.js';
import { backUpUnderLoad } from '../migrations/backup-under-load.js';
import { copyAcross } from '../migrations/copied-database.js';
import { killInSteps } from '../migrations/killed-steps.js';
import { type Places, postgresPlaces, sqlitePlaces } from '../migrations/places.js';
import { startThreeAtOnce } from '../migrations/three-starters.js';

const ALL_STEPS = Array.from({ length: STEP_COUNT }, (_, taken) => taken);

const SIZES = {
  full: { steps: ALL_STEPS, every: true, backups: 10, betweenMs: 1_500, load: { ms: 20_000, kills: 6 } },
  short: {
    steps: [STEP_COUNT >> 1],
    every: false,
    backups: 1,
    betweenMs: 400,
    load: { ms: 400, kills: 1 },
  },
} as const satisfies Record<FaultSize, unknown>;

/** Schema steps on data, backups and copies, killed in the middle. */
export const migrations: FaultProgramme = {
  name: 'migrations',
  title: 'Schema steps, backups and copies, under load and killed in the middle',
  run: async (wanted, workshop) => {
    const { steps, every, backups, betweenMs, load } = SIZES[wanted];
    const postgres = await startPostgres(workshop, 'durable');
    const administration = postgresQuery(await postgres.createDatabase('administration'));
    const kinds: readonly Places[] = [
      sqlitePlaces(workshop),
      postgresPlaces((name) => postgres.createDatabase(name), administration),
    ];
    const lines: FaultLine[] = [];
    for (const places of kinds) {
      lines.push(await killInSteps(workshop, places, steps, every));
      // In a short run the starters after each kill, which share this process, have to do.
      if (wanted === 'full') lines.push(await startThreeAtOnce(workshop, places.title, await places.create()));
    }
    lines.push(...(await backUpUnderLoad(workshop, backups, betweenMs)));
    const url = await postgres.createDatabase('copy');
    lines.push(...(await copyAcross(workshop, { url, query: postgresQuery(url) }, load)));
    return {
      lines,
      remarks: [
        'Each step is taken on a database as the version before left it, with a row of everything in it; sums are of all columns that were there.',
        'PostgreSQL is backed up by its own tools, which are not measured here.',
      ],
    };
  },
};
