// Shows a recorded release and its report, to compare them with those of another version; compares all with what is
// recorded, or records all anew.
// npm run recorded-reports -- 4711     npm run recorded-reports -- --check     npm run recorded-reports -- --write
import { parseArgs } from 'node:util';
import { drawnRelease } from './drawn-release.js';
import {
  changedPortions,
  PER_FINGERPRINT,
  RECORDED,
  recordReports,
  reportOf,
  storedRecording,
  storeRecording,
} from './recorded-reports.js';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const number = positionals.length === 1 ? Number(positionals[0]) : Number.NaN;

if (values.write) storeRecording(recordReports());
else if (values.check) {
  const { releases, reports } = changedPortions(storedRecording(), { every: 1 });
  const line = (what: string, firsts: readonly number[]): string =>
    `${what}: ${firsts.length} of ${RECORDED / PER_FINGERPRINT} portions changed${firsts.map((first) => ` ${first}`).join('')}\n`;
  process.stdout.write(line('releases', releases) + line('reports', reports));
  process.exitCode = releases.length + reports.length === 0 ? 0 : 1;
} else if (Number.isInteger(number) && number >= 0 && number < RECORDED)
  process.stdout.write(`${JSON.stringify({ ...drawnRelease(number), report: reportOf(number) }, null, 2)}\n`);
else {
  process.stderr.write(`Say which one, 0 to ${RECORDED - 1}, or --check or --write.\n`);
  process.exitCode = 2;
}
