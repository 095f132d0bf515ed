import { expect } from 'chai';
import { readReadiness } from '../../src/use-cases/read-readiness.js';
import { readReadinessAt } from '../../src/use-cases/read-readiness-at.js';
import { recordHistory } from '../../src/use-cases/record-history.js';
import { renameProject } from '../../src/use-cases/rename-project.js';
import { shipRelease } from '../../src/use-cases/ship-release.js';
import { pointers, refused } from '../refusal.js';
import { deployed, tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { HOUR, MINUTE } from './world.js';

const known = (here: ReleaseScene, at: number, principal = here.viewer.principal) =>
  readReadinessAt(here)({ principal, ...here.at, at });
const live = (here: ReleaseScene) => readReadiness(here)({ principal: here.viewer.principal, ...here.at, view: null });
const record = (here: ReleaseScene) => recordHistory(here)({ limit: 10, leaseMs: 60_000 });

/** The release with a deployment and, a minute later, a test run; both are recorded. */
const scene = async () => {
  const here = await releaseScene();
  const made = here.time.now;
  here.time.now += MINUTE;
  await deployed(here);
  const deployedAt = here.time.now;
  await record(here);
  here.time.now += MINUTE;
  await tested(here);
  const testedAt = here.time.now;
  await record(here);
  here.time.now += HOUR;
  return { ...here, made, deployedAt, testedAt };
};

describe('Reading the readiness as of a past moment', () => {
  it('answers with the facts of that moment', async () => {
    const here = await scene();
    const states = async (at: number) => (await known(here, at)).report.axes.map(({ state }) => state === 'measured');
    expect(await states(here.deployedAt)).to.deep.equal([false, false, true, false, true]);
    expect(await states(here.testedAt - 1)).to.deep.equal([false, false, true, false, true]);
    expect(await states(here.testedAt)).to.deep.equal([false, false, true, true, true]);
    expect((await known(here, here.time.now)).report).to.deep.equal((await live(here)).report);
  });
  it('answers with what is not recorded yet', async () => {
    const here = await scene();
    await deployed(here, { status: 'failure' });
    const { report } = await live(here);
    here.time.now += MINUTE;
    expect((await known(here, here.time.now - 1)).report).to.deep.equal(report);
    expect((await known(here, report.asOf - 1)).report.score).not.to.equal(report.score);
  });
  it('answers a shipped release frozen from then on, and under the name it had', async () => {
    const here = await scene();
    const { frozen } = await shipRelease(here)({ by: here.member, ...here.at, note: null });
    await record(here);
    const shippedAt = here.time.now;
    here.time.now += MINUTE;
    await renameProject(here)({ by: here.owner, ...here.there, name: 'Store', version: null });
    await record(here);
    const renamedAt = here.time.now;
    const before = await known(here, shippedAt - 1);
    expect([before.frozenAt, before.release.state]).to.deep.equal([null, 'active']);
    for (const [at, name] of [
      [shippedAt, 'Shop'],
      [renamedAt, 'Store'],
    ] as const) {
      const found = await known(here, at);
      expect(found).to.deep.include({ report: frozen.report, frozenAt: shippedAt });
      expect([found.release.state, found.project.name]).to.deep.equal(['shipped', name]);
      expect(found.basis.facts).to.deep.equal(frozen.facts);
    }
  });
  it('knows nothing from before the release', async () => {
    const here = await scene();
    const { message } = await refused(known(here, here.made - 1), 'not-found');
    expect(message).to.equal('Nothing had been recorded of the release at that moment.');
  });
  it('knows a release from when it was made, though its first point gathers what came right after', async () => {
    const here = await releaseScene();
    const made = here.time.now;
    here.time.now += 700;
    await deployed(here);
    const found = await known(here, made);
    expect(found.report.asOf, 'the report says which moment it is of').to.equal(made + 700);
    here.time.now += 700;
    await record(here);
    expect((await known(here, made)).report).to.deep.equal(found.report);
    await refused(known(here, made - 1), 'not-found');
  });
  it('answers frozen what shipped right after it was made', async () => {
    const here = await releaseScene();
    const made = here.time.now;
    here.time.now += 700;
    await shipRelease(here)({ by: here.member, ...here.at, note: null });
    const shipped = { frozenAt: made + 700, state: 'shipped' };
    const at = async () => {
      const { frozenAt, release } = await known(here, made);
      return { frozenAt, state: release.state };
    };
    expect(await at()).to.deep.equal(shipped);
    await record(here);
    expect(await at()).to.deep.equal(shipped);
  });
  it('does not take a first point that came late for what was known before', async () => {
    const here = await scene();
    await refused(known(here, here.made), 'not-found');
    expect((await known(here, here.deployedAt - 2_000)).frozenAt).to.equal(null);
  });
  it('knows only the scores of points that do not keep what they were made of', async () => {
    const here = await scene();
    const [last] = await here.stores.history.latest([here.release.id]);
    if (last === undefined) throw new Error('a point was expected');
    const old = { ...last, at: here.deployedAt + 5_000, revision: 0, snapshot: null };
    await deployed(here);
    const [dirty] = await here.stores.history.claim(here.time.now, 1, 60_000);
    if (dirty === undefined) throw new Error('the release was expected to be dirty');
    await here.stores.history.settle(dirty, [old], null);
    const { message } = await refused(known(here, old.at), 'not-found');
    expect(message).to.equal('Of that moment only the scores were kept, not what they were computed from.');
    expect((await known(here, old.at - 1)).frozenAt).to.equal(null);
  });
  it('refuses a moment that has not come', async () => {
    const here = await scene();
    const { details } = await refused(known(here, here.time.now + 1), 'invalid');
    expect(pointers(details.faults)).to.deep.equal(['as_of']);
  });
  it('is for those who see the project', async () => {
    const here = await scene();
    await refused(known(here, here.testedAt, here.stranger.principal), 'not-found');
    const elsewhere = { ...here.at, projectId: here.newId() };
    const { principal } = here.viewer;
    await refused(readReadinessAt(here)({ principal, ...elsewhere, at: here.testedAt }), 'not-found');
  });
});
