import { expect } from 'chai';
import { expectRefused, ids } from './expectations.js';
import type { Opened } from './open-stores.js';
import { sampleMembership } from './sample-access.js';
import { AWKWARD, HOUR, NOON, sampleId, sampleProject, unique } from './sample-records.js';
import { changePolicy, storedProject, storedRelease, storedTeam } from './sample-world.js';

/** ProjectStore. */
export const projectsContract = (opened: Opened): void => {
  describe('projects', () => {
    it('stores a project with the first version of its policy', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores, { name: AWKWARD });
      expect(await again.projects.byId(project.id)).to.deep.equal(project);
      expect((await again.policies.current(project.id))?.version).to.equal(1);
      expect(await again.projects.byId(sampleId())).to.equal(undefined);
    });

    it('keeps names apart within a team, case counting, and slugs by numbering them', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores, { name: 'core', slug: 'core' });
      await expectRefused(stores.projects.create(sampleProject(team.id, { name: 'core' })), 'name-taken');
      const upper = await stores.projects.create(sampleProject(team.id, { name: 'Core', slug: 'core' }));
      expect(upper.slug).to.match(/^core-?\d+$/);
      const { project: elsewhere } = await storedProject(stores, { name: 'core', slug: 'core' });
      expect(elsewhere.slug).to.equal('core');
      expect(ids(await again.projects.ofTeams([team.id]))).to.have.members([project.id, upper.id]);
    });

    it('lists the projects of teams by name, then id', async () => {
      const { stores, again } = opened();
      const one = await storedProject(stores, { name: 'b' });
      const two = await storedProject(stores, { name: 'b' });
      const first = await stores.projects.create(sampleProject(two.team.id, { name: 'a' }));
      const last = await stores.projects.create(sampleProject(one.team.id, { name: 'c' }));
      const listed = await again.projects.ofTeams([two.team.id, one.team.id]);
      expect(listed).to.deep.equal([first, one.project, two.project, last]);
      expect(await again.projects.ofTeams([])).to.deep.equal([]);
    });

    it('replaces only the version before, and no name by one that is taken', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores);
      const other = await stores.projects.create(sampleProject(team.id));
      const next = { ...project, name: unique('renamed'), version: 2 };
      expect(await stores.projects.replace({ ...next, version: 3 }, NOON)).to.equal(false);
      await expectRefused(stores.projects.replace({ ...next, name: other.name }, NOON), 'name-taken');
      expect(await again.projects.byId(project.id)).to.deep.equal(project);
      expect(await stores.projects.replace(next, NOON)).to.equal(true);
      expect(await stores.projects.replace(next, NOON)).to.equal(false);
      expect(await again.projects.byId(project.id)).to.deep.equal(next);
    });

    it('remembers every former name with the present one', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores, { name: 'one' });
      await stores.projects.replace({ ...project, name: 'two', version: 2 }, NOON);
      await stores.projects.replace({ ...project, name: 'three', version: 3 }, NOON);
      const { team: stranger } = await storedProject(stores);
      const name = (word: string) => ({ projectId: project.id, name: word, currentName: 'three' });
      expect(await again.projects.names([team.id])).to.have.deep.members([name('one'), name('two'), name('three')]);
      expect(await again.projects.names([team.id, stranger.id])).to.have.lengthOf(4);
      expect(await again.projects.names([])).to.deep.equal([]);
    });

    it('counts the names in all teams that a person is in, each of a project once', async () => {
      const { stores, again } = opened();
      const { team, owner, project } = await storedProject(stores, { name: 'one' });
      const { team: other, owner: stranger } = await storedProject(stores);
      for (const [nth, name] of ['two', 'one', 'three'].entries())
        await stores.projects.replace({ ...project, name, version: nth + 2 }, NOON);
      await stores.projects.create(sampleProject(team.id));
      expect(await again.projects.countNames(owner.id)).to.equal(4);
      expect(await again.projects.countNames(stranger.id)).to.equal(1);
      await stores.teams.addMember(sampleMembership(other.id, owner.id, { role: 'viewer' }));
      expect(await again.projects.countNames(owner.id)).to.equal(5);
    });

    it('lists a former name once, even if the project had it several times', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores, { name: 'one' });
      await stores.projects.replace({ ...project, name: 'two', version: 2 }, NOON);
      await stores.projects.replace({ ...project, name: 'one', version: 3 }, NOON);
      await stores.projects.replace({ ...project, name: 'two', version: 4 }, NOON);
      const names = await again.projects.names([team.id]);
      expect(names.map(({ name }) => name).toSorted()).to.deep.equal(['one', 'two']);
      expect(names.map(({ currentName }) => currentName)).to.deep.equal(['two', 'two']);
    });
  });

  describe('projects at a moment', () => {
    it('finds the projects of exactly a name, in the order of the lookups', async () => {
      const { stores, again } = opened();
      const name = unique("it's 100%");
      const one = await storedProject(stores, { name });
      const two = await storedProject(stores, { name });
      const { team } = await storedTeam(stores);
      await stores.projects.create(sampleProject(team.id, { name: name.toUpperCase() }));
      const found = await again.projects.named([
        { name: unique('nobody'), at: NOON },
        { name, at: NOON },
        { name: two.team.name, at: NOON },
        { name, at: NOON + HOUR },
      ]);
      expect(found.map((projects) => projects.length)).to.deep.equal([0, 2, 0, 2]);
      expect(ids((found[1] ?? []).map(({ project }) => project))).to.have.members([one.project.id, two.project.id]);
      expect(await again.projects.named([])).to.deep.equal([]);
    });

    it('knows a project by its present name only', async () => {
      const { stores, again } = opened();
      const [before, after] = [unique('before'), unique('after')];
      const { project } = await storedProject(stores, { name: before });
      await stores.projects.replace({ ...project, name: after, version: 2 }, NOON);
      const found = await again.projects.named([before, after].map((name) => ({ name, at: NOON })));
      expect(found.map((projects) => projects.length)).to.deep.equal([0, 1]);
      expect(found[1]?.[0]?.project.version).to.equal(2);
    });

    it('brings the counted environments and the releases whose window holds the moment', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const open = await storedRelease(stores, project.id, { state: 'active', startsAt: NOON });
      await storedRelease(stores, project.id, { state: 'planned' });
      await changePolicy(stores, project.id, { environments: ['production', AWKWARD] });
      const moments = [NOON - 1, NOON].map((at) => ({ projectId: project.id, at }));
      const [before, inside, nowhere] = await again.projects.at([...moments, { projectId: sampleId(), at: NOON }]);
      const expected = { project, environments: ['production', AWKWARD] };
      const window = { id: open.id, name: open.name, startsAt: NOON, endsAt: null, shippedAt: null };
      expect(before).to.deep.equal({ ...expected, releases: [] });
      expect(inside).to.deep.equal({ ...expected, releases: [window] });
      expect(nowhere).to.equal(undefined);
      expect(await again.projects.named([{ name: project.name, at: NOON }])).to.deep.equal([[inside]]);
      expect(await again.projects.at([])).to.deep.equal([]);
    });
  });
};
