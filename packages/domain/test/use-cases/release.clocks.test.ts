import { expect } from 'chai';
import { finishDeployment, readDeployment } from '../../src/use-cases/deployment.js';
import { activateRelease, shipRelease } from '../../src/use-cases/release.js';
import { signVerdict, type Verdict } from '../../src/use-cases/verdict.js';
import { deployed } from './reporting.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';

const by = ({ member, there }: ReleaseScene) => ({ by: member, ...there });
const ship = (here: ReleaseScene) => shipRelease(here, { ...by(here), releaseId: here.release.id, note: null });

describe('The moment at which a release ships', () => {
  it('comes after what its report counts, also by a clock that is behind, or in the same millisecond', async () => {
    for (const behind of [20, 0]) {
      const here = await releaseScene();
      here.time.now += 1_000;
      const commitSha = 'a'.repeat(40);
      const { deployment } = await deployed(here, { commitSha, status: 'started' });
      here.time.now += 1_000;
      const { principal } = here.member;
      const end = { principal, needs: 'member', deploymentId: deployment.id, durationSeconds: null } as const;
      await finishDeployment(here, { ...end, status: 'success' });
      const finishedAt = here.time.now;
      here.time.now -= behind;
      const { frozen, release } = await ship(here);
      expect(frozen.facts.stability.succeeded).to.equal(1);
      expect([release.shippedAt, frozen.frozenAt]).to.deep.equal([finishedAt + 1, finishedAt + 1]);
      here.time.now += 60_000;
      const { attribution } = await readDeployment(here, { principal, deploymentId: deployment.id });
      expect(attribution.releases[0]).to.include({ counts: true });
      const signed: Verdict[] = [];
      await signVerdict(here, { principal, ...here.at, view: null }, (verdict) => String(signed.push(verdict)));
      expect(signed[0]?.commit).to.equal(commitSha);
    }
  });
  it('before another one begins leaves no moment that both hold', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    await deployed(here, { status: 'success' });
    here.time.now -= 20;
    const next = await planned(here, '2.0');
    const { startsAt } = await activateRelease(here, { ...by(here), releaseId: next.id, current: 'ship' });
    expect((await here.stores.releases.byId(here.release.id))?.shippedAt).to.equal(here.time.now + 21);
    expect(startsAt).to.equal(here.time.now + 21);
  });
});
