import { type Issue, searchTextOf } from '@shipworthy/domain';
import type { IssueFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON, sampleId, sampleIssue } from './sample-records.js';
import { revisionOf, storedActiveRelease, storedIssue, storedProject, storedRelease } from './sample-world.js';

/** IssueStore. */
export const issuesContract = (opened: Opened): void => {
  describe('issues', () => {
    it('stores an issue and reads it back to the letter', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const full = await storedIssue(stores, project.id, {
        releaseId: release.id,
        title: AWKWARD,
        type: 'bug',
        state: 'in_progress',
        severity: 'critical',
        url: 'https://example.org/issues/1?q=%25#é',
        updatedAt: NOON + MINUTE,
      });
      const bare = await storedIssue(stores, project.id);
      expect(await again.issues.byId(full.id)).to.deep.equal(full);
      expect(await again.issues.byId(bare.id)).to.deep.equal(bare);
      expect(await again.issues.byId(sampleId())).to.equal(undefined);
      const asked = [bare.id, sampleId(), full.id, bare.id];
      expect(await again.issues.byIds(asked)).to.deep.equal([bare, undefined, full, bare]);
      expect(await again.issues.byIds([])).to.deep.equal([]);
    });

    it('replaces only the version before', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const issue = await storedIssue(stores, project.id);
      const done: Issue = { ...issue, state: 'done', version: 2, updatedAt: NOON + MINUTE };
      const event = { issueId: issue.id, releaseId: null, at: NOON, kind: 'done', type: 'feature' } as const;
      expect(await stores.issues.replace(done, [event])).to.equal(true);
      expect(await stores.issues.replace({ ...done, title: 'late' }, [event])).to.equal(false);
      expect(await stores.issues.replace({ ...done, title: 'early', version: 4 }, [])).to.equal(false);
      expect(await stores.issues.replace(sampleIssue(project.id, { version: 2 }), [])).to.equal(false);
      expect(await again.issues.byId(issue.id)).to.deep.equal(done);
    });

    it('marks the release an issue belongs to, left or joined, and no other', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const joined = await storedRelease(stores, project.id);
      const bystander = await storedRelease(stores, project.id);
      const releases = [release, joined, bystander];
      const read = () => Promise.all(releases.map(({ id }) => revisionOf(again, id)));
      const [a = 0, b = 0, c = 0] = await read();
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      const [afterCreate = 0, ...rest] = await read();
      expect(afterCreate).to.be.above(a);
      expect(rest).to.deep.equal([b, c]);
      await stores.issues.replace({ ...issue, releaseId: joined.id, version: 2 }, []);
      const [left = 0, entered = 0, untouched] = await read();
      expect(left).to.be.above(afterCreate);
      expect(entered).to.be.above(b);
      expect(untouched).to.equal(c);
      await stores.issues.replace({ ...issue, releaseId: null, version: 2 }, []);
      expect(await read()).to.deep.equal([left, entered, c]);
      await storedIssue(stores, project.id);
      expect(await read()).to.deep.equal([left, entered, c]);
    });

    it('lists open ones first, then newest first', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const add = (over: Partial<Issue>) => storedIssue(stores, project.id, over);
      const oldOpen = await add({ state: 'todo', createdAt: NOON });
      const canceled = await add({ state: 'canceled', createdAt: NOON + 9 });
      const done = await add({ state: 'done', createdAt: NOON + 9 });
      const doing = await add({ state: 'in_progress', createdAt: NOON + 5 });
      const twin = await add({ state: 'todo', createdAt: NOON + 5 });
      const expected = [twin, doing, oldOpen, done, canceled];
      for (const limit of [1, 2, 3, 5, 200]) {
        const listed = await walk((page) => again.issues.page({ projectId: project.id }, page), limit);
        expect(listed).to.deep.equal(expected);
      }
    });

    it('is not disturbed by issues that are added while it is read', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const expected = [];
      for (const age of [0, 1, 2, 3]) expected.push(await storedIssue(stores, project.id, { createdAt: NOON - age }));
      const addNewer = async () => void (await storedIssue(stores, project.id, { createdAt: NOON + MINUTE }));
      const listed = await walk((page) => again.issues.page({ projectId: project.id }, page), 2, addNewer);
      expect(listed).to.deep.equal(expected);
    });

    it('sorts by when they were created or changed, either way round', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const add = (created: number, updated: number, over: Partial<Issue> = {}) =>
        storedIssue(stores, project.id, { createdAt: NOON + created, updatedAt: NOON + updated, ...over });
      const first = await add(1, 9, { state: 'done' });
      const second = await add(2, 5);
      const third = await add(3, 9);
      const expected = {
        open: [third, second, first],
        created: [third, second, first],
        updated: [third, first, second],
      } as const;
      for (const by of ['open', 'created', 'updated'] as const)
        for (const descending of [true, false])
          for (const limit of [1, 2, 200]) {
            const listed = await walk(
              (page) => again.issues.page({ projectId: project.id }, page, { by, descending }),
              limit,
            );
            expect(listed, `${by} ${descending}`).to.deep.equal(descending ? expected[by] : expected[by].toReversed());
          }
    });

    it('finds those whose title holds every word, in any case, or whose number it is', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const add = (title: string, over: Partial<Issue> = {}) => storedIssue(stores, project.id, { title, ...over });
      const umlaut = await add('ÄRGER mit der Straße (100%)');
      const quoted = await add("it's [odd] * ? _ \\ 42nd");
      const numbered = await add('Refund', { url: 'https://example.org/issues/42', severity: 'major' });
      await storedIssue(stores, (await storedProject(stores)).project.id, { title: 'Refund' });
      const found = async (text: string, over: Partial<IssueFilter> = {}) => {
        const filter = { projectId: project.id, text: searchTextOf(text), ...over };
        const ids = (await walk((page) => again.issues.page(filter, page), 2)).map(({ id }) => id);
        return new Set(ids);
      };
      const only = (...issues: readonly Issue[]) => new Set(issues.map(({ id }) => id));
      expect(await found('ärger')).to.deep.equal(only(umlaut));
      expect(await found('straße ärger')).to.deep.equal(only(umlaut));
      expect(await found('0%')).to.deep.equal(only(umlaut));
      expect(await found('%a')).to.deep.equal(only());
      for (const one of ['[odd]', '*', '?', '_', '\\', "it's"])
        expect(await found(one), one).to.deep.equal(only(quoted));
      expect(await found('42')).to.deep.equal(only(quoted, numbered));
      expect(await found('#42')).to.deep.equal(only(numbered));
      expect(await found('2')).to.deep.equal(only(quoted));
      expect(await found('refund', { severity: 'major' })).to.deep.equal(only(numbered));
      expect(await found('refund', { severity: 'minor' })).to.deep.equal(only());
    });

    it('filters by release, type and state', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const projectId = project.id;
      const releaseId = release.id;
      const bug = await storedIssue(stores, projectId, { releaseId, type: 'bug' });
      const fixed = await storedIssue(stores, projectId, { releaseId, type: 'bug', state: 'done' });
      const chore = await storedIssue(stores, projectId, { type: 'chore' });
      await storedActiveRelease(stores);
      const list = (filter: Omit<IssueFilter, 'projectId'>) =>
        walk((page) => again.issues.page({ projectId, ...filter }, page), 200);
      expect(await list({})).to.deep.equal([chore, bug, fixed]);
      expect(await list({ releaseId })).to.deep.equal([bug, fixed]);
      expect(await list({ type: 'bug', state: 'done' })).to.deep.equal([fixed]);
      expect(await list({ releaseId, type: 'chore' })).to.deep.equal([]);
    });
  });
};
