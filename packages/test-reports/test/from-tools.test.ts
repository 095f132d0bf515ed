import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { figures, ROOM, read, readTool } from './reading.js';

/** Passed, failed, errored, skipped, counted by hand in samples/. */
const EXPECTED: Readonly<Record<string, readonly [string, readonly number[]]>> = {
  'mocha-12.0.3/xunit.xml': ['junit', [4, 3, 0, 2]],
  'mocha-12.0.3/report.json': ['mocha', [4, 3, 0, 2]],
  'mocha-12.0.3/report.tap': ['tap', [4, 3, 0, 2]],
  // A suite without tests passes as a test: the tool writes it like one.
  'node-20.20.2/report.xml': ['junit', [5, 4, 0, 3]],
  'node-20.20.2/report.tap': ['tap', [5, 4, 0, 3]],
  'jest-30.5.2/report.json': ['jest', [4, 3, 1, 2]],
  // It writes a todo like a test that passed, and a file that could not be loaded twice.
  'jest-junit-17.0.0/junit.xml': ['junit', [5, 4, 1, 1]],
  'vitest-4.1.12/report.json': ['vitest', [4, 2, 2, 3]],
  'vitest-4.1.12/junit.xml': ['junit', [4, 4, 0, 3]],
  'playwright-1.65.1/report.json': ['playwright', [8, 4, 0, 2]],
  'playwright-1.65.1/report.xml': ['junit', [8, 2, 2, 2]],
  // One for the file, one for there being no test then.
  'playwright-1.65.1/report-not-loaded.json': ['playwright', [0, 0, 2, 0]],
  'playwright-1.65.1/report-not-loaded.xml': ['junit', [0, 0, 0, 0]],
  // A test that fails and whose teardown errs is written twice, and counts once.
  'pytest-9.0.3/report.xml': ['junit', [2, 1, 4, 2]],
};

const mochaBin = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');

/** What a tool writes to stdout. */
const live = (...args: readonly string[]): string =>
  spawnSync(process.execPath, args, { cwd: ROOM, encoding: 'utf8', env: { PATH: process.env.PATH, NO_COLOR: '1' } })
    .stdout;

describe('reports of the tools', () => {
  for (const [name, [format, counts]] of Object.entries(EXPECTED))
    it(`counts ${name}`, async () => {
      const found = await readTool(name);
      expect([found.format, figures(found)]).to.deep.equal([format, counts]);
    });

  it('knows every report that is there', () => {
    const folder = join(ROOM, 'from-tools');
    const files = readdirSync(folder).flatMap((tool) =>
      readdirSync(join(folder, tool)).map((file) => `${tool}/${file}`),
    );
    expect(files).to.have.members(Object.keys(EXPECTED));
  });

  it('keeps no trace of a machine in them', () => {
    for (const name of Object.keys(EXPECTED)) {
      const text = readFileSync(join(ROOM, 'from-tools', name), 'utf8');
      for (const trace of ['/tmp/', '/root', tmpdir(), hostname()]) expect(text, name).not.to.contain(trace);
    }
  });

  it('reads when a run ended and how long it took, where the tool says so', async () => {
    const { ranAt, durationSeconds } = await readTool('playwright-1.65.1/report.json');
    expect(new Date(ranAt ?? 0).toISOString()).to.match(/^20\d\d-/);
    expect(durationSeconds).to.be.within(1, 60);
    // Zones that are left open are not guessed.
    expect((await readTool('jest-junit-17.0.0/junit.xml')).ranAt).to.equal(undefined);
  });

  for (const [reporter, counts] of [
    ['xunit', EXPECTED['mocha-12.0.3/xunit.xml']],
    ['json', EXPECTED['mocha-12.0.3/report.json']],
    ['tap', EXPECTED['mocha-12.0.3/report.tap']],
  ] as const)
    it(`counts what mocha's ${reporter} writes now`, async () => {
      expect(figures(await read(live(mochaBin, '--no-config', '--reporter', reporter, 'samples/mocha/sample.mjs'))))
        // An array of its own, for the table's is typed as perhaps absent.
        .to.deep.equal([...(counts?.[1] ?? [])]);
    });

  for (const reporter of ['junit', 'tap'] as const)
    it(`counts what node:test's ${reporter} writes now`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'node-test-'));
      try {
        const file = join(folder, 'report');
        const args = ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${file}`];
        live(...args, 'samples/node/sample.mjs', 'samples/node/broken.mjs');
        const [passed, failed, errored, skipped] = figures(await read(readFileSync(file)));
        expect([passed, skipped]).to.deep.equal([5, 3]);
        // Versions differ in whether a suite whose hook failed names the hook as well.
        expect((failed ?? 0) + (errored ?? 0)).to.be.within(4, 5);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
