import { type ChecklistItem, DEFAULT_TEMPLATE, type Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { ids } from './expectations.js';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON, sampleEvidence, sampleId, sampleItem, sampleRelease } from './sample-records.js';
import { revisionOf, storedProject, storedRelease } from './sample-world.js';

const KEYS = ['docs', 'feature_flag', 'rollback'];
const REMOVAL = { removedAt: NOON, removedBy: 'Ada' };

/** A release with the three items every release starts with. */
const storedChecklist = async (stores: Stores) => {
  const { project } = await storedProject(stores);
  const release = sampleRelease(project.id);
  const items = KEYS.map((key, position) => sampleItem(release.id, { key, position }));
  await stores.releases.create(release, items.toReversed());
  const [docs, flag, rollback] = items;
  if (docs === undefined || flag === undefined || rollback === undefined) throw new Error('three items expected');
  return { release, items, docs, flag, rollback };
};

/** ChecklistStore. */
export const checklistsContract = (opened: Opened): void => {
  describe('checklists', () => {
    it('are read in list order', async () => {
      const { stores, again } = opened();
      const { release, items, flag } = await storedChecklist(stores);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal(items);
      expect(await again.checklists.byId(flag.id)).to.deep.equal(flag);
      expect(await again.checklists.byId(sampleId())).to.equal(undefined);
      expect(await again.checklists.ofRelease(sampleId())).to.deep.equal([]);
    });

    it('grow at the end, with a key of their own', async () => {
      const { stores, again } = opened();
      const { release, items } = await storedChecklist(stores);
      const added = await stores.checklists.add(sampleItem(release.id, { key: 'docs', title: AWKWARD, position: 0 }));
      expect(added.key).to.match(/^docs[-_]?\d+$/);
      expect(added.position).to.equal(3);
      const other = await stores.checklists.add(sampleItem(release.id, { key: 'docs', position: 77 }));
      expect(new Set(['docs', added.key, other.key]).size).to.equal(3);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal([...items, added, other]);
    });

    it('begin at place 0 when there was no item', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id);
      const added = await stores.checklists.add(sampleItem(release.id, { position: 4 }));
      expect(added.position).to.equal(0);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal([added]);
    });

    it('keep their order when an item in the middle is gone', async () => {
      const { stores, again } = opened();
      const { release, docs, flag, rollback } = await storedChecklist(stores);
      expect(await stores.checklists.remove(flag.id, REMOVAL)).to.equal(true);
      expect(await stores.checklists.remove(flag.id, REMOVAL)).to.equal(false);
      const added = await stores.checklists.add(sampleItem(release.id));
      expect(ids(await again.checklists.ofRelease(release.id))).to.deep.equal([docs.id, rollback.id, added.id]);
    });

    it('replace title, state and mark of the version before, and nothing else', async () => {
      const { stores, again } = opened();
      const { docs } = await storedChecklist(stores);
      const evidence = sampleEvidence();
      await stores.checklists.addEvidence(docs.id, evidence);
      const changed = {
        title: AWKWARD,
        state: 'not_applicable',
        mark: { reason: AWKWARD, markedBy: 'Eve', markedAt: NOON + MINUTE, confirmedBy: null, confirmedAt: null },
        version: 3,
        updatedAt: NOON + 2 * MINUTE,
        updatedBy: 'Eve',
      } as const;
      const other = { key: 'other', position: 9, evidence: [], origin: 'template', removal: REMOVAL } as const;
      const next: ChecklistItem = { ...docs, ...changed, ...other };
      expect(await stores.checklists.replace({ ...next, version: 2 })).to.equal(false);
      expect(await stores.checklists.replace({ ...next, version: 4 })).to.equal(false);
      expect(await stores.checklists.replace(next)).to.equal(true);
      expect(await stores.checklists.replace(next)).to.equal(false);
      expect(await again.checklists.byId(docs.id)).to.deep.equal({ ...docs, ...changed, evidence: [evidence] });
      const confirmed = { ...changed.mark, confirmedBy: AWKWARD, confirmedAt: NOON + 3 * MINUTE };
      await stores.checklists.replace({ ...next, mark: confirmed, version: 4 });
      expect((await again.checklists.byId(docs.id))?.mark).to.deep.equal(confirmed);
      await stores.checklists.replace({ ...next, state: 'open', mark: null, version: 5 });
      expect((await again.checklists.byId(docs.id))?.mark).to.equal(null);
    });

    it('collect evidence, oldest first, each as a change by the person who added it', async () => {
      const { stores, again } = opened();
      const { docs } = await storedChecklist(stores);
      const late = sampleEvidence({ addedAt: NOON + 2 * MINUTE, label: AWKWARD });
      const early = sampleEvidence({ addedAt: NOON + MINUTE, addedBy: AWKWARD });
      const twin = sampleEvidence({ addedAt: NOON + 2 * MINUTE });
      for (const evidence of [late, early, twin]) {
        expect(await stores.checklists.addEvidence(docs.id, evidence)).to.equal(true);
      }
      expect(await stores.checklists.addEvidence(sampleId(), sampleEvidence())).to.equal(false);
      const item = await again.checklists.byId(docs.id);
      expect(item?.evidence).to.deep.equal([early, late, twin]);
      expect(item?.version).to.equal(4);
      expect(item?.updatedBy).to.equal('Ada');
      expect(item?.updatedAt).to.equal(twin.addedAt);
    });

    it('lose evidence once, as a change of the item', async () => {
      const { stores, again } = opened();
      const { docs, flag } = await storedChecklist(stores);
      const evidence = sampleEvidence();
      await stores.checklists.addEvidence(docs.id, evidence);
      const at = NOON + 3 * MINUTE;
      expect(await stores.checklists.removeEvidence(flag.id, evidence.id, at, 'Eve')).to.equal(false);
      expect(await stores.checklists.removeEvidence(docs.id, evidence.id, at, 'Eve')).to.equal(true);
      expect(await stores.checklists.removeEvidence(docs.id, evidence.id, at, 'Eve')).to.equal(false);
      expect(await again.checklists.byId(docs.id)).to.deep.equal({
        ...docs,
        version: 3,
        updatedAt: at,
        updatedBy: 'Eve',
      });
      expect(await again.checklists.byId(flag.id)).to.deep.equal(flag);
    });

    it('keep a removed item aside with its evidence, and put it back to its place', async () => {
      const { stores, again } = opened();
      const { release, docs, flag, rollback } = await storedChecklist(stores);
      const evidence = sampleEvidence();
      await stores.checklists.addEvidence(docs.id, evidence);
      const removal = { removedAt: NOON + 2 * MINUTE, removedBy: AWKWARD };
      expect(await stores.checklists.remove(docs.id, removal)).to.equal(true);
      const { removedAt: updatedAt, removedBy: updatedBy } = removal;
      const removed = { ...docs, evidence: [evidence], version: 3, updatedAt, updatedBy, removal };
      expect(await again.checklists.byId(docs.id)).to.deep.equal(removed);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal([flag, rollback]);
      expect(await again.checklists.removedOf(release.id)).to.deep.equal([removed]);
      expect(await stores.checklists.restore(flag.id, NOON, 'Ada')).to.equal(false);
      expect(await stores.checklists.restore(sampleId(), NOON, 'Ada')).to.equal(false);
      expect(await stores.checklists.restore(docs.id, NOON + 3 * MINUTE, 'Eve')).to.equal(true);
      expect(await stores.checklists.restore(docs.id, NOON + 4 * MINUTE, 'Eve')).to.equal(false);
      const restored = { ...removed, version: 4, updatedAt: NOON + 3 * MINUTE, updatedBy: 'Eve', removal: null };
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal([restored, flag, rollback]);
      expect(await again.checklists.removedOf(release.id)).to.deep.equal([]);
    });

    it('leave a removed item unchanged, and its key taken', async () => {
      const { stores, again } = opened();
      const { release, docs } = await storedChecklist(stores);
      const evidence = sampleEvidence();
      await stores.checklists.addEvidence(docs.id, evidence);
      await stores.checklists.remove(docs.id, REMOVAL);
      const before = await again.checklists.byId(docs.id);
      expect(await stores.checklists.replace({ ...docs, version: 4 })).to.equal(false);
      expect(await stores.checklists.addEvidence(docs.id, sampleEvidence())).to.equal(false);
      expect(await stores.checklists.removeEvidence(docs.id, evidence.id, NOON, 'Ada')).to.equal(false);
      expect(await again.checklists.byId(docs.id)).to.deep.equal(before);
      const added = await stores.checklists.add(sampleItem(release.id, { key: 'docs' }));
      expect(added.key).to.match(/^docs[-_]2$/);
    });

    it('are counted with those that were removed', async () => {
      const { stores, again } = opened();
      const { release, docs } = await storedChecklist(stores);
      const { release: other } = await storedChecklist(stores);
      const count = (await again.checklists.ofRelease(release.id)).length;
      await stores.checklists.addEvidence(docs.id, sampleEvidence());
      await stores.checklists.remove(docs.id, REMOVAL);
      expect(await again.checklists.count(release.id)).to.equal(count);
      expect(await again.checklists.countEvidence(release.id)).to.equal(1);
      expect(await again.checklists.countEvidence(other.id)).to.equal(0);
      await stores.checklists.add(sampleItem(release.id));
      expect(await again.checklists.count(release.id)).to.equal(count + 1);
      expect(await again.checklists.count(other.id)).to.equal(count);
    });

    it('purge what was removed before a moment, of closed releases only', async () => {
      const { stores, again } = opened();
      const open = await storedChecklist(stores);
      const closed = await storedChecklist(stores);
      const { release, docs, flag, rollback } = closed;
      await stores.checklists.addEvidence(docs.id, sampleEvidence());
      for (const { id } of [docs, open.docs]) await stores.checklists.remove(id, REMOVAL);
      await stores.checklists.remove(flag.id, { ...REMOVAL, removedAt: NOON + MINUTE });
      const canceled = { ...release, state: 'canceled', canceledAt: NOON, version: 2 } as const;
      await stores.releases.replace(canceled, NOON);
      const revision = await revisionOf(again, release.id);
      await stores.checklists.purgeRemoved(NOON);
      expect(ids(await again.checklists.removedOf(release.id))).to.deep.equal([docs.id, flag.id]);
      expect(await stores.checklists.purgeRemoved(NOON + MINUTE)).to.be.at.least(1);
      expect(ids(await again.checklists.removedOf(release.id))).to.deep.equal([flag.id]);
      expect(await again.checklists.byId(docs.id)).to.equal(undefined);
      expect(await again.checklists.ofRelease(release.id)).to.deep.equal([rollback]);
      expect(ids(await again.checklists.removedOf(open.release.id))).to.deep.equal([open.docs.id]);
      expect(await revisionOf(again, release.id)).to.equal(revision);
    });

    it('start with the default template until it is replaced, version by version', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const { project: other } = await storedProject(stores);
      const { checklists } = stores;
      expect(await again.checklists.template(project.id)).to.deep.equal(DEFAULT_TEMPLATE);
      const second = { titles: [AWKWARD, 'Docs'], version: 2, changedAt: NOON, changedBy: AWKWARD };
      expect(await checklists.replaceTemplate(project.id, { ...second, version: 1 })).to.equal(false);
      expect(await checklists.replaceTemplate(project.id, { ...second, version: 3 })).to.equal(false);
      expect(await checklists.replaceTemplate(project.id, second)).to.equal(true);
      expect(await checklists.replaceTemplate(project.id, second)).to.equal(false);
      expect(await again.checklists.template(project.id)).to.deep.equal(second);
      const third = { titles: [], version: 3, changedAt: NOON + MINUTE, changedBy: 'Ada' };
      expect(await checklists.replaceTemplate(project.id, { ...third, version: 4 })).to.equal(false);
      expect(await checklists.replaceTemplate(project.id, third)).to.equal(true);
      expect(await again.checklists.template(project.id)).to.deep.equal(third);
      expect(await again.checklists.template(other.id)).to.deep.equal(DEFAULT_TEMPLATE);
    });

    it('mark their release with every change, and not when nothing changed', async () => {
      const { stores, again } = opened();
      const { release, docs } = await storedChecklist(stores);
      const { release: bystander } = await storedChecklist(stores);
      const { checklists } = stores;
      const evidence = sampleEvidence();
      const before = await revisionOf(again, bystander.id);
      let last = await revisionOf(again, release.id);
      const changes: (() => Promise<unknown>)[] = [
        () => checklists.add(sampleItem(release.id)),
        () => checklists.replace({ ...docs, state: 'done', version: 2 }),
        () => checklists.addEvidence(docs.id, evidence),
        () => checklists.removeEvidence(docs.id, evidence.id, NOON, 'Ada'),
        () => checklists.remove(docs.id, REMOVAL),
        () => checklists.restore(docs.id, NOON, 'Ada'),
      ];
      for (const change of changes) {
        await change();
        const next = await revisionOf(again, release.id);
        expect(next).to.be.above(last);
        last = next;
      }
      await checklists.replace({ ...docs, version: 2 });
      await checklists.restore(docs.id, NOON, 'Ada');
      await checklists.remove(sampleId(), REMOVAL);
      expect(await revisionOf(again, release.id)).to.equal(last);
      expect(await revisionOf(again, bystander.id)).to.equal(before);
    });
  });
};
