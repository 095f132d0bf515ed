import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The counts of mocha. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly startedAt: string;
  readonly seconds: number;
}

interface MochaReport {
  readonly stats: {
    readonly passes: number;
    readonly failures: number;
    readonly pending: number;
    readonly start: string;
    readonly duration: number;
  };
}

/** Returns the compiled tests of a package whose sources still exist. */
export const testsOf = (root: string, name: string): readonly string[] => {
  const [compiled, source] = [join(root, 'packages', name, 'dist', 'test'), join(root, 'packages', name, 'test')];
  if (!existsSync(compiled)) throw new Error(`packages/${name} is not built: run "npm run build" first.`);
  return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(join(source, file.replace(/js$/, 'ts'))))
    .map((file) => relative(root, join(compiled, file)))
    .sort();
};

/** Runs the tests with the mocha of the repository; its own report is kept in `folder`. Failing tests are a result too. */
export const runTests = async (root: string, files: readonly string[], folder: string): Promise<TestResult> => {
  const output = join(folder, 'mocha.json');
  const program = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const words = ['--reporter', 'json', '--reporter-option', `output=${output}`, '--timeout', '300000', ...files];
  const mocha = spawn(process.execPath, [program, ...words], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(mocha, 'exit');
  if (!existsSync(output)) throw new Error(`mocha ended with ${code} and left no report.`);
  const { stats } = JSON.parse(await readFile(output, 'utf8')) as MochaReport;
  return {
    passed: stats.passes,
    failed: stats.failures,
    skipped: stats.pending,
    startedAt: stats.start,
    seconds: stats.duration / 1000,
  };
};
