import { expect } from 'chai';
import { readGate } from '../../src/use-cases/read-gate.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { waiveReason } from '../../src/use-cases/waive-reason.js';
import { withdrawWaiver } from '../../src/use-cases/withdraw-waiver.js';
import { refused } from '../refusal.js';
import { releaseScene } from './scene.js';
import { DAY, lastDeed } from './world.js';

const withWaiver = async () => {
  const here = await releaseScene();
  const reason = { code: 'axis_unmeasured', axis: 'stability', text: 'No deployments here.' } as const;
  const expiresAt = here.time.now + DAY;
  const waiver = await waiveReason(here)({ by: here.owner, ...here.at, ...reason, expiresAt });
  return { ...here, waiver, at: { ...here.at, waiverId: waiver.id } };
};

describe('Withdrawing a waiver', () => {
  it('keeps the record with who and when; the reason is unwaived again', async () => {
    const here = await withWaiver();
    here.time.now += 5;
    const withdrawn = await withdrawWaiver(here)({ by: here.owner, ...here.at });
    expect(withdrawn).to.deep.equal({ ...here.waiver, withdrawnAt: here.time.now, withdrawnBy: 'Ada' });
    expect(await here.stores.waivers.ofRelease(here.release.id)).to.deep.equal([withdrawn]);
    const { gate } = await readGate(here)({ principal: here.viewer.principal, ...here.at, view: null });
    expect(gate.waivers).to.deep.equal([]);
    const deed = await lastDeed(here, here.teamId);
    expect(deed?.action).to.equal('waiver.withdraw');
    expect(deed?.detail).to.deep.include({ code: 'axis_unmeasured', axis: 'stability' });
  });
  it('again changes nothing', async () => {
    const here = await withWaiver();
    const first = await withdrawWaiver(here)({ by: here.owner, ...here.at });
    here.time.now += 5;
    expect(await withdrawWaiver(here)({ by: here.owner, ...here.at })).to.deep.equal(first);
  });
  it('is for owners, of waivers there are, while the release is open', async () => {
    const here = await withWaiver();
    await refused(withdrawWaiver(here)({ by: here.member, ...here.at }), 'forbidden');
    const unknown = withdrawWaiver(here)({ by: here.owner, ...here.at, waiverId: 'none' });
    expect((await refused(unknown, 'not-found')).details).to.deep.equal({ what: 'waiver' });
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await refused(withdrawWaiver(here)({ by: here.owner, ...here.at }), 'release-closed');
  });
});
