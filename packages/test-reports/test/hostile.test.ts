import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { readReport } from '../src/read-report.js';
import { BrokenReport } from '../src/tally.js';
import { ROOM, read } from './reading.js';

const NAMES = [
  'mocha-12.0.3/xunit.xml',
  'mocha-12.0.3/report.json',
  'node-20.20.2/report.xml',
  'node-20.20.2/report.tap',
  'jest-30.5.2/report.json',
  'vitest-4.1.12/report.json',
  'playwright-1.65.1/report.xml',
  'pytest-9.0.3/report.xml',
];
const REPORTS = NAMES.map((name) => readFileSync(join(ROOM, 'from-tools', name)));

/** Bytes of what any of the formats means something by. */
const BITS = [
  '<',
  '>',
  '/',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '    ',
  '<testcase/>',
  '<testsuite>',
  '</testcase>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '&',
  '\\',
  'ok 1',
  '1..9',
  '"status":"passed"',
  '\u{0}',
  '\u{1f680}',
  '\ufeff',
];

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(30),
  bit: fc.constantFrom(...BITS, ''),
});
const report = fc.constantFrom(...REPORTS);

const mutated = (bytes: Buffer, changes: readonly { at: number; cut: number; bit: string }[]): Buffer =>
  changes.reduce((all, { at, cut, bit }) => {
    const place = Math.floor(at * all.length);
    return Buffer.concat([all.subarray(0, place), Buffer.from(bit), all.subarray(place + cut)]);
  }, bytes);

/** How many things in a report could be a test or a suite at most, by its words. */
const mostIn = (bytes: Buffer): number => {
  const text = bytes.toString();
  return text.split(/<test|<error|<failure|\bok\b|1\.\.|Bail|\{/).length;
};

/** Counts what can be counted; any error but BrokenReport is a bug. */
const outcomeOf = async (bytes: Buffer) => {
  try {
    return await read(bytes, 'auto', 512);
  } catch (error) {
    if (error instanceof BrokenReport) return error;
    throw error;
  }
};

describe('hostile reports', () => {
  it('are counted as they are or broken, never more than there is, never a crash', async () => {
    await fc.assert(
      fc.asyncProperty(report, fc.array(mutation, { minLength: 1, maxLength: 4 }), async (bytes, changes) => {
        const hostile = mutated(bytes, changes);
        const outcome = await outcomeOf(hostile);
        if (outcome instanceof BrokenReport) return;
        const { total, passed, failed, skipped } = outcome;
        for (const count of [total, passed, failed, skipped])
          expect(count).to.satisfy(Number.isInteger).and.be.at.least(0);
        expect(passed + failed).to.be.at.most(total);
        expect(total + skipped).to.be.at.most(mostIn(hostile));
      }),
      { numRuns: 1500 },
    );
  });

  it('are broken wherever they are cut short, but for the blanks at their end', async () => {
    await fc.assert(
      fc.asyncProperty(report, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, at) => {
        const whole = bytes.toString().trimEnd();
        const place = Math.floor(at * (Buffer.byteLength(whole) - 1));
        // TAP says its plan, and then only remarks.
        if (whole.startsWith('TAP') && bytes.subarray(0, place).includes('\n1..4')) return;
        const outcome = await outcomeOf(bytes.subarray(0, place));
        // Before its first test point a TAP stream is only empty.
        if (!(outcome instanceof BrokenReport)) expect([outcome.format, outcome.total]).to.deep.equal(['tap', 0]);
      }),
      { numRuns: 500 },
    );
  });

  it('are given up after a mebibyte of blanks, of which no more is read', async () => {
    let read = 0;
    async function* blanks() {
      for (; read < 1000; read += 1) yield Buffer.alloc(65_536, '\n');
    }
    const failure = await readReport(blanks(), 'auto').catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(BrokenReport)
      .with.property('message')
      .that.matches(/nothing but blanks/);
    expect(read).to.equal(16);
  });

  it('are not counted out of noise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
        const outcome = await outcomeOf(Buffer.from(noise));
        expect(outcome instanceof BrokenReport || outcome.total + outcome.skipped === 0).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });
});
