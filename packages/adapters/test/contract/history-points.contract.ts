import type { HistoryPoint, Stores } from '@shipworthy/domain';
import type { RecordedPoint } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { FAR_FUTURE, HOUR, MINUTE, NOON, SECOND, sampleId } from './sample-records.js';
import { samplePoint, sampleRecorded } from './sample-report.js';
import { storedActiveRelease } from './sample-world.js';

/** Settles the points at once, as if the release had changed. */
const storePoints = async (stores: Stores, points: readonly RecordedPoint[]): Promise<void> => {
  const wanted = new Set(points.map(({ releaseId }) => releaseId));
  while (wanted.size > 0) {
    const claimed = await stores.history.claim(FAR_FUTURE, 200, HOUR);
    if (claimed.length === 0) throw new Error('the releases were expected to be dirty');
    for (const dirty of claimed) {
      const mine = points.filter(({ releaseId }) => releaseId === dirty.releaseId);
      // Due again at once, so that more points can be stored.
      await stores.history.settle(dirty, mine, wanted.delete(dirty.releaseId) ? NOON : null);
    }
  }
};

const shown = (points: readonly RecordedPoint[]): readonly HistoryPoint[] =>
  points.map(({ revision, snapshot, ...point }) => point);

/** HistoryStore: the points of trends and what they were made of. */
export const historyPointsContract = (opened: Opened): void => {
  describe('points of a trend', () => {
    it('are read oldest first, page by page, to the last digit', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const points = [0, 1, 2, 60, 3600].map((seconds) => samplePoint(release.id, NOON + seconds * SECOND + 123));
      await storePoints(stores, points);
      for (const limit of [1, 2, 5, 200]) {
        expect(await walk((page) => again.history.page(release.id, page), limit)).to.deep.equal(shown(points));
      }
      expect(await walk((page) => again.history.page(sampleId(), page), 5)).to.deep.equal([]);
    });

    it('keep the scores of own axes beside those of the five', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const ownAxes = [
        { axis: 'security', score: 96 },
        { axis: 'translations', score: null },
      ];
      const points = [{ ...samplePoint(release.id, NOON), ownAxes }, samplePoint(release.id, NOON + MINUTE)];
      await storePoints(stores, points);
      expect(await walk((page) => again.history.page(release.id, page), 5)).to.deep.equal(shown(points));
    });

    it('are one per second: the latest one is kept', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const offsets = [0, 1, 999, 1000, 1999];
      const points = offsets.map((offset) => samplePoint(release.id, NOON + offset, offset / 100));
      await storePoints(stores, points);
      const kept = await walk((page) => again.history.page(release.id, page), 10);
      expect(kept).to.deep.equal(shown([points[2], points[4]].flatMap((point) => point ?? [])));
      const policy = await stores.policies.current(project.id);
      if (policy === undefined) throw new Error('the project was expected to have a policy');
      const last = sampleRecorded(release.id, NOON + 1999, policy);
      await storePoints(stores, [last]);
      expect(await again.history.latest([release.id])).to.deep.equal([last]);
    });

    it('answer the last of each release, oldest first, in the order asked', async () => {
      const { stores, again } = opened();
      const { release: one } = await storedActiveRelease(stores);
      const { release: two } = await storedActiveRelease(stores);
      const { release: none } = await storedActiveRelease(stores);
      const pointsOf = (id: string, count: number) =>
        Array.from({ length: count }, (_, index) => samplePoint(id, NOON + index * MINUTE));
      await storePoints(stores, [...pointsOf(one.id, 5), ...pointsOf(two.id, 1)]);
      const last = await again.history.last([two.id, none.id, one.id, sampleId()], 2);
      expect(last).to.deep.equal([shown(pointsOf(two.id, 1)), [], shown(pointsOf(one.id, 5).slice(3)), []]);
      expect(await again.history.last([one.id, two.id], 1)).to.deep.equal([
        shown(pointsOf(one.id, 5).slice(4)),
        shown(pointsOf(two.id, 1)),
      ]);
      expect(await again.history.last([], 2)).to.deep.equal([]);
      const drawn = last.map((points) => points.map(({ at, score }) => ({ at, score })));
      expect(await again.history.trends([two.id, none.id, one.id, sampleId()], 2)).to.deep.equal(drawn);
      expect(await again.history.trends([one.id, one.id], 9)).to.deep.equal(
        Array.from({ length: 2 }, () => pointsOf(one.id, 5).map(({ at, score }) => ({ at, score }))),
      );
      expect(await again.history.trends([], 2)).to.deep.equal([]);
      const recorded = await again.history.latest([two.id, none.id, one.id]);
      const newest = recorded.map((point) => point && { at: point.at, score: point.score, revision: point.revision });
      expect(await again.history.newest([two.id, none.id, one.id])).to.deep.equal(newest);
      expect(newest[1]).to.equal(undefined);
      expect(newest[2]?.at).to.equal(NOON + 4 * MINUTE);
    });

    it('hold all they were made of, with the policy of that time', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const first = await stores.policies.current(project.id);
      if (first === undefined) throw new Error('the project was expected to have a policy');
      const policy = { ...DEFAULT_POLICY, threshold: 70.25, environments: ['production'] };
      const second = { policy, version: first.version + 1, changedAt: NOON + 5, changedBy: 'Ada' };
      await stores.policies.add(project.id, second);
      const points = [
        samplePoint(release.id, NOON),
        sampleRecorded(release.id, NOON + MINUTE + 500, first),
        sampleRecorded(release.id, NOON + HOUR, second),
      ];
      await storePoints(stores, points);
      expect(await again.history.latest([sampleId(), release.id])).to.deep.equal([undefined, points[2]]);
      expect(await again.history.latest([])).to.deep.equal([]);
      const asked = [
        NOON - 1,
        NOON,
        NOON + MINUTE + 499,
        NOON + MINUTE + 500,
        NOON + HOUR - 1,
        NOON + HOUR,
        FAR_FUTURE,
      ];
      const found = await Promise.all(asked.map((at) => again.history.pointAt(release.id, at)));
      expect(found).to.deep.equal([undefined, points[0], points[0], points[1], points[1], points[2], points[2]]);
      expect(await again.history.pointAt(sampleId(), NOON)).to.equal(undefined);
    });
  });
};
