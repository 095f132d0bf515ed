import type { AxisReport } from '@shipworthy/domain';
import type { AxisReportFilter } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, DAY, NOON, sampleAxisReport, sampleId, unique } from './sample-records.js';
import { inputsOf, revisionOf, storedActiveRelease, storedProject, storedRelease } from './sample-world.js';

/** AxisReportStore, and the facts that are made of it. */
export const axisReportsContract = (opened: Opened): void => {
  const stored = async (report: AxisReport): Promise<AxisReport> => {
    await opened().stores.axisReports.add([report]);
    return report;
  };

  describe('reports of own axes', () => {
    it('come back to the letter and to the last digit', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const full = await stored(
        sampleAxisReport(release, {
          axis: 'a1_of_any_length_up_to_forty_characters',
          part: 2 ** 31 - 1,
          whole: 2 ** 31 - 1,
          explanation: AWKWARD,
          url: 'https://example.org/findings/1',
          measuredAt: NOON + 1,
          recordedAt: NOON + 2,
          recordedBy: AWKWARD,
          external: { id: unique(AWKWARD), fingerprint: 'b'.repeat(64) },
        }),
      );
      const bare = await stored(sampleAxisReport(release, { part: 0, whole: null }));
      const asked = [bare.id, sampleId(), full.id, bare.id];
      expect(await again.axisReports.byIds(asked)).to.deep.equal([bare, undefined, full, bare]);
      expect(await again.axisReports.byIds([])).to.deep.equal([]);
      const external = full.external?.id ?? '';
      const known = (projectId: string, axis: string) =>
        again.axisReports.byExternalIds(projectId, axis, ['none', external, external]);
      expect(await known(project.id, full.axis)).to.deep.equal([undefined, full, full]);
      expect(await known(project.id, 'security')).to.deep.equal([undefined, undefined, undefined]);
      expect(await known(sampleId(), full.axis)).to.deep.equal([undefined, undefined, undefined]);
      expect(await again.axisReports.byExternalIds(project.id, full.axis, [])).to.deep.equal([]);
    });

    it('are listed by axis, release and time, latest first, undisturbed by later ones', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const expected: AxisReport[] = [];
      for (const [measured, recorded] of [
        [0, 9],
        [5, 5],
        [5, 6],
        [5, 6],
      ] as const)
        expected.unshift(
          await stored(sampleAxisReport(release, { measuredAt: NOON + measured, recordedAt: NOON + recorded })),
        );
      await stored(sampleAxisReport(release, { axis: 'translations' }));
      const elsewhere = await stored(sampleAxisReport(other, { measuredAt: NOON - 1 }));
      await stored(sampleAxisReport((await storedActiveRelease(stores)).release));
      const later = async () => void (await stored(sampleAxisReport(release, { measuredAt: NOON + DAY })));
      const list = (over: Partial<AxisReportFilter>, between?: () => Promise<void>) =>
        walk((page) => again.axisReports.page({ projectId: project.id, axis: 'security', ...over }, page), 3, between);
      const measured = { from: NOON, to: NOON + 5 };
      expect(await list({ measured })).to.deep.equal(expected.slice(-1));
      expect(await list({ measured: { from: NOON - 1, to: NOON + DAY } })).to.deep.equal([...expected, elsewhere]);
      expect(await list({}, later)).to.deep.equal([...expected, elsewhere]);
      expect(await list({ releaseId: other.id })).to.deep.equal([elsewhere]);
      expect(await list({ releaseId: release.id, measured })).to.deep.equal(expected.slice(-1));
      expect(await list({ axis: 'translations' })).to.have.lengthOf(1);
      expect(await list({ axis: 'nothing' })).to.deep.equal([]);
      expect(await list({ projectId: sampleId() })).to.deep.equal([]);
    });

    it('are added together as one after the other, each of its release and axis', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const other = await storedRelease(stores, project.id);
      const before = [await revisionOf(again, release.id), await revisionOf(again, other.id)];
      const report = (part: number, measured: number, over: Partial<AxisReport> = {}) =>
        sampleAxisReport(release, { part, measuredAt: NOON + measured, ...over });
      const all = [report(1, 3), report(2, 5), report(3, 4), report(4, 1, { axis: 'translations' })];
      await stores.axisReports.add([...all, report(5, 2, { releaseId: other.id })]);
      await stores.axisReports.add([]);
      expect(await again.axisReports.byIds(all.map(({ id }) => id))).to.deep.equal(all);
      const { facts } = await inputsOf(again, release.id);
      expect([facts.ownAxes?.security?.part, facts.ownAxes?.translations?.part]).to.deep.equal([2, 4]);
      expect((await inputsOf(again, other.id)).facts.ownAxes?.security?.part).to.equal(5);
      const after = [await revisionOf(again, release.id), await revisionOf(again, other.id)];
      expect(after.map((revision, place) => revision - (before[place] ?? 0))).to.deep.equal([4, 1]);
    });

    it('have a latest one: by measuredAt, then recordedAt, then id', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const report = (part: number, measured: number, recorded: number) =>
        stored(sampleAxisReport(release, { part, measuredAt: NOON + measured, recordedAt: NOON + recorded }));
      const latest = async () => {
        const [found] = await again.axisReports.latest([
          { projectId: release.projectId, releaseId: release.id, axis: 'security', before: null },
        ]);
        const fact = (await inputsOf(again, release.id)).facts.ownAxes?.security;
        expect(fact?.part).to.equal(found?.part);
        return found?.part;
      };
      expect(await latest()).to.equal(undefined);
      const all = [await report(11, 10, 20), await report(12, 9, 99)];
      expect(await latest()).to.equal(11);
      all.push(await report(13, 10, 21));
      expect(await latest()).to.equal(13);
      all.push(await report(14, 10, 21));
      expect(await latest()).to.equal(14);
      all.push(await report(15, 10, 20));
      expect(await latest()).to.equal(14);
      const lookup = { projectId: release.projectId, releaseId: release.id, axis: 'security' };
      const parts = async (...before: readonly (AxisReport | null)[]) =>
        (await again.axisReports.latest(before.map((one) => ({ ...lookup, before: one })))).map((found) => found?.part);
      expect(await again.axisReports.latest([{ ...lookup, axis: 'translations', before: null }])).to.deep.equal([
        undefined,
      ]);
      expect(await parts(null, ...all)).to.deep.equal([14, 12, undefined, 15, 13, 11]);
    });

    it('answer when the latest of each project was recorded, of any axis and release, in the order asked', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { project: none } = await storedProject(stores);
      const other = await storedRelease(stores, project.id);
      await stored(sampleAxisReport(release, { measuredAt: NOON, recordedAt: NOON + 99 }));
      await stored(sampleAxisReport(other, { axis: 'translations', measuredAt: NOON + 2, recordedAt: NOON + 7 }));
      await stored(sampleAxisReport(release, { measuredAt: NOON + 1, recordedAt: NOON + 50 }));
      const found = await again.axisReports.lastRecorded([none.id, project.id, sampleId()]);
      expect(found).to.deep.equal([undefined, NOON + 7, undefined]);
      expect(await again.axisReports.lastRecorded([])).to.deep.equal([]);
    });

    it('of a shipped release have the latest of those that were recorded before it shipped', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const inTime = await stored(sampleAxisReport(release, { recordedAt: NOON + 9, measuredAt: NOON + 1 }));
      const shipped = { ...release, state: 'shipped', shippedAt: NOON + 10, version: release.version + 1 } as const;
      expect(await stores.releases.replace(shipped, NOON + 10)).to.equal(true);
      await stored(sampleAxisReport(release, { recordedAt: NOON + 10, measuredAt: NOON + 2 }));
      const lookup = { projectId: release.projectId, releaseId: release.id, axis: 'security' };
      const late = sampleAxisReport(release, { measuredAt: NOON + 3 });
      const asked = [null, late, inTime].map((before) => ({ ...lookup, before }));
      expect(await again.axisReports.latest(asked)).to.deep.equal([inTime, inTime, undefined]);
    });

    it('are facts of their release, and mark it as changed', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const { release: other } = await storedActiveRelease(stores);
      expect((await inputsOf(again, release.id)).facts).to.not.have.property('ownAxes');
      const before = await revisionOf(again, release.id);
      const recordedAt = NOON + 7;
      const translations = { axis: 'translations', part: 0, whole: null, explanation: AWKWARD } as const;
      const { id } = await stored(sampleAxisReport(release, { ...translations, recordedAt }));
      await stored(sampleAxisReport(release, { url: 'https://example.org/1', recordedAt: NOON + 6 }));
      const ownAxes = {
        security: { part: 48, whole: 50, explanation: null, url: 'https://example.org/1', measuredAt: NOON },
        translations: { part: 0, whole: null, explanation: AWKWARD, url: null, measuredAt: NOON },
      };
      const { facts, revision, policy } = await inputsOf(again, release.id);
      expect(facts.ownAxes).to.deep.equal(ownAxes);
      expect(Object.keys(facts.ownAxes ?? {})).to.deep.equal(['security', 'translations']);
      expect([revision.revision, revision.changedAt]).to.deep.equal([before + 2, NOON + 7]);
      const [under] = await again.facts.factsUnder([release.id], policy.policy);
      expect(under?.ownAxes).to.deep.equal(ownAxes);
      expect((await inputsOf(again, other.id)).facts.ownAxes).to.equal(undefined);
      const page = { limit: 9, after: null };
      const { rows } = await again.history.moves(
        release.id,
        { revision: before, at: NOON },
        { revision: before + 1, at: NOON },
        page,
      );
      const move = { kind: 'axis_report', id, at: recordedAt, what: ['recorded'], axes: ['translations'], title: null };
      expect(rows).to.deep.equal([move]);
    });

    it('are taken back with the transaction they were added in', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const report = sampleAxisReport(release);
      const undone = stores.transaction(async (inside) => {
        await inside.axisReports.add([report]);
        throw new Error('undone');
      });
      await undone.catch(() => undefined);
      expect(await again.axisReports.byIds([report.id])).to.deep.equal([undefined]);
      expect((await inputsOf(again, release.id)).facts.ownAxes).to.equal(undefined);
    });
  });
};
