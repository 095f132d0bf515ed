import { expect } from 'chai';
import { type FaultProgramme, type FaultResult, isBroken } from '../../src/faults/fault-programme.js';
import { inWorkshop } from '../../src/process/workshop.js';

/** Runs a programme small and makes sure that nothing is lost, doubled or wrong; times are not checked here. */
export const runShort = (programme: FaultProgramme): Promise<FaultResult> =>
  inWorkshop(async (workshop) => {
    const result = await programme.run('short', workshop);
    expect(result.lines).to.not.be.empty;
    expect(result.lines.filter(isBroken)).to.deep.equal([]);
    return result;
  });
