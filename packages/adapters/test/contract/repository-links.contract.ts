import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleLink, sampleState, storedConnection, storedLink } from './sample-host.js';
import { AWKWARD, DAY, MINUTE, NOON, sampleId, sampleIssue, unique } from './sample-records.js';
import { revisionOf, storedProject, storedRelease } from './sample-world.js';

/** RepositoryLinkStore: links and what the host told; saving has a suite of its own. */
export const repositoryLinksContract = (opened: Opened): void => {
  describe('repository links', () => {
    it('are one of a project, and come back to the letter', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const { link: first } = await storedLink(stores, connection);
      const { projectId, userId, host } = first;
      const link = sampleLink({ projectId, userId, host });
      const mark = { since: NOON - DAY, validator: AWKWARD };
      const state = sampleState(link.id, {
        dueAt: NOON + 1,
        checkpoint: { stage: 'issues', page: AWKWARD, reading: mark, marks: { milestones: mark } },
        startedAt: NOON,
        completedAt: NOON - 1,
        goneCheckedAt: NOON - 2,
        suspectIssueIds: [AWKWARD, 'I_1'],
        pendingReleaseIds: [sampleId(), sampleId()],
        counts: { milestones: 1, issues: 2, deployments: 3, testRuns: 4 },
        failure: { code: 'host-unavailable', message: AWKWARD, at: NOON, attempts: 2 },
      });
      await stores.repositoryLinks.put({ link, state });
      expect(await again.repositoryLinks.ofProject(projectId)).to.deep.equal({ link, state });
      expect(await again.repositoryLinks.byId(link.id)).to.deep.equal({ link, state });
      expect(await again.repositoryLinks.byId(first.id)).to.equal(undefined);
      expect(await again.repositoryLinks.ofProject(sampleId())).to.equal(undefined);
    });

    it('go, and what was imported stays', async () => {
      const { stores, again } = opened();
      const { link } = await storedLink(stores, await storedConnection(stores));
      const release = await storedRelease(stores, link.projectId, { externalId: 'host:M_1' });
      const issue = sampleIssue(link.projectId, { releaseId: release.id, externalId: 'host:I_1' });
      await stores.issues.import([{ before: null, issue, events: [], wholeHistory: true }]);
      expect(await stores.repositoryLinks.remove(sampleId(), NOON)).to.equal(false);
      expect(await stores.repositoryLinks.remove(link.id, NOON)).to.equal(true);
      expect(await stores.repositoryLinks.remove(link.id, NOON)).to.equal(false);
      expect(await again.repositoryLinks.ofProject(link.projectId)).to.equal(undefined);
      expect(await again.issues.byId(issue.id)).to.deep.equal(issue);
      expect(await again.releases.byId(release.id)).to.deep.equal(release);
    });

    it('are remembered by the repository a project was last linked to, also when they are gone', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const { link } = await storedLink(stores, connection, {}, 'R_1');
      const { projectId, host } = link;
      const bystander = await storedLink(stores, connection, {}, 'R_9');
      await stores.repositoryLinks.remove(link.id, NOON);
      expect(await again.repositoryLinks.lastOf(projectId)).to.deep.equal({ host, repositoryId: 'R_1' });
      const next = sampleLink(link);
      const moved = { ...next, repository: { ...next.repository, id: AWKWARD } };
      await stores.repositoryLinks.put({ link: moved, state: sampleState(moved.id) });
      expect(await again.repositoryLinks.lastOf(projectId)).to.deep.equal({ host, repositoryId: AWKWARD });
      const other = await again.repositoryLinks.lastOf(bystander.link.projectId);
      expect(other).to.deep.equal({ host, repositoryId: 'R_9' });
      expect(await again.repositoryLinks.lastOf((await storedProject(stores)).project.id)).to.equal(undefined);
    });

    it('are found by the connection they are read with', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const other = await storedConnection(stores, { host: connection.host });
      const own = [await storedLink(stores, connection), await storedLink(stores, connection)];
      await storedLink(stores, other);
      const found = await again.repositoryLinks.ofConnection(connection);
      expect(found).to.deep.equal(own.sort((one, two) => (one.link.id < two.link.id ? -1 : 1)));
      expect(await again.repositoryLinks.ofConnection({ ...connection, host: unique('host') })).to.deep.equal([]);
    });

    it('are due in the order they wait, each with its own connection', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const other = await storedConnection(stores, { host: connection.host });
      const late = await storedLink(stores, connection, { dueAt: NOON });
      const early = await storedLink(stores, connection, { dueAt: NOON - MINUTE });
      await storedLink(stores, other, { dueAt: NOON - DAY });
      expect(await again.repositoryLinks.dueOf(connection, NOON)).to.deep.equal(early);
      await stores.repositoryLinks.remove(early.link.id, NOON);
      expect(await again.repositoryLinks.dueOf(connection, NOON)).to.deep.equal(late);
      expect(await again.repositoryLinks.dueOf(connection, NOON - 1)).to.equal(undefined);
    });

    it('are made due earlier one by one, never later, and gather suspects', async () => {
      const { stores, again } = opened();
      const connection = await storedConnection(stores);
      const repositoryId = unique('repository');
      const dueAt = NOON + 9 * MINUTE;
      const one = await storedLink(stores, connection, { dueAt, suspectIssueIds: ['a'] }, repositoryId);
      const two = await storedLink(stores, connection, { dueAt: NOON - MINUTE }, repositoryId);
      const bystander = await storedLink(stores, connection, { dueAt }, repositoryId);
      for (const { link } of [one, two]) await stores.repositoryLinks.hurryLink(link.id, NOON, ['b', 'a', AWKWARD]);
      const stateOf = async (id: string) => (await again.repositoryLinks.byId(id))?.state;
      expect(await stateOf(one.link.id)).to.deep.include({ dueAt: NOON, suspectIssueIds: ['a', 'b', AWKWARD] });
      expect((await stateOf(two.link.id))?.dueAt).to.be.within(NOON - MINUTE - 1, NOON - MINUTE);
      expect(await stateOf(bystander.link.id)).to.deep.equal(bystander.state);
      await stores.repositoryLinks.hurryLink(bystander.link.id, NOON + MINUTE);
      expect(await stateOf(bystander.link.id)).to.deep.equal({ ...bystander.state, dueAt: NOON + MINUTE });
      await stores.repositoryLinks.hurryLink(sampleId(), NOON, ['a']);
    });

    it('lose no suspect when many notices come at once', async () => {
      const { stores, again } = opened();
      const { link } = await storedLink(stores, await storedConnection(stores));
      const suspects = Array.from({ length: 8 }, (_, turn) => `I_${turn}`);
      await Promise.all(
        suspects.map((id, turn) => (turn % 2 ? stores : again).repositoryLinks.hurryLink(link.id, NOON, [id])),
      );
      expect((await again.repositoryLinks.byId(link.id))?.state.suspectIssueIds).to.have.members(suspects);
    });

    it('mark the releases of their project when issues become stale, and only then', async () => {
      const { stores, again } = opened();
      const { link } = await storedLink(stores, await storedConnection(stores));
      const { projectId } = link;
      const release = await storedRelease(stores, projectId);
      const elsewhere = await storedLink(stores, await storedConnection(stores));
      const bystander = await storedRelease(stores, elsewhere.link.projectId);
      const steps = [
        { asOf: null, marked: 0 },
        { asOf: NOON, marked: 1 },
        { asOf: NOON, marked: 1 },
        { asOf: NOON + 1, marked: 2 },
        { asOf: null, marked: 3 },
        { asOf: null, marked: 3 },
      ];
      for (const [minute, { asOf, marked }] of steps.entries()) {
        await stores.repositoryLinks.setIssuesAsOf(projectId, asOf, NOON + minute * MINUTE);
        expect(await revisionOf(again, release.id)).to.equal(1 + marked);
      }
      const [revision] = await again.facts.revisions([release.id]);
      expect(revision?.changedAt).to.equal(NOON + 4 * MINUTE);
      await stores.repositoryLinks.setIssuesAsOf(sampleId(), NOON, NOON);
      expect(await revisionOf(again, bystander.id)).to.equal(1);
    });

    it('mark the releases that become pending or are no longer, also when they go', async () => {
      const { stores, again } = opened();
      const { link, state } = await storedLink(stores, await storedConnection(stores));
      const release = await storedRelease(stores, link.projectId);
      const bystander = await storedRelease(stores, link.projectId);
      const later = { ...link, linkedAt: NOON + MINUTE };
      for (const [pendingReleaseIds, revision] of [
        [[release.id], 2],
        [[release.id], 2],
        [[], 3],
        [[release.id], 4],
      ] as const) {
        await stores.repositoryLinks.put({ link: later, state: { ...state, pendingReleaseIds } });
        expect(await revisionOf(again, release.id)).to.equal(revision);
      }
      expect((await again.facts.revisions([release.id]))[0]?.changedAt).to.equal(NOON + MINUTE);
      await stores.repositoryLinks.remove(link.id, NOON + 2 * MINUTE);
      expect(await revisionOf(again, release.id)).to.equal(5);
      expect((await again.facts.revisions([release.id]))[0]?.changedAt).to.equal(NOON + 2 * MINUTE);
      expect(await revisionOf(again, bystander.id)).to.equal(1);
    });

    it('mark the releases once more when they go while issues are stale', async () => {
      const { stores, again } = opened();
      const { link } = await storedLink(stores, await storedConnection(stores));
      const release = await storedRelease(stores, link.projectId);
      await stores.repositoryLinks.setIssuesAsOf(link.projectId, NOON, NOON);
      await stores.repositoryLinks.remove(link.id, NOON + MINUTE);
      expect(await revisionOf(again, release.id)).to.equal(3);
      expect((await again.facts.revisions([release.id]))[0]?.changedAt).to.equal(NOON + MINUTE);
    });
  });

  describe('deliveries', () => {
    it('are remembered once, by host, however many come at once', async () => {
      const { stores, again } = opened();
      const [host, id] = [unique('host'), unique(AWKWARD)];
      const receive = (turn: number) => (turn % 2 ? stores : again).repositoryLinks.receive(host, id, NOON);
      const received = await Promise.all(Array.from({ length: 8 }, (_, turn) => receive(turn)));
      expect(received.filter((first) => first)).to.have.lengthOf(1);
      expect(await again.repositoryLinks.receive(unique('host'), id, NOON)).to.equal(true);
      expect(await again.repositoryLinks.receive(host, unique('id'), NOON)).to.equal(true);
    });

    it('are forgotten when old', async () => {
      const { stores, again } = opened();
      const long = NOON - 300 * DAY;
      await stores.repositoryLinks.removeDeliveries(long);
      const host = unique('host');
      for (const offset of [-2, -1, 0]) await stores.repositoryLinks.receive(host, `${offset}`, long + offset);
      expect(await stores.repositoryLinks.removeDeliveries(long)).to.equal(2);
      expect(await stores.repositoryLinks.removeDeliveries(long)).to.equal(0);
      expect(await again.repositoryLinks.receive(host, '-1', NOON)).to.equal(true);
      expect(await again.repositoryLinks.receive(host, '0', NOON)).to.equal(false);
    });
  });
};
