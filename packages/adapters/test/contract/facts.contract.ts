import type { ChecklistState, Issue } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, HOUR, MINUTE, NOON, sampleId, sampleItem, sampleRelease, sampleWaiver } from './sample-records.js';
import { inputsOf, storedActiveRelease, storedIssue, storedProject, storedRelease } from './sample-world.js';

const AWAITING = { reason: AWKWARD, markedBy: 'Ben', markedAt: NOON, confirmedBy: null, confirmedAt: null };
const CONFIRMED = { ...AWAITING, confirmedBy: 'Ada', confirmedAt: NOON + MINUTE };

/** ReleaseFactsStore: scope, quality, ops, and the other parts of the release inputs. */
export const factsContract = (opened: Opened): void => {
  describe('facts of a release', () => {
    it('come in the order asked, with release, project, policy and revision', async () => {
      const { stores, again } = opened();
      const one = await storedActiveRelease(stores);
      const two = await storedActiveRelease(stores);
      const found = await again.facts.factsFor([two.release.id, sampleId(), one.release.id]);
      expect(found.map((inputs) => inputs?.release)).to.deep.equal([two.release, undefined, one.release]);
      const { id, teamId, name } = two.project;
      expect(found[0]?.project).to.deep.equal({ id, teamId, name });
      expect(found[0]?.policy).to.deep.equal(await again.policies.current(two.project.id));
      const asked = [two.release.id, sampleId(), one.release.id];
      const revisions = await again.facts.revisions(asked);
      expect(revisions).to.deep.equal(found.map((inputs) => inputs?.revision));
      expect(await again.facts.factsFor([])).to.deep.equal([]);
      expect(await again.facts.revisions([])).to.deep.equal([]);
    });

    it('tell the revision of the active release of each project, in the order asked', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: idle } = await storedProject(stores);
      await storedRelease(stores, idle.id);
      const [revision] = await again.facts.revisions([release.id]);
      const active = { releaseId: release.id, ...revision };
      expect(await again.facts.activeRevisions([idle.id, project.id, sampleId(), project.id])).to.deep.equal([
        undefined,
        active,
        undefined,
        active,
      ]);
      await stores.releases.replace({ ...release, state: 'planned', version: release.version + 1 }, release.createdAt);
      expect(await again.facts.activeRevisions([project.id])).to.deep.equal([undefined]);
      expect(await again.facts.activeRevisions([])).to.deep.equal([]);
    });

    it('are zeros for a release in which nothing happened', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id);
      const { facts, waivers } = await inputsOf(again, release.id);
      expect(facts).to.deep.equal({
        scope: { done: 0, total: 0 },
        quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
        ops: { done: 0, total: 0, openItems: [] },
        verification: null,
        stability: { succeeded: 0, failed: 0, inProgress: 0 },
        issuesAsOf: null,
        issuesPending: false,
        sources: { deployments: null, testRuns: null },
      });
      expect(waivers).to.deep.equal([]);
    });

    it('count issues in scope, canceled ones nowhere', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const states = ['todo', 'in_progress', 'done', 'done', 'canceled'] as const;
      for (const state of states) await storedIssue(stores, project.id, { releaseId: release.id, state });
      await storedIssue(stores, project.id, { state: 'done' });
      const { facts } = await inputsOf(again, release.id);
      expect(facts.scope).to.deep.equal({ done: 2, total: 4 });
      expect(facts.quality.total).to.equal(0);
    });

    it('count bugs in quality, the open ones by severity', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const add = (over: Partial<Issue>) =>
        storedIssue(stores, project.id, { releaseId: release.id, type: 'bug', ...over });
      for (const severity of ['critical', 'critical', 'major', 'minor', null, null, null] as const) {
        await add({ severity, state: severity === 'critical' ? 'in_progress' : 'todo' });
      }
      await add({ severity: 'critical', state: 'done' });
      await add({ severity: null, state: 'done' });
      await add({ severity: 'critical', state: 'canceled' });
      await add({ severity: 'critical', type: 'task' });
      const { facts } = await inputsOf(again, release.id);
      const open = { critical: 2, major: 1, minor: 1, unspecified: 3 };
      expect(facts.quality).to.deep.equal({ resolved: 2, total: 9, open });
      expect(facts.scope).to.deep.equal({ done: 2, total: 10 });
    });

    it('follow an issue from release to release', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      await stores.issues.replace({ ...issue, releaseId: other.id, state: 'done', version: 2 }, []);
      expect((await inputsOf(again, release.id)).facts.scope).to.deep.equal({ done: 0, total: 0 });
      expect((await inputsOf(again, other.id)).facts.scope).to.deep.equal({ done: 1, total: 1 });
    });

    it('count the items that apply and name the first twenty open ones in list order', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = sampleRelease(project.id);
      const stateAt = (position: number): ChecklistState => {
        if (position % 10 === 3) return 'done';
        return position % 10 === 5 ? 'not_applicable' : 'open';
      };
      const items = Array.from({ length: 30 }, (_, position) => {
        const state = stateAt(position);
        const mark = state === 'not_applicable' ? CONFIRMED : null;
        return sampleItem(release.id, { position, state, mark, title: `${position} ${AWKWARD}` });
      });
      await stores.releases.create(release, items.toReversed());
      const { facts } = await inputsOf(again, release.id);
      const open = items.filter(({ state }) => state === 'open').map(({ title }) => title);
      expect(open).to.have.lengthOf(24);
      expect({ ...facts.ops, notApplicable: [] }).to.deep.equal({
        done: 3,
        total: 27,
        openItems: open.slice(0, 20),
        notApplicable: [],
      });
      const { confirmedAt: _, ...mark } = { ...CONFIRMED, confirmed: true };
      expect(facts.ops.notApplicable).to.deep.equal(
        [5, 15, 25].map((position) => ({ title: `${position} ${AWKWARD}`, ...mark })),
      );
    });

    it('count a mark that awaits an owner as open, and one without a reason as confirmed', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = sampleRelease(project.id);
      const early = { reason: null, markedBy: null, markedAt: null, confirmedBy: null, confirmedAt: NOON };
      const marks = [null, AWAITING, early, CONFIRMED];
      const items = marks.map((mark, position) =>
        sampleItem(release.id, { position, mark, state: mark ? 'not_applicable' : 'done', title: `No ${position}` }),
      );
      await stores.releases.create(release, items);
      const { ops } = (await inputsOf(again, release.id)).facts;
      expect([ops.done, ops.total, ops.openItems]).to.deep.equal([1, 2, ['No 1']]);
      expect(ops.notApplicable?.map(({ title, reason, confirmed }) => [title, reason, confirmed])).to.deep.equal([
        ['No 1', AWKWARD, false],
        ['No 2', null, true],
        ['No 3', AWKWARD, true],
      ]);
    });

    it('name the first twenty removed items, and none once the release is closed', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const titles = Array.from({ length: 22 }, (_, position) => `${position} ${AWKWARD}`);
      for (const title of titles) {
        const { id } = await stores.checklists.add(sampleItem(release.id, { title }));
        await stores.checklists.remove(id, { removedAt: NOON + MINUTE, removedBy: AWKWARD });
      }
      const { ops } = (await inputsOf(again, release.id)).facts;
      const removed = titles.slice(0, 20).map((title) => ({ title, removedAt: NOON + MINUTE, removedBy: AWKWARD }));
      expect(ops).to.deep.equal({ done: 0, total: 0, openItems: [], removed });
      const { version } = release;
      const shipped = { ...release, state: 'shipped', shippedAt: NOON + HOUR, version: version + 1 } as const;
      expect(await stores.releases.replace(shipped, NOON + HOUR)).to.equal(true);
      expect((await inputsOf(again, release.id)).facts.ops).to.deep.equal({ done: 0, total: 0, openItems: [] });
    });

    it('bring the waivers that are not withdrawn, expired ones too, oldest first', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const { release: other } = await storedActiveRelease(stores);
      const late = sampleWaiver(release.id, { createdAt: NOON + 2 });
      const expired = sampleWaiver(release.id, { createdAt: NOON + 1, expiresAt: NOON + 2, axis: null, actual: null });
      const withdrawn = sampleWaiver(release.id);
      for (const waiver of [late, expired, withdrawn, sampleWaiver(other.id)]) await stores.waivers.add(waiver);
      await stores.waivers.withdraw(release.id, withdrawn.id, NOON + 3, 'Eve');
      expect((await inputsOf(again, release.id)).waivers).to.deep.equal([expired, late]);
    });
  });
};
