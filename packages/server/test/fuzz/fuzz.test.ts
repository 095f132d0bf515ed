import { expect } from 'chai';
import { type Finding, fuzz } from './fuzz.js';
import { type Rig, startRig } from './rig.js';
import { watchedSqlite } from './stores.js';

describe('1,000 requests made from the OpenAPI document', () => {
  // A busy machine takes many times as long.
  let rig: Rig;
  let findings: readonly Finding[];
  before(async () => {
    rig = await startRig(await watchedSqlite());
    findings = await fuzz(rig, { cases: 1000, seed: 20_261_121 });
  });
  after(() => rig.close());

  it('are all answered as the document says, and change nothing where they are refused', () => {
    const told = findings.map(({ message, transcript }) => `${message}\n${transcript.join('\n')}`);
    expect(told.join('\n\n')).to.equal('');
    expect(rig.tally.total).to.be.at.least(1000);
    expect(rig.faults, 'what the service logged as its own faults').to.deep.equal([]);
  });

  it('reach every operation so that it succeeds', () => {
    const ids = [...rig.operations.keys()];
    expect(ids.filter((id) => rig.tally.of(id, 2) === 0)).to.deep.equal([]);
  });

  it('reach every operation so that it refuses', () => {
    const ids = [...rig.operations.keys()];
    expect(ids.filter((id) => rig.tally.of(id, 4) === 0)).to.deep.equal([]);
  });
});
