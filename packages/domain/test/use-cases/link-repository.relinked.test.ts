import { expect } from 'chai';
import { linkRepository, unlinkRepository } from '../../src/use-cases/repository-link.js';
import { hostIssueOf } from '../repository/host-issue-of.js';
import { milestoneOf } from '../repository/host-records-of.js';
import { settingsOf } from '../repository/linked-repository-of.js';
import { filled } from './filled-host.js';
import { type ImportScene, issueNamed, releaseOfMilestone } from './import-scene.js';
import { DAY } from './world.js';

const link = ({ model, there, owner, ...ports }: ImportScene) =>
  linkRepository(ports, {
    by: owner,
    ...there,
    path: model.repository.path,
    settings: settingsOf({ testRuns: 'none', deployments: false }),
  });

/** Another repository at the host, whose milestone bears the name of the old one's. */
const another = ({ model }: ImportScene): void => {
  model.repository = { ...model.repository, id: 'R2', path: 'acme/bar' };
  model.milestones = [milestoneOf({ id: 'N1' })];
  model.issues = [hostIssueOf({ id: 'J1', milestoneId: 'N1' })];
};

const unlink = ({ owner, there, ...ports }: ImportScene) => unlinkRepository(ports, { by: owner, ...there });

describe('A project linked to another repository', () => {
  for (const [way, before] of [
    ['in place of the old one', async () => undefined],
    ['after it was unlinked', unlink],
  ] as const)
    it(`keeps what came from the old one as its own, and follows the milestones of the new one, ${way}`, async () => {
      const here = await filled();
      await here.settle();
      const release = await releaseOfMilestone(here, 'M1');
      const issue = await issueNamed(here, 'I1');
      expect([release, issue]).to.not.include(undefined);
      await before(here);
      another(here);
      await link(here);
      await here.settle();
      expect(await releaseOfMilestone(here, 'N1')).to.deep.include({ id: release?.id, name: release?.name });
      expect(await issueNamed(here, 'J1')).to.deep.include({ releaseId: release?.id });
      here.time.now += 2 * DAY;
      await here.settle();
      const kept = await here.stores.issues.byId(issue?.id ?? '');
      const { externalId: _, version = 0, ...content } = issue ?? {};
      expect(kept).to.deep.equal({ ...content, externalId: null, version: version + 1 });
    });

  it('takes up what it had when the same one is linked again', async () => {
    const here = await filled();
    await here.settle();
    const [release, issue] = [await releaseOfMilestone(here, 'M1'), await issueNamed(here, 'I1')];
    await unlink(here);
    here.model.repository = { ...here.model.repository, path: 'acme/renamed' };
    await link(here);
    await here.settle();
    expect([await releaseOfMilestone(here, 'M1'), await issueNamed(here, 'I1')]).to.deep.equal([release, issue]);
  });
});
