import Mocha from 'mocha';

/** Starts the browser that all files share, where one of them looks at the application in it. */
const startBrowserFor = async (files) => {
  if (!files.some((file) => file.endsWith('.browser.test.js'))) return { close: async () => {} };
  const { startSharedChromium } = await import('../../packages/web/dist/test/browser/launch.js');
  return startSharedChromium();
};

/** Ends a test that hangs. How long a test takes depends on what else the machine does, so no shorter limit is set by any. */
const HANGS_AFTER_MS = 300_000;

/**
 * Runs test files in so many processes, each of which takes the next file when it is done with one.
 * Answers, for each file, the number of its tests that passed, how long these took together, without hooks, and the titles of
 * those that failed. A file of which nothing
 * was reported has failed: its process ended, or it holds no test that was asked for.
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
      // Said at once: a run that is ended before its summary would not tell.
      process.stdout.write(`\nfailed: ${failure.fullTitle()}: ${error.message}\n`);
    });
  });
  await browser.close();
  for (const [file, { passed, failed }] of Object.entries(results))
    if (grep === undefined && passed + failed.length === 0) results[file].failed.push(`${file}: nothing was reported`);
  return results;
};
