// Runs mocha for Stryker, whose own runner supports no mocha after 11. A mutant is run with the tests that reach it,
// which a process loads once. Where loading modules or tests reaches the mutant, they are loaded anew.
import { basename, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { loadTestFile, strykerState } from './test-file.mjs';

// The same cases in every run, and no time spent on shrinking a failing one.
fc.configureGlobal({ seed: 20_260_101, endOnFailure: true });

const fileOf = (id) => id.slice(0, id.indexOf(': '));

/** The files, the mutated module's own tests first: they are the likeliest to notice. */
const nearestFirst = (files, mutated) => {
  const name = `${basename(mutated, '.js')}.`;
  return [
    ...files.filter((file) => basename(file).startsWith(name)),
    ...files.filter((file) => !basename(file).startsWith(name)),
  ];
};

/** A mutant whose code runs this many times as often as usual is in a loop; Stryker would wait for ten times that. */
const MOST_TIMES = 10;
const STRYKERS_TIMES = 100;

/** Results of a test file that is loaded with the mutant. A file that cannot be loaded counts as a failed test. */
const resultsAnew = async (path, fresh) => {
  let file;
  try {
    file = await loadTestFile(path, fresh);
  } catch (error) {
    const id = `${path}: loading`;
    return [{ id, name: id, timeSpentMs: 0, status: TestStatus.Failed, failureMessage: String(error) }];
  }
  return file.run(undefined, true);
};

const createRunner = ({ houseTests, houseModules, houseKeepers }) => {
  const loaded = new Map();
  const load = async (file) => loaded.get(file) ?? loaded.set(file, await loadTestFile(file)).get(file);
  let loadings = 0;

  /** Results of the tests until one fails. */
  const resultsOf = async function* ({ activeMutant: { id }, reloadEnvironment, testFilter, sandboxFileName }) {
    loadings += 1;
    const mutated = relative(process.cwd(), sandboxFileName);
    const files = testFilter === undefined ? houseTests : [...new Set(testFilter.map(fileOf))];
    for (const path of nearestFirst(files, mutated)) {
      strykerState.activeMutant = undefined;
      const file = await load(path);
      strykerState.activeMutant = id;
      const ids = testFilter?.filter((one) => fileOf(one) === path);
      // What the file computes while it is loaded, such as titles of tests, may differ with the mutant.
      const isLoadedAnew = reloadEnvironment || houseKeepers.includes(mutated) || file.reachedAtLoad(id);
      yield* await (isLoadedAnew ? resultsAnew(path, loadings) : file.run(ids, true));
    }
  };

  return {
    capabilities: () => ({ reloadEnvironment: true }),

    async dryRun() {
      for (const path of houseModules) await import(pathToFileURL(path).href);
      const tests = [];
      for (const path of houseTests) {
        const file = await load(path);
        tests.push(...(await file.run(undefined, false)));
        file.shareOut();
      }
      return { status: DryRunStatus.Complete, tests, mutantCoverage: strykerState.mutantCoverage };
    },

    async mutantRun(options) {
      const hitLimit = options.hitLimit && Math.ceil((options.hitLimit * MOST_TIMES) / STRYKERS_TIMES);
      strykerState.hitLimit = hitLimit;
      strykerState.hitCount = hitLimit === undefined ? undefined : 0;
      const tests = [];
      for await (const result of resultsOf(options)) {
        tests.push(result);
        if (result.status === TestStatus.Failed) break;
      }
      const endless = determineHitLimitReached(strykerState.hitCount, hitLimit);
      return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests }, false);
    },
  };
};
createRunner.inject = tokens(commonTokens.options);

const paths = (description) => ({ type: 'array', items: { type: 'string' }, description });

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'house', createRunner)];
export const strykerValidationSchema = {
  properties: {
    houseTests: paths('Compiled tests, in the order to run them'),
    houseKeepers: paths('Modules that keep what they computed, which a mutant of theirs must not leave to the next'),
    houseModules: paths('Modules to load before the tests: what is reached by loading them belongs to no test'),
  },
};
