import { expect } from 'chai';
import { type KnownStanding, standingOf, stillStands } from '../../src/release/standing.js';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { releaseScene } from '../use-cases/scene.js';

const KNOWN: KnownStanding = {
  asOf: 1,
  score: null,
  coverage: 0,
  decision: 'unknown',
  decisionWithoutWaivers: 'unknown',
  waivers: 0,
  reason: null,
  revision: 7,
  until: 100,
};

describe('the standing of a release', () => {
  it('says what its report says, and the first reason that is not waived', async () => {
    const here = await releaseScene();
    const [dossier] = await here.stores.facts.factsFor([here.release.id]);
    if (dossier === undefined) throw new Error('The release was expected to be there.');
    const { report } = await readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null });
    const { reason, ...standing } = standingOf(dossier, here.clock());
    expect(standing).to.deep.include({ asOf: report.asOf, score: report.score, coverage: report.coverage });
    expect(standing).to.include({ decision: report.gate.decision, revision: dossier.revision.revision });
    expect(reason).to.deep.equal(report.gate.reasons.find(({ waived }) => !waived));
  });

  it('stands until its release changes or a time limit passes', () => {
    expect(stillStands(KNOWN, 7, 99)).to.equal(true);
    expect(stillStands(KNOWN, 7, 100)).to.equal(false);
    expect(stillStands(KNOWN, 8, 99)).to.equal(false);
    expect(stillStands(KNOWN, undefined, 99)).to.equal(false);
    expect(stillStands({ ...KNOWN, until: null }, 7, 1_000_000)).to.equal(true);
  });
});
