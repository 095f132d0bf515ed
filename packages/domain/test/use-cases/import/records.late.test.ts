import { expect } from 'chai';
import { missedShipping } from '../../../src/attribution.js';
import { readDeployment } from '../../../src/use-cases/deployment.js';
import { activateRelease, shipRelease } from '../../../src/use-cases/release.js';
import { signVerdict, type Verdict } from '../../../src/use-cases/verdict.js';
import { deploymentOf, statesOf } from '../../repository/host-records-of.js';
import { type ImportScene, importScene } from '../import-scene.js';
import { planned } from '../scene.js';
import { MINUTE } from '../world.js';

const [FIRST, SECOND] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

/** An active release with a deployment that succeeded, and another one under way since. */
const scene = async () => {
  const here = await importScene({ milestones: 'none', testRuns: 'none' });
  const { id: releaseId } = await planned(here, '1.0');
  const at = { ...here.there, releaseId };
  await activateRelease(here, { by: here.member, ...at, current: null });
  here.time.now += MINUTE;
  const began = here.time.now;
  const done = deploymentOf({ id: 'D0', commitSha: FIRST, createdAt: began, states: statesOf(['success', began]) });
  const open = deploymentOf({ commitSha: SECOND, createdAt: began + 1, states: statesOf(['started', began + 1]) });
  here.model.deployments = [done, open];
  here.time.now += MINUTE;
  await here.settle();
  const ship = () => shipRelease(here, { by: here.member, ...at, note: null });
  /** The deployment ends at the host: in its list (`listed`), or without the list telling. */
  const endAtHost = (listed: boolean): void => {
    const ended = { ...open, states: [...open.states, ...statesOf(['success', here.time.now])] };
    here.model.deployments = [done, ended];
    if (listed) return;
    here.model.answers.deployments = async () => ({ unchanged: true, budget: null });
  };
  return { ...here, at, ship, endAtHost };
};

const importedAs = async ({ stores, project }: ImportScene, commitSha: string) => {
  const { rows } = await stores.deployments.page({ projectId: project.id }, { limit: 9, after: null });
  const found = rows.find((row) => row.commitSha === commitSha);
  if (found === undefined) throw new Error(`no deployment of ${commitSha}`);
  return found;
};

describe('A deployment that ended before its release shipped', () => {
  for (const [way, listed] of [
    ['in the list of the host', true],
    ['when it is looked up', false],
  ] as const)
    it(`does not count there where the import learns of the end afterwards, ${way}`, async () => {
      const here = await scene();
      here.time.now += 10 * MINUTE;
      here.endAtHost(listed);
      here.time.now += MINUTE;
      const { shippedAt } = (await here.ship()).release;
      here.time.now += 2 * MINUTE;
      await here.settle();
      const { id, status, finishedAt } = await importedAs(here, SECOND);
      expect({ status, finishedAt }).to.deep.equal({ status: 'success', finishedAt: shippedAt });
      const { principal } = here.viewer;
      const { attribution } = await readDeployment(here, { principal, deploymentId: id });
      const line = { counts: false, reason: 'release_frozen', contribution: null };
      expect(attribution.releases[0]).to.deep.include(line);
      let signing: Verdict | undefined;
      await signVerdict(here, { principal, ...here.at, view: null }, (verdict) => {
        signing = verdict;
        return '';
      });
      expect(signing?.readiness.basis.facts.stability).to.deep.include({ succeeded: 1, inProgress: 1 });
      expect(signing?.commit).to.equal(FIRST);
    });
  it('counts there where the import learns of the end before, with the moment of the host', async () => {
    const here = await scene();
    here.endAtHost(true);
    const ended = here.time.now;
    here.time.now += 5 * MINUTE;
    await here.settle();
    here.time.now += MINUTE;
    await here.ship();
    const { id, finishedAt } = await importedAs(here, SECOND);
    expect(finishedAt).to.equal(ended);
    const { attribution } = await readDeployment(here, { principal: here.viewer.principal, deploymentId: id });
    expect(attribution.releases[0]).to.include({ counts: true });
  });
  it('does not count there where it is stored after the shipping by a clock that is behind', async () => {
    const here = await scene();
    const late = deploymentOf({ id: 'D2', commitSha: 'c'.repeat(40), createdAt: here.time.now });
    here.model.deployments.push({ ...late, states: statesOf(['success', here.time.now]) });
    here.time.now += 10 * MINUTE;
    const { release } = await here.ship();
    here.time.now -= MINUTE;
    await here.settle();
    const stored = await importedAs(here, late.commitSha);
    expect(stored.createdAt).to.equal(release.shippedAt);
    expect(missedShipping(stored, { shippedAt: release.shippedAt })).to.equal(true);
  });
});
