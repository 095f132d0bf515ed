import { expect } from 'chai';
import {
  isStandingValid,
  type KnownStanding,
  liveReport,
  readsSince,
  readsUntil,
  reportAsOf,
  standingOf,
} from '../../src/release/facts.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { releaseScene } from '../use-cases/scene.js';
import { HOUR, inputsOf, waiverOf } from './inputs-of.js';

describe('The live report', () => {
  it('is as of the last change while no time limit passed: two reads are the same bytes', () => {
    const inputs = inputsOf();
    expect(liveReport(inputs, 5_000).asOf).to.equal(1_000);
    expect(JSON.stringify(liveReport(inputs, 9_999_999))).to.equal(JSON.stringify(liveReport(inputs, 5_000)));
  });
  it('is as of the freshness limit once the test run is stale', () => {
    const inputs = inputsOf({ freshnessHours: 1 });
    const limit = readsUntil(inputs, 2_000);
    expect(limit).to.be.within(1_000 + HOUR, 1_001 + HOUR);
    expect(readsSince(inputs, 1_000 + HOUR - 1)).to.equal(1_000);
    expect(liveReport(inputs, 99 * HOUR).asOf).to.equal(limit);
  });
  it('is as of a waiver’s expiry once it expired', () => {
    const inputs = inputsOf({ threshold: 100 }, [waiverOf(8_000)]);
    expect(readsUntil(inputs, 7_999)).to.equal(8_000);
    const [before, after] = [liveReport(inputs, 7_999), liveReport(inputs, 8_000)];
    expect([before.asOf, before.gate.decision]).to.deep.equal([1_000, 'go']);
    expect([after.asOf, after.gate.decision]).to.deep.equal([8_000, 'hold']);
    expect(readsUntil(inputs, 8_000)).to.equal(null);
  });
  it('is as of a change that came after the last passed limit', () => {
    const inputs = inputsOf({}, [waiverOf(800)]);
    expect(readsSince(inputs, 5_000)).to.equal(1_000);
  });
  it('can be asked for without next steps', () => {
    const inputs = inputsOf({ threshold: 100 });
    expect(reportAsOf(inputs, 1_000).gate.nextSteps).to.not.deep.equal([]);
    expect(reportAsOf(inputs, 1_000, { nextSteps: false }).gate.nextSteps).to.deep.equal([]);
  });
});

const KNOWN: KnownStanding = {
  asOf: 1,
  score: null,
  coverage: 0,
  decision: 'unknown',
  decisionWithoutWaivers: 'unknown',
  waivers: 0,
  reason: null,
  mainReason: null,
  openReasons: 0,
  silentSources: [],
  revision: 7,
  until: 100,
};

describe('the standing of a release', () => {
  it('says what its report says, and the first reason that is not waived', async () => {
    const here = await releaseScene();
    const [inputs] = await here.stores.facts.factsFor([here.release.id]);
    if (inputs === undefined) throw new Error('The release was expected to be there.');
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    const { reason, ...standing } = standingOf(inputs, here.clock());
    expect(standing).to.deep.include({ asOf: report.asOf, score: report.score, coverage: report.coverage });
    expect(standing).to.include({ decision: report.gate.decision, revision: inputs.revision.revision });
    expect(reason).to.deep.equal(report.gate.reasons.find(({ waived }) => !waived));
  });

  it('is valid until its release changes or a time limit passes', () => {
    expect(isStandingValid(KNOWN, 7, 99)).to.equal(true);
    expect(isStandingValid(KNOWN, 7, 100)).to.equal(false);
    expect(isStandingValid(KNOWN, 8, 99)).to.equal(false);
    expect(isStandingValid(KNOWN, undefined, 99)).to.equal(false);
    expect(isStandingValid({ ...KNOWN, until: null }, 7, 1_000_000)).to.equal(true);
  });
});
