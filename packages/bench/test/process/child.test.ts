import { expect } from 'chai';
import { endBy, exitOf, startChild } from '../../src/process/child.js';
import { inWorkshop } from '../../src/process/workshop.js';

const loadProgram = new URL('../../src/load/load-main.js', import.meta.url).href;
const koaProgram = new URL('../../src/baseline/koa-main.js', import.meta.url).href;

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
      const { process: child } = startChild(workshop, { program: koaProgram, args: ['70000'] });
      expect(await exitOf(child)).to.equal(1);
      expect(await exitOf(child)).to.equal(1);
    }));
});
