import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestStatus } from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';

const QUIET = class {};
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const ignore = () => undefined;
const isBeforeAll = (hook) => hook.title.startsWith('"before all"');

/** What instrumented code and test runner share: the active mutant, the current test, and the mutants it reached. */
globalThis.__stryker__ ??= {};
export const strykerState = globalThis.__stryker__;

const reachedBy = (id) => strykerState.mutantCoverage?.perTest[id] ?? {};

/** Runs `work`, and counts the mutants that it reaches for `id`: a test, or the loading of a file. */
const inNameOf = async (id, work) => {
  const before = strykerState.currentTestId;
  strykerState.currentTestId = id;
  try {
    return await work();
  } finally {
    strykerState.currentTestId = before;
  }
};

// What a test of an earlier mutant left running must not end the process. While tests run, mocha fails the test for it.
process.on('uncaughtException', ignore);

register('./fresh-modules.mjs', import.meta.url, { data: { folder: `${pathToFileURL(process.cwd()).href}/` } });

/**
 * Loads a compiled test file. `fresh` 0 loads it as usual; a number that was not used before evaluates it anew, with all modules
 * that it imports from outside node_modules. The id of a test is its file and its full title.
 */
export const loadTestFile = async (path, fresh = 0) => {
  const file = resolve(path);
  const idOf = (test) => `${path}: ${test.fullTitle()}`;
  const loading = `${path} loading`;
  const preparing = (suite) => `${path} preparing ${suite.fullTitle()}`;
  const mocha = new Mocha({ reporter: QUIET, timeout: 20_000, forbidPending: true, forbidOnly: true });
  mocha.cleanReferencesAfterRun(false);
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  const { href } = pathToFileURL(file);
  const loaded = await inNameOf(loading, () => import(fresh > 0 ? `${href}?fresh=${fresh}` : href));
  mocha.suite.emit('require', loaded, file, mocha);
  mocha.suite.emit('post-require', globalThis, file, mocha);
  const atLoad = new Set(Object.keys(reachedBy(loading)));
  const prepared = new Set();
  // An error from outside ends a test that goes on; when its own end comes after the run, it has been counted already.
  mocha.suite.eachTest((test) => test.on('error', ignore));

  return {
    /** Whether the mutant was reached while the file was loaded. */
    reachedAtLoad: (mutant) => atLoad.has(mutant),

    /** Runs the tests with these ids (undefined: all of them); resolves with their results. */
    run: (ids, bail) =>
      new Promise((done) => {
        const results = [];
        const titles = ids?.map((id) => escaped(id.slice(path.length + 2)));
        const add = (test, rest) =>
          results.push({ id: idOf(test), name: idOf(test), timeSpentMs: test.duration ?? 0, ...rest });
        mocha.bail(bail);
        mocha.grep(titles === undefined ? /^/ : new RegExp(`^(?:${titles.join('|')})$`));
        const runner = mocha.run(() => {
          // Mocha would throw an error that comes after the run, and end the process with all mutants that are left.
          runner.dispose();
          strykerState.currentTestId = undefined;
          done(results);
        });
        runner.on('hook', (hook) => {
          if (!isBeforeAll(hook)) return;
          prepared.add(hook.parent);
          strykerState.currentTestId = preparing(hook.parent);
        });
        runner.on('test', (test) => {
          strykerState.currentTestId = idOf(test);
        });
        runner.on('pass', (test) => add(test, { status: TestStatus.Success }));
        runner.on('fail', (test, error) => {
          add(test, { status: TestStatus.Failed, failureMessage: String(error?.message ?? error) });
        });
      }),

    /** Counts code that loading and `before` hooks reached as covered by every test that depends on it. */
    shareOut: () => {
      const { perTest } = strykerState.mutantCoverage;
      const share = (from, suite) => {
        const reached = perTest[from] ?? {};
        delete perTest[from];
        suite.eachTest((test) => {
          perTest[idOf(test)] ??= {};
          const own = perTest[idOf(test)];
          for (const [mutant, times] of Object.entries(reached)) own[mutant] = (own[mutant] ?? 0) + times;
        });
      };
      for (const suite of prepared) share(preparing(suite), suite);
      share(loading, mocha.suite);
    },
  };
};
