import { expect } from 'chai';
import { externalName } from '../../src/repository/external-names.js';
import { cancelRelease } from '../../src/use-cases/cancel-release.js';
import { unlinkRepository } from '../../src/use-cases/unlink-repository.js';
import { linkedScene, linking } from './host-scene.js';
import { planned } from './scene.js';

/** A linked project with three releases of milestones: pending, pending but canceled, and known. */
const scene = async () => {
  const here = await linkedScene();
  const { stores } = here;
  const made = [];
  for (const name of ['1.0', '1.1', '1.2']) {
    const release = await planned(here, name);
    const followed = { ...release, externalId: externalName('forge', name), version: release.version + 1 };
    expect(await stores.releases.replace(followed, here.time.now)).to.equal(true);
    made.push(followed.id);
  }
  const [pending = '', canceled = '', known = ''] = made;
  const { link, state } = here.linked;
  await stores.repositoryLinks.put({ link, state: { ...state, pendingReleaseIds: [pending, canceled] } });
  await cancelRelease(here)({ by: here.member, ...here.there, releaseId: canceled });
  const followed = async () => {
    const releases = await Promise.all([pending, canceled, known].map((id) => stores.releases.byId(id)));
    return releases.map((release) => release?.externalId);
  };
  return { ...here, pending, canceled, followed };
};

describe('A release whose issues were not all read', () => {
  it('follows no milestone any more when its project is unlinked, so that it is not taken for known by another link', async () => {
    const here = await scene();
    here.time.now += 1_000;
    await unlinkRepository(here)({ by: here.owner, ...here.there });
    expect(await here.followed()).to.deep.equal([null, 'forge:1.1', 'forge:1.2']);
    const [dossier] = await here.stores.facts.factsFor([here.pending]);
    expect(dossier?.facts.issuesPending).to.equal(false);
    expect(dossier?.revision.changedAt).to.equal(here.time.now);
    expect((await linking(here)).state.pendingReleaseIds).to.deep.equal([]);
  });
  it('nor does any other when another repository takes the place of its own', async () => {
    const here = await scene();
    const other = { ...here.linked.link.repository, id: 'R_2', path: 'acme/bar', private: true, archived: false };
    here.forge.repositories.push(other);
    const { state } = await linking(here, {}, here.owner, other.path);
    expect(state.pendingReleaseIds).to.deep.equal([]);
    expect(await here.followed()).to.deep.equal([null, null, null]);
  });
  it('stays pending when the same repository is linked anew, whose issues are all read again', async () => {
    const here = await scene();
    const { state } = await linking(here, { milestones: [3] });
    expect(state.pendingReleaseIds).to.deep.equal([here.pending, here.canceled]);
    expect(await here.followed()).to.deep.equal(['forge:1.0', 'forge:1.1', 'forge:1.2']);
  });
});
