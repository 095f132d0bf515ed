import type { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { expectRefused, ids } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, NOON, sampleId, sampleProject, unique } from './sample-records.js';
import { storedProject } from './sample-world.js';

/** EventSourceStore. */
export const eventSourcesContract = (opened: Opened): void => {
  describe('event sources', () => {
    it('come back to the letter, in the order they were set, each set in the place of the one before', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      expect(await again.eventSources.ofProject(project.id)).to.deep.equal([]);
      const sources = [unique(AWKWARD), unique('/ci/acme'), unique('𝄞'.repeat(225)), unique('A')];
      await stores.eventSources.replace(project, sources);
      expect(await again.eventSources.ofProject(project.id)).to.deep.equal(sources);
      const next = [unique('new'), ...sources.slice(0, 2).toReversed()];
      await stores.eventSources.replace(project, next);
      expect(await again.eventSources.ofProject(project.id)).to.deep.equal(next);
      await stores.eventSources.replace(project, []);
      expect(await again.eventSources.ofProject(project.id)).to.deep.equal([]);
      expect(await again.eventSources.ofProject(sampleId())).to.deep.equal([]);
    });

    it('lead to the projects that have exactly them, of all teams, as these are now', async () => {
      const { stores, again } = opened();
      const source = unique("it's 100%");
      const [one, two] = [await storedProject(stores), await storedProject(stores)];
      await stores.eventSources.replace(one.project, [unique('other'), source]);
      await stores.eventSources.replace(two.project, [source]);
      const renamed = { ...one.project, name: unique('renamed'), version: 2 };
      await stores.projects.replace(renamed, NOON);
      const found = await again.eventSources.projectsOf([unique('none'), source, source.toUpperCase(), source]);
      expect(found.map((projects) => projects.length)).to.deep.equal([0, 2, 0, 2]);
      expect(ids(found[1] ?? [])).to.deep.equal([one.project.id, two.project.id].toSorted());
      expect(found[3]).to.deep.include(renamed);
      expect(await again.eventSources.projectsOf([])).to.deep.equal([]);
    });

    it('are those of one project within a team: the other one keeps what it has', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores);
      const other = await stores.projects.create(sampleProject(team.id));
      const [mine, theirs, free] = [unique('mine'), unique('theirs'), unique('free')];
      await stores.eventSources.replace(project, [mine]);
      await stores.eventSources.replace(other, [theirs]);
      const refusal = await stores.eventSources.replace(other, [free, mine]).catch((error: DomainError) => error);
      expect(refusal).to.include({ code: 'event-source-taken' });
      expect(refusal?.details).to.deep.equal({ source: mine, project: { id: project.id, name: project.name } });
      expect(await again.eventSources.ofProject(other.id)).to.deep.equal([theirs]);
      await stores.transaction(async (inside) => {
        await expectRefused(inside.eventSources.replace(other, [mine]), 'event-source-taken');
        await inside.eventSources.replace(project, []);
        await inside.eventSources.replace(other, [mine]);
      });
      expect(await again.eventSources.ofProject(other.id)).to.deep.equal([mine]);
    });

    it('go to exactly one of several projects that ask for the same at once, and to one set of a project', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores);
      const projects = [project, await stores.projects.create(sampleProject(team.id))];
      const source = unique('wanted');
      const results = await Promise.allSettled(projects.map((one) => stores.eventSources.replace(one, [source])));
      expect(results.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
      const [owners = []] = await again.eventSources.projectsOf([source]);
      expect(owners).to.have.lengthOf(1);
      const sets = Array.from({ length: 5 }, () => [unique('a'), unique('b')]);
      await Promise.all(sets.map((set) => stores.eventSources.replace(project, set)));
      expect(sets).to.deep.include(await again.eventSources.ofProject(project.id));
    });
  });
};
