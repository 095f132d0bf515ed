import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadOfMachine } from '../page/machine.js';
import {
  ALL_PROGRAMMES,
  FAULTS_USAGE,
  faultText,
  readFaultArguments,
  reliabilityPage,
  runProgrammes,
  type WantedFaults,
} from './run-programmes.js';

// The program behind `npm run faults`: breaks things, prints what became of the service. Exit 1 when anything is lost,
// doubled or wrong, or a programme could not be carried out.

const PAGE = new URL('../../../../../docs/reliability.md', import.meta.url);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const wanted = (): WantedFaults => {
  try {
    return readFaultArguments(process.argv.slice(2));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${FAULTS_USAGE}`);
    return process.exit(2);
  }
};

const { programmes, size, write } = wanted();
if (programmes.length === 0) {
  say(FAULTS_USAGE);
  process.exit(0);
}
const load = loadOfMachine();
const busy = load === null ? null : `a load average of ${load.toFixed(1)} before the run`;
if (busy !== null) say(`Begun at ${busy}.`);
const { finished, failures, isWhole } = await runProgrammes(programmes, size, {
  begun: ({ title }) => say(`\n${title} ...`),
  finished: ({ result, took }) => {
    say(faultText(result.lines));
    for (const remark of result.remarks) say(remark);
    say(`Took ${Math.round(took / 1_000)} s.`);
  },
});
for (const { name, error } of failures) say(`\n${name} could not be carried out: ${error.stack ?? error.message}`);
if (write && failures.length === 0) {
  const earlier = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const order = ALL_PROGRAMMES.map(({ name }) => name);
  writeFileSync(PAGE, reliabilityPage(order, finished, earlier, busy));
  say('\nWritten: docs/reliability.md');
}
process.exit(isWhole ? 0 : 1);
