// The program behind `npm run bench`: measures the rows and prints the table; exit 1 when a row could not be measured.
import { writeFileSync } from 'node:fs';
import { readArguments, USAGE, type Wanted } from './arguments.js';
import { busyness } from './page/machine.js';
import { performancePage } from './page/performance-page.js';
import { textTable } from './page/table.js';
import { runRows } from './run-rows.js';

const PAGE = new URL('../../../../docs/performance.md', import.meta.url);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const wanted = (): Wanted => {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
};

const { rows, size, write } = wanted();
const busy = busyness();
if (busy !== null) say(busy);
const { finished, failures } = await runRows(rows, size, {
  begun: (row) => say(`\n${row.title} ...`),
  finished: ({ result }) => {
    say(textTable(result.lines));
    for (const remark of result.remarks) say(remark);
  },
});
for (const { name, error } of failures) say(`\n${name} could not be measured: ${error.stack ?? error.message}`);
if (write && failures.length === 0) {
  writeFileSync(PAGE, performancePage(finished, size, busy));
  say('\nWritten: docs/performance.md');
}
process.exit(failures.length === 0 ? 0 : 1);
