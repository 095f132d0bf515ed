// Runs the test files its parent sends, and sends back for each which of its tests passed and failed.
import { once } from 'node:events';
import Mocha from 'mocha';

/** Ends a test that hangs. How long a test takes depends on what else the machine does, so no shorter limit is set by any. */
const HANGS_AFTER_MS = 300_000;

const [{ files, grep, reporter }] = await once(process, 'message');
const mocha = new Mocha({
  reporter,
  timeout: HANGS_AFTER_MS,
  forbidOnly: true,
  forbidPending: true,
  ...(grep ? { grep } : {}),
});
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

const results = Object.fromEntries(files.map((file) => [file, { passed: 0, failed: [] }]));
await new Promise((resolve) => {
  const runner = mocha.run(resolve);
  runner.on('pass', ({ file }) => {
    results[file].passed += 1;
  });
  runner.on('fail', (failure) => results[failure.file ?? failure.parent?.file].failed.push(failure.fullTitle()));
});
process.send(results, () => process.exit());
