import { type ListedGateChange, type Stores, searchTextOf } from '@shipworthy/domain';
import { expect } from 'chai';
import { ids, walk } from './expectations.js';
import type { Open, Opened } from './open-stores.js';
import { HOUR, MINUTE, NOON, sampleId, unique } from './sample-records.js';
import { sampleGateChange } from './sample-report.js';
import { storedActiveRelease, storedRelease, storedUser, undone } from './sample-world.js';

const ALL = { limit: 100, after: null };

const listed = async (stores: Stores, ...teamIds: readonly string[]): Promise<readonly ListedGateChange[]> =>
  (await stores.gateChanges.page(teamIds, ALL)).rows;

const idsOf = async (stores: Stores, ...teamIds: readonly string[]): Promise<readonly string[]> =>
  (await listed(stores, ...teamIds)).map(({ id }) => id);

/** GateChangeStore. */
export const gateChangesContract = (opened: Opened, open: Open): void => {
  describe('changes of gates', () => {
    it('are listed with the names of today, the one noted last first, page by page', async () => {
      const { stores, again } = opened();
      const { team, project, release } = await storedActiveRelease(stores);
      const first = sampleGateChange(project, release, { at: NOON + HOUR });
      const second = sampleGateChange(project, release, { before: 'hold', after: 'go', reason: null });
      const third = sampleGateChange(project, release, { before: 'go', after: 'unknown' });
      await stores.gateChanges.append([first, second], NOON);
      await stores.gateChanges.append([third], NOON);
      const name = unique('renamed');
      await stores.projects.replace({ ...project, name, version: project.version + 1 }, NOON);
      const all = await listed(again, team.id);
      const { projectId, releaseId, ...kept } = third;
      expect(all[0]).to.deep.equal({
        ...kept,
        project: { id: projectId, name },
        release: { id: releaseId, name: release.name },
        notedAt: all[0]?.notedAt,
      });
      expect(all.map(({ id }) => id)).to.deep.equal([third.id, second.id, first.id]);
      const page = await again.gateChanges.page([team.id], { limit: 2, after: null });
      expect(page.rows).to.deep.equal(all.slice(0, 2));
      expect(page.next).to.deep.equal([all[1]?.notedAt]);
      const rest = await again.gateChanges.page([team.id], { limit: 2, after: page.next });
      expect(rest).to.deep.equal({ rows: all.slice(2), next: null });
    });

    it('are found by words of project and release, in any case, page by page', async () => {
      const { stores, again } = opened();
      const { team, project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const changes = [release, other, release].map((each) => sampleGateChange(project, each));
      for (const change of changes) await stores.gateChanges.append([change], NOON);
      const found = async (words: string) =>
        ids(await walk((page) => again.gateChanges.page([team.id], page, searchTextOf(words)), 1));
      const [first, second, third] = changes.map(({ id }) => id);
      expect(await found(project.name.toUpperCase())).to.deep.equal([third, second, first]);
      expect(await found(`${release.name} ${project.name}`)).to.deep.equal([third, first]);
      expect(await found(other.name)).to.deep.equal([second]);
      for (const words of ['%', '_', 'no such name', `${release.name} ${other.name}`])
        expect(await found(words), words).to.deep.equal([]);
    });

    it('are listed of the teams asked for, without archived projects and teams', async () => {
      const { stores, again } = opened();
      const [one, two] = [await storedActiveRelease(stores), await storedActiveRelease(stores)];
      const changes = [one, two].map(({ project, release }) => sampleGateChange(project, release));
      await stores.gateChanges.append(changes, NOON);
      const [first, second] = changes.map(({ id }) => id);
      const both = [one.team.id, two.team.id];
      expect(await idsOf(again, one.team.id)).to.deep.equal([first]);
      expect(await idsOf(again, ...both)).to.deep.equal([second, first]);
      expect(await idsOf(again, sampleId())).to.deep.equal([]);
      expect(await idsOf(again)).to.deep.equal([]);
      const { project, team } = one;
      await stores.projects.replace({ ...project, archivedAt: NOON, version: project.version + 1 }, NOON);
      expect(await idsOf(again, ...both)).to.deep.equal([second]);
      expect(await again.gateChanges.countAfter(both, 0, 9)).to.equal(1);
      await stores.teams.replace({ ...two.team, archivedAt: NOON, version: team.version + 1 });
      expect(await idsOf(again, ...both)).to.deep.equal([]);
      expect(await again.gateChanges.countAfter(both, 0, 9)).to.equal(0);
    });

    it('are noted at moments of their own, in the order in which they can be seen', async () => {
      const { stores, again } = opened();
      const { team, project, release } = await storedActiveRelease(stores);
      const [early, late] = [sampleGateChange(project, release), sampleGateChange(project, release)];
      let other: Promise<unknown> = Promise.resolve();
      await stores.transaction(async (inside) => {
        await inside.gateChanges.append([early], NOON + MINUTE);
        // By a clock that is behind, while the first transaction is still open.
        other = again.gateChanges.append([late], NOON);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await other;
      expect(await idsOf(again, team.id)).to.deep.equal([late.id, early.id]);
      const many = Array.from({ length: 12 }, () => sampleGateChange(project, release));
      const halves = [many.slice(0, 6), many.slice(6)];
      await Promise.all([stores, again].map(({ gateChanges }, half) => gateChanges.append(halves[half] ?? [], NOON)));
      const moments = (await listed(again, team.id)).map(({ notedAt }) => notedAt);
      expect(new Set(moments).size).to.equal(14);
      expect(moments.at(-1)).to.be.at.least(NOON + MINUTE);
    });

    it('are not there when their transaction is undone', async () => {
      const { stores, again } = opened();
      const { team, project, release } = await storedActiveRelease(stores);
      await undone(stores, async (inside) => {
        await inside.gateChanges.append([sampleGateChange(project, release)], NOON);
      });
      expect(await idsOf(again, team.id)).to.deep.equal([]);
    });

    it('are counted from a moment on, up to a number', async () => {
      const { stores, again } = opened();
      const { team, project, release } = await storedActiveRelease(stores);
      const changes = Array.from({ length: 5 }, () => sampleGateChange(project, release));
      await stores.gateChanges.append(changes, NOON);
      const [, second] = await listed(again, team.id);
      const laterThan = (moment: number, most: number) => again.gateChanges.countAfter([team.id], moment, most);
      expect(await laterThan(0, 9)).to.equal(5);
      expect(await laterThan(0, 3)).to.equal(3);
      expect(await laterThan(second?.notedAt ?? 0, 9)).to.equal(1);
      expect(await laterThan((second?.notedAt ?? 0) + 1, 9)).to.equal(0);
    });

    it('are read by each person up to a moment, which begins with the account', async () => {
      const { stores, again } = opened();
      const [one, two] = [await storedUser(stores), await storedUser(stores)];
      expect(await again.gateChanges.readUpTo(one.id)).to.equal(one.createdAt);
      await stores.gateChanges.setReadUpTo(one.id, NOON + HOUR);
      expect(await again.gateChanges.readUpTo(one.id)).to.equal(NOON + HOUR);
      await stores.gateChanges.setReadUpTo(one.id, NOON + 1);
      expect(await again.gateChanges.readUpTo(one.id)).to.equal(NOON + 1);
      expect(await again.gateChanges.readUpTo(two.id)).to.equal(two.createdAt);
      expect(await again.gateChanges.readUpTo(sampleId())).to.equal(undefined);
    });

    it('are removed for their age', async () => {
      const { stores, again, close } = await open();
      try {
        const { team, project, release } = await storedActiveRelease(stores);
        const [old, young] = [sampleGateChange(project, release), sampleGateChange(project, release)];
        await stores.gateChanges.append([old], NOON);
        await stores.gateChanges.append([young], NOON + HOUR);
        expect(await stores.gateChanges.removeBefore(NOON + HOUR)).to.equal(1);
        expect(await idsOf(again, team.id)).to.deep.equal([young.id]);
        expect(await stores.gateChanges.removeBefore(NOON + HOUR)).to.equal(0);
      } finally {
        await close();
      }
    });
  });
};
