import { expect } from 'chai';
import { activateRelease } from '../../src/use-cases/activate-release.js';
import { cancelRelease } from '../../src/use-cases/cancel-release.js';
import { parkRelease } from '../../src/use-cases/park-release.js';
import { recordHistory } from '../../src/use-cases/record-history.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { deployed } from './reporting.js';
import { planned, projectScene, releaseScene } from './scene.js';
import { listening, toldOf } from './told.js';

describe('Telling of transitions', () => {
  it('says that a release was activated, and nothing when it was active already', async () => {
    const here = await projectScene();
    const { id: releaseId } = await planned(here, '1.0');
    const heard = listening(here);
    const command = { by: here.member, ...here.there, releaseId, current: null };
    await activateRelease(here)(command);
    await activateRelease(here)(command);
    expect(toldOf(heard)).to.deep.equal(['release.activated 1.0 0 hold']);
    const [event] = heard;
    expect(event).to.include({ at: here.time.now, teamId: here.teamId, before: null });
    expect(event?.project).to.deep.equal({ id: here.project.id, name: 'Shop' });
    expect(event?.release).to.deep.equal({ id: releaseId, name: '1.0' });
  });
  it('says with what a release was shipped, and what had been recorded before', async () => {
    const here = await releaseScene();
    await deployed(here);
    await recordHistory(here)({ limit: 10, leaseMs: 1_000 });
    const heard = listening(here);
    here.time.now += 5_000;
    const { frozen } = await shipRelease(here)({ by: here.member, ...here.at, note: null });
    const { score, coverage, gate } = frozen.report;
    expect(toldOf(heard)).to.deep.equal([`release.shipped 1.0 ${score} ${gate.decision}`]);
    expect(heard[0]?.reading).to.deep.equal({ score, coverage, decision: gate.decision });
    expect(heard[0]?.before).to.include({ score: 50, decision: 'hold' });
  });
  it('says it of both releases when one takes the place of the other', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '1.1');
    const heard = listening(here);
    await activateRelease(here)({ by: here.member, ...here.there, releaseId, current: 'ship' });
    expect(heard.map(({ type, release }) => `${type} ${release.name}`)).to.deep.equal([
      'release.shipped 1.0',
      'release.activated 1.1',
    ]);
  });
  it('says that a release was canceled, and nothing when it is parked', async () => {
    const here = await releaseScene();
    const heard = listening(here);
    await parkRelease(here)({ by: here.member, ...here.at });
    await cancelRelease(here)({ by: here.member, ...here.at });
    expect(heard.map(({ type }) => type)).to.deep.equal(['release.canceled']);
  });
  it('says nothing when the transition is undone', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '1.1');
    const heard = listening(here);
    const refused = new Error('undone');
    const stores = {
      ...here.stores,
      transaction: <Result>(work: Parameters<typeof here.stores.transaction<Result>>[0]) =>
        here.stores.transaction<Result>(async (inside) => {
          await work(inside);
          throw refused;
        }),
    };
    const command = { by: here.member, ...here.there, releaseId, current: 'ship' } as const;
    expect(await activateRelease({ ...here, stores })(command).catch((error: unknown) => error)).to.equal(refused);
    expect(heard).to.deep.equal([]);
  });
});
