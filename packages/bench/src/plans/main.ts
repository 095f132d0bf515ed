import { parseArgs } from 'node:util';
import { countWords } from '../page/table.js';
import { startPostgres } from '../process/postgres.js';
import { openWorkshop } from '../process/workshop.js';
import { checkPlans, indexUse, plansTable } from './check-plans.js';
import { crowdedPlace, LEAST_ROWS } from './crowded-project.js';

// The program behind `npm run plans`: fills a PostgreSQL and judges the plan of every statement of the hot paths; exit 1 when
// one reads a big table from end to end, or much more than it answers.

const USUAL = 1_000_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({ options: { rows: { type: 'string' }, verbose: { type: 'boolean', default: false } } });
const rows = values.rows === undefined ? USUAL : Number(values.rows);
if (!Number.isInteger(rows) || rows < LEAST_ROWS) {
  say(
    `Usage: npm run plans -- [--rows N, ${countWords(LEAST_ROWS)} at least; ${countWords(USUAL)} unless given] [--verbose]`,
  );
  process.exit(2);
}
let isWhole = false;
const workshop = openWorkshop();
try {
  const url = await (await startPostgres(workshop, 'fleeting')).createDatabase('shipworthy');
  const { database, place, big } = await crowdedPlace(url, rows, say);
  try {
    const findings = await checkPlans(database, place, big);
    say(plansTable(findings, values.verbose));
    say(await indexUse(database, findings));
    isWhole = findings.every(({ fault }) => fault === null);
  } finally {
    await database.close();
  }
} finally {
  await workshop.close();
}
// Not by `process.exitCode`: the code that ends PostgreSQL with this process would make it exit with 0.
process.exit(isWhole ? 0 : 1);
