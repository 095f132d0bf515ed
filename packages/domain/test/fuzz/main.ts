// Hands the engine inputs of any kind until something goes wrong or all are judged or refused.
// npm run fuzz-engine -- --cases 1000000 --seed 1
import { parseArgs } from 'node:util';
import { type FuzzTally, judgeAnything } from './judge-anything.js';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
for (const name of ['cases', 'seed'] as const)
  if (!/^\d{1,9}$/.test(values[name])) {
    process.stderr.write(`--${name} is a whole number.\n`);
    process.exit(2);
  }

const line = ({ cases, judged, refused, mostReads }: FuzzTally): string =>
  `${cases} cases: ${judged} judged, ${refused} refused by a TypeError, ${mostReads} reads at most`;

const EVERY = 50_000;
const tally = judgeAnything({
  cases: Number(values.cases),
  seed: Number(values.seed),
  onProgress: (sofar) => {
    if (sofar.cases % EVERY === 0) process.stdout.write(`${line(sofar)}\n`);
  },
});
process.stdout.write(`${line(tally)}, seed ${values.seed}, ${tally.finding === null ? 0 : 1} findings\n`);
if (tally.finding !== null) {
  process.stdout.write(`${tally.finding}\n`);
  process.exitCode = 1;
}
