import { expect } from 'chai';
import { KOA } from '../../src/baseline/baseline-process.js';
import {
  endBy,
  exitCodeOf,
  forgetPeak,
  memoryIn,
  memoryOf,
  processorTimeIn,
  startChild,
} from '../../src/process/child.js';
import { inWorkshop } from '../../src/process/workshop.js';

const loadProgram = new URL('../../src/load/load-main.js', import.meta.url).href;

describe('the end of a child', () => {
  it('is waited for, and known afterwards', () =>
    inWorkshop(async (workshop) => {
      const { process: child } = startChild(workshop, { program: loadProgram });
      expect(await endBy(child, 'SIGKILL')).to.equal(null);
      expect(child.signalCode).to.equal('SIGKILL');
      expect(await endBy(child, 'SIGTERM')).to.equal(null);
    }));

  it('has the code the program ended with', () =>
    inWorkshop(async (workshop) => {
      // No port has that number.
      const { process: child } = startChild(workshop, { program: KOA, args: ['created', '70000'] });
      expect(await exitCodeOf(child)).to.equal(1);
      expect(await exitCodeOf(child)).to.equal(1);
    }));
});

const MB = 2 ** 20;

describe('the memory of a process', () => {
  it('is read in MB from what the system says', () => {
    const status = 'Name:\tnode\nVmPeak:\t  999999 kB\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n';
    expect(memoryIn(status)).to.deep.equal({ now: 100, peak: 200 });
    expect(() => memoryIn('VmHWM:\t  204800 kB\n')).to.throw('VmRSS');
  });

  it('is that of a running process, whose peak can be forgotten', () => {
    const block: { bytes?: Buffer } = { bytes: Buffer.alloc(200 * MB, 1) };
    const full = memoryOf(process.pid);
    delete block.bytes;
    if (process.platform !== 'linux') {
      expect(full).to.equal(null);
      return;
    }
    expect(full?.peak).to.be.at.least(200);
    forgetPeak(process.pid);
    const { now = 0, peak = 0 } = memoryOf(process.pid) ?? {};
    expect(peak - now).to.be.within(0, 50);
  });
});

describe('the processor time of a process', () => {
  it('is that of the program and of the system for it, for any name of the program', () => {
    const stat = (name: string): string =>
      `42 (${name}) S 1 42 42 0 -1 4194304 900 0 3 0 120 34 7 8 20 0 11 0 999 1 2\n`;
    expect(processorTimeIn(stat('node'))).to.equal(1_540);
    expect(processorTimeIn(stat('a) S 1 (b'))).to.equal(1_540);
    expect(() => processorTimeIn('42 (node) S 1 42\n')).to.throw('processor time');
  });
});
