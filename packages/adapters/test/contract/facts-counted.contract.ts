import type { OwnAxis } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { AWKWARD, HOUR, MINUTE, NOON, sampleEvidence, sampleItem } from './sample-records.js';
import { changePolicy, inputsOf, storedActiveRelease } from './sample-world.js';

const EVIDENCE: OwnAxis = { name: 'evidence', countedFrom: 'checklist_evidence' };
const NOT_APPLICABLE = { state: 'not_applicable' } as const;
const AWAITING = { reason: AWKWARD, markedBy: 'Ben', markedAt: NOON, confirmedBy: null, confirmedAt: null };

/** ReleaseFactsStore: own axes that the service counts. */
export const countedFactsContract = (opened: Opened): void => {
  describe('facts of an own axis that is counted', () => {
    /** An active release with evidence on two of its five items, of which four apply. */
    const proven = async () => {
      const { stores } = opened();
      const world = await storedActiveRelease(stores);
      const { id } = world.release;
      const add = (over: Parameters<typeof sampleItem>[1]) => stores.checklists.add(sampleItem(id, over));
      const confirmed = { ...AWAITING, confirmedBy: 'Ada', confirmedAt: NOON };
      const done = await add({ state: 'done' });
      const open = await add({ state: 'open' });
      const awaiting = await add({ ...NOT_APPLICABLE, mark: AWAITING });
      const left = await add({ ...NOT_APPLICABLE, mark: confirmed });
      const bare = await add({ state: 'done' });
      for (const item of [done, done, awaiting, left])
        await stores.checklists.addEvidence(item.id, sampleEvidence({ addedAt: NOON + MINUTE }));
      return { ...world, done, open, awaiting, bare };
    };
    const counted = async (releaseId: string) => (await inputsOf(opened().again, releaseId)).facts.ownAxes;

    it('are the checklist items with evidence, of all that apply, as of when the release last changed', async () => {
      const { stores, again } = opened();
      const { project, release, open } = await proven();
      await changePolicy(stores, project.id, { ownAxes: [EVIDENCE] });
      const { facts, revision } = await inputsOf(again, release.id);
      const { changedAt: measuredAt } = revision;
      const evidence = { part: 2, whole: 4, explanation: null, url: null, measuredAt };
      expect(facts.ownAxes).to.deep.equal({ evidence });
      await stores.checklists.addEvidence(open.id, sampleEvidence({ addedAt: NOON + 9 * HOUR }));
      expect(await counted(release.id)).to.deep.equal({
        evidence: { ...evidence, part: 3, measuredAt: NOON + 9 * HOUR },
      });
    });

    it('leave out what was removed, evidence as well as items', async () => {
      const { stores } = opened();
      const { project, release, done, awaiting } = await proven();
      await changePolicy(stores, project.id, { ownAxes: [EVIDENCE] });
      await stores.checklists.remove(done.id, { removedAt: NOON + HOUR, removedBy: 'Ada' });
      expect((await counted(release.id))?.evidence).to.include({ part: 1, whole: 3 });
      const [link] = (await stores.checklists.byId(awaiting.id))?.evidence ?? [];
      await stores.checklists.removeEvidence(awaiting.id, link?.id ?? '', NOON + HOUR, 'Ada');
      expect((await counted(release.id))?.evidence).to.include({ part: 0, whole: 3 });
    });

    it('are of nothing where no item applies', async () => {
      const { stores } = opened();
      const { project, release } = await storedActiveRelease(stores);
      await changePolicy(stores, project.id, { ownAxes: [EVIDENCE] });
      expect((await counted(release.id))?.evidence).to.include({ part: 0, whole: null });
    });

    it('follow the policy they are asked for, not the one there is', async () => {
      const { again } = opened();
      const { release } = await proven();
      expect(await counted(release.id)).to.equal(undefined);
      const rules = { environments: null, verification: 'latest_run', ownAxes: [EVIDENCE] } as const;
      const [facts] = await again.facts.factsUnder([release.id], rules);
      expect(facts?.ownAxes?.evidence).to.include({ part: 2, whole: 4 });
      const [reported] = await again.facts.factsUnder([release.id], { ...rules, ownAxes: [{ name: 'evidence' }] });
      expect(reported).not.to.have.property('ownAxes');
    });
  });
};
