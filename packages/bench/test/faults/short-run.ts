import { expect } from 'chai';
import { type FaultProgramme, type FaultResult, isBroken } from '../../src/faults/fault-programme.js';
import { openWorkshop } from '../../src/process/workshop.js';

/** Runs a programme small and makes sure that nothing is lost, doubled or wrong; how long things took is nobody's concern here. */
export const runShort = async (programme: FaultProgramme): Promise<FaultResult> => {
  const workshop = openWorkshop();
  try {
    const result = await programme.run('short', workshop);
    expect(result.lines).to.not.be.empty;
    expect(result.lines.filter(isBroken)).to.deep.equal([]);
    return result;
  } finally {
    await workshop.close();
  }
};
