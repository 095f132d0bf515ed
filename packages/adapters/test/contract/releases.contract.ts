import { type Release, type ReleaseOrder, searchTextOf } from '@shipworthy/domain';
import type { ReleaseFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { expectRefused, ids, walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, NOON, sampleId, sampleItem, sampleRelease } from './sample-records.js';
import { sampleReport } from './sample-report.js';
import { storedActiveRelease, storedProject, storedRelease } from './sample-world.js';

/** ReleaseStore. */
export const releasesContract = (opened: Opened): void => {
  describe('releases', () => {
    it('stores a release with its first checklist', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = sampleRelease(project.id, {
        name: AWKWARD,
        note: AWKWARD,
        startsAt: 0,
        targetAt: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
      });
      const checklist = [0, 1, 2].map((position) => sampleItem(release.id, { position }));
      await stores.releases.create(release, checklist);
      expect(await again.releases.byId(release.id)).to.deep.equal(release);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal(checklist);
      expect(await again.releases.byId(sampleId())).to.equal(undefined);
    });

    it('keeps names apart within the project', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id);
      const twin = sampleRelease(project.id, { name: release.name });
      await expectRefused(stores.releases.create(twin, [sampleItem(twin.id)]), 'name-taken');
      expect(await again.releases.byId(twin.id)).to.equal(undefined);
      const { project: elsewhere } = await storedProject(stores);
      await storedRelease(stores, elsewhere.id, { name: release.name });
      const other = await storedRelease(stores, project.id);
      const renamed = { ...other, name: release.name, version: 2 };
      await expectRefused(stores.releases.replace(renamed, NOON), 'name-taken');
    });

    it('lists what shipped before a moment, newest first', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const shipped = (shippedAt: number) => storedRelease(stores, project.id, { state: 'shipped', shippedAt });
      const late = await shipped(NOON);
      const early = await shipped(NOON - DAY);
      const [one, two] = [await shipped(NOON - 1), await shipped(NOON - 1)];
      await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON - 2 });
      await storedRelease(stores, (await storedProject(stores)).project.id, { state: 'shipped', shippedAt: NOON - 2 });
      const shippedBefore = (moment: number, limit: number) => again.releases.shippedBefore(project.id, moment, limit);
      expect(await shippedBefore(NOON + 1, 9)).to.deep.equal([late, two, one, early]);
      expect(await shippedBefore(NOON, 2)).to.deep.equal([two, one]);
      expect(await shippedBefore(NOON - DAY, 9)).to.deep.equal([]);
    });

    it('is found by name and by its milestone, in its project only', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const { project: elsewhere } = await storedProject(stores);
      const one = await storedRelease(stores, project.id, { name: AWKWARD, externalId: 'host:1' });
      const two = await storedRelease(stores, project.id, { externalId: AWKWARD });
      await storedRelease(stores, project.id);
      expect(await again.releases.named(project.id, AWKWARD)).to.deep.equal(one);
      expect(await again.releases.named(elsewhere.id, AWKWARD)).to.equal(undefined);
      const asked = [AWKWARD, 'host:2', 'host:1', AWKWARD];
      expect(await again.releases.byExternalIds(project.id, asked)).to.deep.equal([two, undefined, one, two]);
      expect(await again.releases.byExternalIds(elsewhere.id, ['host:1'])).to.deep.equal([undefined]);
    });

    it('keeps milestones apart within the project, and may be given one later', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      await storedRelease(stores, project.id, { externalId: 'host:1' });
      await storedRelease(stores, (await storedProject(stores)).project.id, { externalId: 'host:1' });
      const twin = sampleRelease(project.id, { externalId: 'host:1' });
      await expectRefused(stores.releases.create(twin, []), 'external-id-conflict');
      expect(await again.releases.byId(twin.id)).to.equal(undefined);
      const other = await storedRelease(stores, project.id);
      const adopted = { ...other, externalId: 'host:1', version: 2 };
      await expectRefused(stores.releases.replace(adopted, NOON), 'external-id-conflict');
      expect(await stores.releases.replace({ ...adopted, externalId: 'host:2' }, NOON)).to.equal(true);
      expect((await again.releases.byId(other.id))?.externalId).to.equal('host:2');
    });

    it('replaces only the version before', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const next: Release = { ...release, state: 'shipped', shippedAt: NOON, note: 'done', version: 2 };
      expect(await stores.releases.replace({ ...next, version: 3 }, NOON)).to.equal(false);
      expect(await again.releases.byId(release.id)).to.deep.equal(release);
      expect(await stores.releases.replace(next, NOON)).to.equal(true);
      expect(await stores.releases.replace(next, NOON)).to.equal(false);
      expect(await stores.releases.replace(sampleRelease(release.projectId, { version: 2 }), NOON)).to.equal(false);
      expect(await again.releases.byId(release.id)).to.deep.equal(next);
    });

    it('has one active release in a project', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const second = await storedRelease(stores, project.id);
      const activated: Release = { ...second, state: 'active', startsAt: NOON, version: 2 };
      await expectRefused(stores.releases.replace(activated, NOON), 'release-active');
      expect(await again.releases.activeOf(project.id)).to.deep.equal(release);
      await stores.releases.replace({ ...release, state: 'planned', version: 2 }, NOON);
      expect(await again.releases.activeOf(project.id)).to.equal(undefined);
      expect(await stores.releases.replace(activated, NOON)).to.equal(true);
      expect(await again.releases.activeOf(project.id)).to.deep.equal(activated);
    });

    it('activates one of two at once', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const two = [await storedRelease(stores, project.id), await storedRelease(stores, project.id)];
      const outcomes = await Promise.allSettled(
        two.map((release) => stores.releases.replace({ ...release, state: 'active', startsAt: 1, version: 2 }, NOON)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
      expect(ids(two)).to.include((await again.releases.activeOf(project.id))?.id);
    });

    it('lists newest first, by state, page by page, undisturbed by newer ones', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const listed: Release[] = [];
      for (const day of [0, 1, 1, 2, 3]) {
        const state = day === 2 ? 'canceled' : 'planned';
        listed.unshift(await storedRelease(stores, project.id, { createdAt: NOON + day * DAY, state }));
      }
      const addNewer = async () => void (await storedRelease(stores, project.id, { createdAt: NOON + 9 * DAY }));
      const all = await walk((page) => again.releases.page({ projectId: project.id }, page), 2, addNewer);
      expect(all).to.deep.equal(listed);
      const ended = { projectId: project.id, states: ['canceled', 'shipped'] } as const;
      const canceled = await walk((page) => again.releases.page(ended, page), 1);
      expect(canceled).to.deep.equal(listed.filter(({ state }) => state === 'canceled'));
    });

    it('sorts by creation, name or target, either way round, those without a target last', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const add = (name: string, day: number, targetAt: number | null) =>
        storedRelease(stores, project.id, { name, createdAt: NOON + day * DAY, targetAt });
      const b = await add('2.4 beta', 0, NOON + DAY);
      const never = await add('10', 1, null);
      const same = await add('Zebra', 2, NOON + DAY);
      const first = await add('apple', 3, 0);
      const open = await add('ärger', 4, null);
      const last = await add('😀', 5, Date.UTC(9999, 11, 31, 23, 59, 59, 998));
      const upwards = {
        created: [b, never, same, first, open, last],
        name: [never, b, same, first, open, last],
        target: [first, b, same, last, never, open],
      } as const;
      const downwards = {
        created: upwards.created.toReversed(),
        name: upwards.name.toReversed(),
        target: [last, same, b, first, open, never],
      } as const;
      const listed = (order: ReleaseOrder, limit: number) =>
        walk((page) => again.releases.page({ projectId: project.id }, page, order), limit);
      for (const by of ['created', 'name', 'target'] as const)
        for (const limit of [1, 2, 5, 200]) {
          expect(await listed({ by, descending: false }, limit), by).to.deep.equal(upwards[by]);
          expect(await listed({ by, descending: true }, limit), by).to.deep.equal(downwards[by]);
        }
    });

    it('finds those of its project whose name holds every word, in any case', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const add = (name: string, over: Partial<Release> = {}) => storedRelease(stores, project.id, { name, ...over });
      const umlaut = await add('ÄRGER 2.4 (100%)', { targetAt: NOON });
      const dotted = await add('2.4.1', { state: 'canceled', targetAt: NOON + 1 });
      const plain = await add('214');
      await storedRelease(stores, (await storedProject(stores)).project.id, { name: '2.4' });
      const found = async (text: string, over: Partial<ReleaseFilter> = {}) => {
        const filter = { projectId: project.id, text: searchTextOf(text), ...over };
        return ids(await walk((page) => again.releases.page(filter, page, { by: 'target', descending: false }), 2));
      };
      expect(await found('2.4')).to.deep.equal(ids([umlaut, dotted]));
      expect(await found('ärger 2')).to.deep.equal(ids([umlaut]));
      expect(await found('0%')).to.deep.equal(ids([umlaut]));
      expect(await found('4')).to.deep.equal(ids([umlaut, dotted, plain]));
      expect(await found('2.4', { states: ['canceled', 'shipped'] })).to.deep.equal(ids([dotted]));
      expect(await found('_')).to.deep.equal([]);
    });

    it('keeps the first frozen report to the letter', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      expect(await again.releases.frozen(release.id)).to.equal(undefined);
      const report = sampleReport(release.id);
      await stores.releases.freeze(release.id, report);
      await stores.releases.freeze(release.id, { ...report, frozenAt: NOON + DAY });
      expect(await again.releases.frozen(release.id)).to.deep.equal(report);
    });
  });

  describe('release windows', () => {
    it('hold their start and not their end', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const shipped = await storedRelease(stores, project.id, {
        state: 'shipped',
        startsAt: NOON,
        shippedAt: NOON + 9,
        createdAt: NOON - 1,
      });
      const canceled = await storedRelease(stores, project.id, {
        state: 'canceled',
        startsAt: NOON + 5,
        canceledAt: NOON + 7,
        createdAt: NOON - 2,
      });
      await storedRelease(stores, project.id, { state: 'canceled', canceledAt: NOON + 7 });
      const parked = await storedRelease(stores, project.id, {
        state: 'planned',
        startsAt: NOON + 6,
        createdAt: NOON - 3,
      });
      await storedActiveRelease(stores);
      const at = async (moment: number) => ids(await again.releases.windowsAt(project.id, moment));
      expect(await at(NOON - 1)).to.deep.equal([]);
      expect(await at(NOON)).to.deep.equal([shipped.id]);
      expect(await at(NOON + 6)).to.deep.equal([shipped.id, canceled.id, parked.id]);
      expect(await at(NOON + 7)).to.deep.equal([shipped.id, parked.id]);
      expect(await at(NOON + 9)).to.deep.equal([parked.id]);
      expect(await again.releases.windowsAt(project.id, NOON)).to.deep.equal([
        { id: shipped.id, name: shipped.name, startsAt: NOON, endsAt: NOON + 9, shippedAt: NOON + 9 },
      ]);
      const others = (release: typeof shipped, moment: number) => again.releases.countOtherWindows(release, moment);
      expect([await others(shipped, NOON - 1), await others(shipped, NOON + 7)]).to.deep.equal([2, 1]);
      expect([await others(parked, NOON + 8), await others(parked, NOON + 9)]).to.deep.equal([1, 0]);
    });
  });
};
