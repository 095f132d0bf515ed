// Sends requests made from the OpenAPI document to a service of its own until something goes wrong or all are answered.
// npm run fuzz -- --cases 1000000 --seed 1 --store sqlite|postgres|memory --lanes 4
import { parseArgs } from 'node:util';
import { stopPostgres } from '@shipworthy/adapters/test-database';
import { inMemory } from '../harness/openings.js';
import { fuzz } from './fuzz.js';
import { type Opened, startRig } from './rig.js';
import { patientPostgres, patientSqlite, watchedSqlite } from './stores.js';

const USAGE = `Usage: npm run fuzz -- [--cases N] [--seed N] [--store sqlite|postgres|memory] [--lanes N] [--tours N]
  --cases N  requests, at least (100,000)
  --seed N   of all that is drawn (1)
  --store S  what the service keeps its data in (sqlite)
  --lanes N  sequences at a time (4); with 1 on SQLite, who changed what is watched
  --tours N  calls of every operation beforehand (3)
`;

const wanted = () => {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      store: { type: 'string', default: 'sqlite' },
      lanes: { type: 'string', default: '4' },
      tours: { type: 'string', default: '3' },
    },
  });
  const count = (name: 'cases' | 'seed' | 'lanes' | 'tours'): number => {
    if (!/^\d{1,15}$/.test(values[name])) throw new Error(`--${name} is a whole number.`);
    return Number(values[name]);
  };
  const lanes = count('lanes');
  const stores: Readonly<Record<string, () => Promise<Opened>>> = {
    // Who changed what can only be told while one request is under way at a time.
    sqlite: lanes === 1 ? watchedSqlite : patientSqlite,
    postgres: patientPostgres,
    memory: inMemory,
  };
  const open = stores[values.store];
  if (open === undefined) throw new Error(`--store is one of ${Object.keys(stores).join(', ')}.`);
  return { open, cases: count('cases'), seed: count('seed'), lanes: Math.max(1, lanes), tours: count('tours') };
};

const readOrLeave = () => {
  try {
    return wanted();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
};

const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const { open, ...size } = readOrLeave();
const rig = await startRig(await open());
const began = performance.now();
const findings = await fuzz(rig, {
  ...size,
  onProgress: (told) => tell(`${Math.round((performance.now() - began) / 1000)} s: ${told}`),
});
const seconds = (performance.now() - began) / 1000;
for (const { sign, message, transcript, seed } of findings)
  tell(`\nFINDING ${sign}\nseed ${seed}\n${message}\n${transcript.map((line) => `  ${line}`).join('\n')}`);
tell(`\n${rig.tally.lines().join('\n')}\n`);
tell(
  `${rig.tally.total} requests in ${seconds.toFixed(1)} s (${Math.round(rig.tally.total / seconds)} requests/s), ${findings.length} findings`,
);
await rig.close();
await stopPostgres();
process.exitCode = findings.length === 0 ? 0 : 1;
