import type { ImportedIssue, Issue, IssueEvent } from '@shipworthy/domain';
import { expect } from 'chai';
import { expectRefused, ids, walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON, sampleId, sampleIssue } from './sample-records.js';
import {
  inputsOf,
  revisionOf,
  storedActiveRelease,
  storedIssue,
  storedProject,
  storedRelease,
} from './sample-world.js';

const added = (issue: Issue, at: number): IssueEvent => ({
  issueId: issue.id,
  releaseId: issue.releaseId,
  at,
  kind: 'added',
  type: issue.type,
});

const anew = (issue: Issue): ImportedIssue => ({
  before: null,
  issue,
  events: [added(issue, issue.createdAt)],
  wholeHistory: true,
});

const changed = (before: Issue, over: Partial<Issue>): ImportedIssue => {
  const issue = { ...before, version: before.version + 1, updatedAt: NOON + MINUTE, ...over };
  return { before, issue, events: [], wholeHistory: false };
};

/** IssueStore: what is imported from a repository host. */
export const importedIssuesContract = (opened: Opened): void => {
  describe('imported issues', () => {
    it('are stored and replaced together, to the letter, and count', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const all = Array.from({ length: 120 }, (_, turn) =>
        sampleIssue(project.id, {
          releaseId: turn % 2 === 0 ? release.id : null,
          title: `${AWKWARD} ${turn}`,
          url: turn % 3 === 0 ? `https://example.org/${turn}` : null,
          externalId: `host:${AWKWARD}:${turn}`,
          createdAt: NOON - turn,
        }),
      );
      await stores.issues.import(all.map(anew));
      const externalIds = all.map(({ externalId }) => externalId ?? '');
      expect(await again.issues.byExternalIds(project.id, externalIds)).to.deep.equal(all);
      const done = all.slice(0, 10).map((issue) =>
        changed(issue, {
          state: 'done',
          type: 'bug',
          severity: 'major',
          title: 'else',
          url: null,
          releaseId: release.id,
        }),
      );
      const fresh = sampleIssue(project.id, { externalId: 'host:fresh', releaseId: release.id });
      await stores.issues.import([...done, anew(fresh)]);
      const expected = [...done.map(({ issue }) => issue), ...all.slice(10)];
      expect(await again.issues.byExternalIds(project.id, externalIds)).to.deep.equal(expected);
      const { facts } = await inputsOf(again, release.id);
      expect(facts.scope).to.deep.include({ done: 10, total: 66 });
      expect(facts.quality).to.deep.include({ resolved: 10, total: 10 });
      await stores.issues.import([]);
    });

    it('are found by external id in the order asked, in their project only', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const { project: elsewhere } = await storedProject(stores);
      const [one, two] = ['host:1', 'host:2'].map((externalId) => sampleIssue(project.id, { externalId }));
      if (one === undefined || two === undefined) throw new Error('two issues expected');
      await stores.issues.import([anew(one), anew(two)]);
      await storedIssue(stores, elsewhere.id, { externalId: 'host:1' });
      const found = await again.issues.byExternalIds(project.id, ['host:2', 'host:3', 'host:1', 'host:2']);
      expect(found).to.deep.equal([two, undefined, one, two]);
      expect(await again.issues.byExternalIds(project.id, [])).to.deep.equal([]);
    });

    it('have external ids unique in the project, and nothing is stored otherwise', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const issue = sampleIssue(project.id, { externalId: 'host:1' });
      await stores.issues.create(issue, []);
      const [twin, other] = [sampleIssue(project.id, { externalId: 'host:1' }), sampleIssue(project.id)];
      await expectRefused(stores.issues.create(twin, []), 'external-id-conflict');
      await expectRefused(stores.issues.import([anew(other), anew(twin)]), 'external-id-conflict');
      expect(await again.issues.byId(other.id)).to.equal(undefined);
      await stores.issues.create(other, []);
      const adopted = { ...other, externalId: 'host:1', version: 2 };
      await expectRefused(stores.issues.replace(adopted, []), 'external-id-conflict');
      expect(await stores.issues.replace({ ...adopted, externalId: 'host:2' }, [])).to.equal(true);
      expect((await again.issues.byId(other.id))?.externalId).to.equal('host:2');
    });

    it('are refused as a whole when one was changed in the meantime', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const [one, two] = [await storedIssue(stores, project.id), await storedIssue(stores, project.id)];
      await stores.issues.replace({ ...two, title: 'meanwhile', version: 2 }, []);
      const late = [changed(one, { title: 'late' }), changed(two, { title: 'late' })];
      await expectRefused(stores.issues.import(late), 'version-mismatch');
      expect(await again.issues.byId(one.id)).to.deep.equal(one);
      const unknown = changed(sampleIssue(project.id), {});
      await expectRefused(stores.issues.import([unknown]), 'version-mismatch');
    });

    it('mark the releases they left and joined, and no other', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const joined = await storedRelease(stores, project.id);
      const bystander = await storedRelease(stores, project.id);
      const issue = sampleIssue(project.id, { releaseId: release.id, externalId: 'host:1' });
      await stores.issues.import([anew(issue), anew(sampleIssue(project.id))]);
      const read = () => Promise.all([release, joined, bystander].map(({ id }) => revisionOf(again, id)));
      expect(await read()).to.deep.equal([2, 1, 1]);
      await stores.issues.import([changed(issue, { releaseId: joined.id, updatedAt: NOON + 5 * MINUTE })]);
      expect(await read()).to.deep.equal([3, 2, 1]);
      const [revision] = await again.facts.revisions([joined.id]);
      expect(revision?.changedAt).to.equal(NOON + 5 * MINUTE);
    });

    it("become the project's own when they are detached, like its releases, and nothing else changes", async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: elsewhere } = await storedProject(stores);
      const followed = { ...release, externalId: 'host:M', version: release.version + 1 };
      await stores.releases.replace(followed, NOON);
      const shipped = await storedRelease(stores, project.id, {
        ...{ state: 'shipped', shippedAt: NOON, externalId: 'host:S' },
      });
      const own = await storedIssue(stores, project.id, { releaseId: release.id });
      const imported = ['host:1', 'host:2'].map((externalId) =>
        sampleIssue(project.id, { releaseId: release.id, externalId }),
      );
      await stores.issues.import(imported.map(anew));
      const bystander = await storedIssue(stores, elsewhere.id, { externalId: 'host:1' });
      const revision = await revisionOf(again, release.id);
      expect([
        await stores.issues.detachFromHost(project.id),
        await stores.releases.detachFromHost(project.id),
      ]).to.deep.equal([2, 2]);
      expect([
        await stores.issues.detachFromHost(project.id),
        await stores.releases.detachFromHost(project.id),
      ]).to.deep.equal([0, 0]);
      for (const issue of imported)
        expect(await again.issues.byId(issue.id)).to.deep.equal({ ...issue, externalId: null, version: 2 });
      for (const each of [followed, shipped])
        expect(await again.releases.byId(each.id)).to.deep.equal({
          ...each,
          externalId: null,
          version: each.version + 1,
        });
      expect(await again.issues.byExternalIds(project.id, ['host:1'])).to.deep.equal([undefined]);
      for (const issue of [own, bystander]) expect(await again.issues.byId(issue.id)).to.deep.equal(issue);
      expect(await revisionOf(again, release.id)).to.equal(revision);
    });

    it('that may still leave are listed by external id: those of open releases and of none', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const planned = await storedRelease(stores, project.id);
      const shipped = await storedRelease(stores, project.id, { state: 'shipped', shippedAt: NOON });
      const canceled = await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON });
      const places = [release.id, shipped.id, null, canceled.id, planned.id];
      const issues = places.map((releaseId, turn) =>
        sampleIssue(project.id, { releaseId, externalId: `host:${9 - turn}`, state: 'done' }),
      );
      await stores.issues.import(issues.map(anew));
      await storedIssue(stores, project.id, { releaseId: release.id });
      await storedIssue(stores, (await storedProject(stores)).project.id, { externalId: 'host:1' });
      const expected = [issues[4]?.id ?? sampleId(), issues[2]?.id ?? '', issues[0]?.id ?? ''];
      for (const limit of [1, 2, 200]) {
        const listed = await walk((page) => again.issues.importedPage(project.id, page), limit);
        expect(ids(listed)).to.deep.equal(expected);
      }
    });
  });
};
