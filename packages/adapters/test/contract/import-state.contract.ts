import { type ImportState, LEAST_PAUSE, type LinkedRepository, type Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { storedConnection, storedLink } from './sample-host.js';
import { AWKWARD, MINUTE, NOON, sampleIssue, unique } from './sample-records.js';
import { revisionOf, storedRelease } from './sample-world.js';

/** A link that is due at noon, and the claim of who is at it. */
const claimedLink = async (stores: Stores, over: Partial<ImportState> = {}) => {
  const connection = await storedConnection(stores);
  const linked = await storedLink(stores, connection, over);
  const claim = await stores.hostConnections.claimWork(connection.host, NOON, MINUTE, unique('lease'));
  if (claim === undefined) throw new Error('nothing claimed');
  const hurry = (from: Stores, suspectIssueIds: readonly string[] = []) =>
    from.repositoryLinks.hurryLink(linked.link.id, NOON + 1, suspectIssueIds);
  const save = (from: Stores, next: Partial<ImportState>, seen: ImportState, now = NOON) =>
    from.repositoryLinks.save(claim, { ...linked, state: { ...seen, ...next } }, seen, now);
  const stored = async (from: Stores): Promise<ImportState> => {
    const found = await from.repositoryLinks.byId(linked.link.id);
    if (found === undefined) throw new Error('the link is gone');
    return found.state;
  };
  return { connection, linked, claim, hurry, save, stored };
};

const RUNNING = { startedAt: NOON, dueAt: NOON };
const OVER = { startedAt: null, completedAt: NOON, dueAt: NOON + 15 * MINUTE };

/** RepositoryLinkStore: the state of an import, stored by the worker that claimed it. */
export const importStateContract = (opened: Opened): void => {
  describe('the state of an import', () => {
    it('is stored with the repository as it is called now, and nothing else of the link', async () => {
      const { stores, again } = opened();
      const { linked, claim } = await claimedLink(stores);
      const repository = { ...linked.link.repository, path: AWKWARD, url: 'https://else', defaultBranch: 'trunk' };
      const checkpoint = { stage: 'issues', page: AWKWARD, reading: null, marks: {} } as const;
      const state: ImportState = { ...linked.state, ...RUNNING, checkpoint };
      const link = { ...linked.link, repository };
      const given: LinkedRepository = { link: { ...link, linkedBy: 'else' }, state };
      expect(await stores.repositoryLinks.save(claim, given, linked.state, NOON)).to.equal(true);
      expect(await again.repositoryLinks.byId(link.id)).to.deep.equal({ link, state });
    });

    it('is not stored once another worker claimed the connection', async () => {
      const { stores, again } = opened();
      const { linked, connection, save, stored } = await claimedLink(stores);
      await again.hostConnections.claimWork(connection.host, NOON + MINUTE, MINUTE, unique('lease'));
      expect(await save(stores, OVER, linked.state)).to.equal(false);
      expect(await stored(again)).to.deep.equal(linked.state);
    });

    it('is not stored once the connection was made anew or removed', async () => {
      const { stores, again } = opened();
      for (const change of ['put', 'remove'] as const) {
        const { linked, connection, save, stored } = await claimedLink(stores);
        await again.hostConnections[change](connection);
        expect(await save(stores, OVER, linked.state)).to.equal(false);
        expect((await stored(again)).completedAt).to.equal(null);
      }
    });

    it('is not stored once the link is gone, was put anew, or is another person’s', async () => {
      const { stores, again } = opened();
      const { linked, claim, save } = await claimedLink(stores);
      const other = await claimedLink(stores);
      expect(await stores.repositoryLinks.save(other.claim, linked, linked.state, NOON)).to.equal(false);
      expect(await stores.repositoryLinks.save({ ...claim, lease: 'else' }, linked, linked.state, NOON)).to.equal(
        false,
      );
      const id = sampleIssue('').id;
      const next = { link: { ...linked.link, id }, state: { ...linked.state, linkId: id } };
      await again.repositoryLinks.put(next);
      expect(await save(stores, OVER, linked.state)).to.equal(false);
      expect(await again.repositoryLinks.ofProject(linked.link.projectId)).to.deep.equal(next);
      await again.repositoryLinks.remove(id, NOON);
      expect(await stores.repositoryLinks.save(claim, next, next.state, NOON)).to.equal(false);
    });

    it('undoes the transaction of a page whose claim was lost, when asked to', async () => {
      const { stores, again } = opened();
      const { linked, connection, claim } = await claimedLink(stores);
      await again.hostConnections.put(connection);
      const issue = sampleIssue(linked.link.projectId, { externalId: 'host:I_1' });
      const lost = new Error('the claim was lost');
      const page = stores.transaction(async (inside) => {
        await inside.issues.import([{ before: null, issue, events: [], wholeHistory: true }]);
        if (!(await inside.repositoryLinks.save(claim, linked, linked.state, NOON))) throw lost;
      });
      expect(await page.catch((error: unknown) => error)).to.equal(lost);
      expect(await again.issues.byId(issue.id)).to.equal(undefined);
    });

    it('marks the releases that become pending or are no longer, with it and at its moment', async () => {
      const { stores, again } = opened();
      const { linked, save, stored } = await claimedLink(stores);
      const { projectId } = linked.link;
      const [one, two, other] = [
        await storedRelease(stores, projectId),
        await storedRelease(stores, projectId),
        await storedRelease(stores, projectId),
      ];
      const revisions = async () =>
        (await again.facts.revisions([one.id, two.id, other.id])).map((each) => each?.revision);
      await save(stores, { ...RUNNING, pendingReleaseIds: [one.id, two.id] }, linked.state);
      expect((await stored(again)).pendingReleaseIds).to.deep.equal([one.id, two.id]);
      expect(await revisions()).to.deep.equal([2, 2, 1]);
      await save(stores, { ...RUNNING, pendingReleaseIds: [two.id, sampleIssue('').id] }, await stored(stores));
      expect(await revisions()).to.deep.equal([3, 2, 1]);
      const state = await stored(stores);
      await save(stores, { ...RUNNING, pendingReleaseIds: [] }, state, NOON + 3 * MINUTE);
      expect((await stored(again)).pendingReleaseIds).to.deep.equal([]);
      expect(await revisions()).to.deep.equal([3, 3, 1]);
      expect((await again.facts.revisions([two.id]))[0]?.changedAt).to.equal(NOON + 3 * MINUTE);
      await save(stores, OVER, await stored(stores), NOON + 4 * MINUTE);
      expect(await revisions()).to.deep.equal([3, 3, 1]);
    });

    it('marks none when it is not stored', async () => {
      const { stores, again } = opened();
      const { linked, connection, save } = await claimedLink(stores);
      const release = await storedRelease(stores, linked.link.projectId);
      await again.hostConnections.put(connection);
      expect(await save(stores, { ...RUNNING, pendingReleaseIds: [release.id] }, linked.state)).to.equal(false);
      expect(await revisionOf(again, release.id)).to.equal(1);
    });

    it('keeps suspects that came since it was seen', async () => {
      const { stores, again } = opened();
      const { linked, hurry, save, stored } = await claimedLink(stores, { suspectIssueIds: ['a', 'b'] });
      await hurry(again, ['b', 'c']);
      await save(stores, { ...RUNNING, suspectIssueIds: ['b', 'd'] }, linked.state);
      expect((await stored(again)).suspectIssueIds).to.have.members(['b', 'c', 'd']);
    });

    it('is due again after the least pause when it was hurried during a run, with any saves in between', async () => {
      const { stores, again } = opened();
      for (const when of ['before the first page', 'between pages', 'before the last page'] as const) {
        const { linked, hurry, save, stored } = await claimedLink(stores);
        if (when === 'before the first page') await hurry(again);
        await save(stores, RUNNING, linked.state);
        if (when === 'between pages') await hurry(again);
        await save(stores, RUNNING, await stored(stores));
        const seen = await stored(stores);
        if (when === 'before the last page') await hurry(again);
        await save(stores, OVER, seen);
        expect((await stored(again)).dueAt, when).to.equal(NOON + LEAST_PAUSE);
        await save(stores, OVER, await stored(again));
        expect((await stored(again)).dueAt, when).to.equal(OVER.dueAt);
      }
    });

    it('is due after the least pause when it was hurried during a run of one page', async () => {
      const { stores, again } = opened();
      const { linked, hurry, save, stored } = await claimedLink(stores);
      await hurry(again);
      await save(stores, OVER, linked.state);
      expect((await stored(again)).dueAt).to.equal(NOON + LEAST_PAUSE);
    });

    it('waits as long as an attempt that failed says, although it was hurried before that', async () => {
      const { stores, again } = opened();
      const { linked, hurry, save, stored } = await claimedLink(stores);
      await save(stores, RUNNING, linked.state);
      await hurry(again);
      await save(stores, { ...RUNNING, dueAt: NOON + MINUTE }, await stored(stores));
      expect((await stored(again)).dueAt).to.equal(NOON + MINUTE);
      await save(stores, OVER, await stored(stores));
      expect((await stored(again)).dueAt).to.equal(NOON + MINUTE);
    });

    it('is due when its run says, when it was hurried before that only', async () => {
      const { stores, again } = opened();
      const { hurry, save, stored } = await claimedLink(stores);
      await hurry(again);
      await save(stores, RUNNING, await stored(stores));
      await save(stores, OVER, await stored(stores));
      expect((await stored(again)).dueAt).to.equal(OVER.dueAt);
    });
  });
};
