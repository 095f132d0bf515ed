import Mocha from 'mocha';

/** Starts the browser that all test files share, if one of them needs a browser. */
const startBrowserFor = async (files) => {
  if (!files.some((file) => file.endsWith('.browser.test.js'))) return { close: async () => {} };
  const { startSharedChromium } = await import('../../packages/web/dist/test/browser/launch.js');
  return startSharedChromium();
};

/** Ends a test that hangs. No test sets a shorter limit, since its time depends on what else the machine does. */
const HANGS_AFTER_MS = 300_000;

/**
 * Runs test files in `jobs` processes, each of which takes the next file when it is done with one.
 * Returns, for each file, how many of its tests passed, how long these took together, without hooks, and the titles of
 * those that failed. Without `grep`, a file that reports nothing has failed: its process ended, or it has no test.
 */
export const runFiles = async (files, { jobs, grep, reporter }) => {
  const mocha = new Mocha({
    jobs,
    reporter,
    timeout: HANGS_AFTER_MS,
    forbidOnly: true,
    forbidPending: true,
    ...(grep ? { grep } : {}),
  });
  mocha.parallelMode();
  for (const file of files) mocha.addFile(file);
  const results = Object.fromEntries(files.map((file) => [file, { passed: 0, failed: [], milliseconds: 0 }]));
  const browser = await startBrowserFor(files);
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    // A test that ends its process may leave the other files waiting for it, with nothing left to do.
    process.once('beforeExit', resolve);
    runner.on('pass', ({ file, duration = 0 }) => {
      results[file].passed += 1;
      results[file].milliseconds += duration;
    });
    runner.on('fail', (failure, error) => {
      results[failure.file ?? error.file].failed.push(failure.fullTitle());
      // Printed at once, for runs that are ended before their summary.
      process.stdout.write(`\nfailed: ${failure.fullTitle()}: ${error.message}\n`);
    });
  });
  await browser.close();
  for (const [file, { passed, failed }] of Object.entries(results))
    if (grep === undefined && passed + failed.length === 0) results[file].failed.push(`${file}: nothing was reported`);
  return results;
};
