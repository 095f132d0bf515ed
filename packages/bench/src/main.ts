import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { machine } from './page/machine.js';
import { performancePage } from './page/performance-page.js';
import { textTable, whyMissed } from './page/table.js';
import { ALL_ROWS, BENCH_USAGE, readArguments, runRows, type WantedRows } from './run-rows.js';

// The program behind `npm run bench`: measures the rows and prints the table; exit 1 when a row could not be measured.

const PAGE = new URL('../../../../docs/performance.md', import.meta.url);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const wanted = (): WantedRows => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${BENCH_USAGE}`);
    return process.exit(2);
  }
};

const { rows, size, options, write } = wanted();
const { finished, failures } = await runRows(
  rows,
  size,
  ({ name }) => ['npm run bench --', name, ...options].join(' '),
  {
    begun: (row) => say(`\n${row.title} ...`),
    finished: ({ result, load }) => {
      say(textTable(result.lines));
      if (load !== null) say(`Begun at a load average of ${load.toFixed(1)}.`);
      for (const remark of [...result.remarks, ...whyMissed(result.lines)]) say(remark);
    },
  },
);
for (const { name, error } of failures) say(`\n${name} could not be measured: ${error.stack ?? error.message}`);
if (write && finished.length > 0) {
  const former = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const order = ALL_ROWS.map(({ name }) => name);
  writeFileSync(PAGE, performancePage({ order, finished, machine: machine(), former }));
  say('\nWritten: docs/performance.md');
}
process.exit(failures.length === 0 ? 0 : 1);
