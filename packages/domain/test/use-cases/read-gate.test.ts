import { expect } from 'chai';
import { readGate } from '../../src/use-cases/read-gate.js';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { refused } from '../refusal.js';
import { deployed } from './reporting.js';
import { releaseScene } from './scene.js';

describe('Reading the ship gate', () => {
  it('answers what the report says, live and frozen', async () => {
    const here = await releaseScene();
    const path = { principal: here.viewer.principal, ...here.at, view: null };
    await deployed(here);
    const live = await readGate(here)(path);
    const { report } = await readReadiness(here)(path);
    expect(live.gate).to.deep.equal(report.gate);
    expect([live.asOf, live.score, live.coverage]).to.deep.equal([report.asOf, report.score, report.coverage]);
    here.time.now += 1_000;
    const { frozen } = await shipRelease(here)({ by: here.member, ...here.at, note: null });
    const answer = await readGate(here)(path);
    expect([answer.frozenAt, answer.gate]).to.deep.equal([frozen.frozenAt, frozen.report.gate]);
  });
  it('finds nothing out of sight', async () => {
    const here = await releaseScene();
    await refused(readGate(here)({ principal: here.stranger.principal, ...here.at, view: null }), 'not-found');
  });
});
