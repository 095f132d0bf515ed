import { expect } from 'chai';
import { liveReport, readsSince, readsUntil, reportAsOf } from '../../src/release/live-report.js';
import { dossierOf, HOUR, waiverOf } from './dossier-of.js';

describe('The live report', () => {
  it('is as of the last change while no time limit passed: two reads are the same bytes', () => {
    const dossier = dossierOf();
    expect(liveReport(dossier, 5_000).asOf).to.equal(1_000);
    expect(JSON.stringify(liveReport(dossier, 9_999_999))).to.equal(JSON.stringify(liveReport(dossier, 5_000)));
  });
  it('is as of the freshness limit once the test run is stale', () => {
    const dossier = dossierOf({ freshnessHours: 1 });
    const limit = readsUntil(dossier, 2_000);
    expect(limit).to.be.within(1_000 + HOUR, 1_001 + HOUR);
    expect(readsSince(dossier, 1_000 + HOUR - 1)).to.equal(1_000);
    expect(liveReport(dossier, 99 * HOUR).asOf).to.equal(limit);
  });
  it('is as of a waiver’s expiry once it expired', () => {
    const dossier = dossierOf({ threshold: 100 }, [waiverOf(8_000)]);
    expect(readsUntil(dossier, 7_999)).to.equal(8_000);
    const [before, after] = [liveReport(dossier, 7_999), liveReport(dossier, 8_000)];
    expect([before.asOf, before.gate.decision]).to.deep.equal([1_000, 'go']);
    expect([after.asOf, after.gate.decision]).to.deep.equal([8_000, 'hold']);
    expect(readsUntil(dossier, 8_000)).to.equal(null);
  });
  it('is as of a change that came after the last passed limit', () => {
    const dossier = dossierOf({}, [waiverOf(800)]);
    expect(readsSince(dossier, 5_000)).to.equal(1_000);
  });
  it('can be asked for without next steps', () => {
    const dossier = dossierOf({ threshold: 100 });
    expect(reportAsOf(dossier, 1_000).gate.nextSteps).to.not.deep.equal([]);
    expect(reportAsOf(dossier, 1_000, { nextSteps: false }).gate.nextSteps).to.deep.equal([]);
  });
});
