import { expect } from 'chai';
import { editRelease } from '../../src/use-cases/edit-release.js';
import { recordDeployment } from '../../src/use-cases/record-deployment.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { refused } from '../refusal.js';
import { deploymentReport } from '../report/report-of.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR } from './world.js';

const edit = (
  here: ReleaseScene,
  change: Parameters<ReturnType<typeof editRelease>>[0]['edit'],
  version: number | null = null,
) => editRelease(here)({ by: here.member, ...here.at, edit: change, version });

describe('Editing a release', () => {
  it('changes name and target', async () => {
    const here = await releaseScene();
    const next = await edit(here, { name: '1.0.1', targetAt: 9 }, here.release.version);
    expect(next).to.deep.equal({ ...here.release, name: '1.0.1', targetAt: 9, version: here.release.version + 1 });
  });
  it('moves the window: deployments before the old start count, and nothing is recounted by hand', async () => {
    const here = await releaseScene();
    const startedAt = here.time.now - 3 * DAY - HOUR;
    await recordDeployment(here)({
      principal: here.member.principal,
      report: deploymentReport({ startedAt, finishedAt: startedAt }),
      remember: null,
    });
    const succeeded = async () => (await here.stores.facts.factsFor([here.release.id]))[0]?.facts.stability.succeeded;
    expect(await succeeded()).to.equal(0);
    await edit(here, { startsAt: startedAt });
    expect(await succeeded()).to.equal(1);
    await edit(here, { startsAt: startedAt + 1 });
    expect(await succeeded()).to.equal(0);
  });
  it('keeps the start of an active release in the past; a planned one may start later', async () => {
    const here = await releaseScene();
    await refused(edit(here, { startsAt: here.time.now + 1 }), 'release-state');
    expect((await edit(here, { startsAt: here.time.now })).startsAt).to.equal(here.time.now);
    const next = await planned(here, '2.0');
    const later = { ...here, at: { ...here.there, releaseId: next.id } };
    expect((await edit(later, { startsAt: here.time.now + DAY })).startsAt).to.equal(here.time.now + DAY);
  });
  it('refuses an older version and a taken name', async () => {
    const here = await releaseScene();
    await planned(here, '2.0');
    await refused(edit(here, { name: '2.0' }), 'name-taken');
    const error = await refused(edit(here, { name: '3.0' }, 99), 'version-mismatch');
    expect(error.details.current).to.deep.equal(here.release);
  });
  it('refuses to move the start once shipped', async () => {
    const here = await releaseScene();
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await refused(edit(here, { startsAt: 1 }), 'release-closed');
    expect((await edit(here, { name: '1.0 final' })).name).to.equal('1.0 final');
  });
  it('is for members', async () => {
    const here = await releaseScene();
    await refused(editRelease(here)({ by: here.viewer, ...here.at, edit: {}, version: null }), 'forbidden');
  });
});
