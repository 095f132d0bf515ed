import type { IssueEvent } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { DAY, HOUR, MINUTE, NOON, sampleId } from './sample-records.js';
import { storedActiveRelease, storedIssue, storedProject, storedRelease } from './sample-world.js';

const happened = (releaseId: string, at: number, kind: IssueEvent['kind'], type: IssueEvent['type'] = 'task') => ({
  releaseId,
  at,
  kind,
  type,
});

/** IssueStore.eventsOf. */
export const issueEventsContract = (opened: Opened): void => {
  describe('the history of issues', () => {
    it('is told release by release as it happened, of issues that have left too', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const next = await storedRelease(stores, project.id);
      const empty = await storedRelease(stores, project.id);
      const late = [happened(release.id, NOON, 'added', 'bug'), happened(release.id, NOON + DAY, 'done', 'bug')];
      const one = await storedIssue(stores, project.id, { releaseId: release.id });
      await stores.issues.replace(
        { ...one, version: 2 },
        late.map((event) => ({ ...event, issueId: one.id })),
      );
      const early = happened(release.id, NOON - HOUR, 'added');
      const two = await storedIssue(stores, project.id, { releaseId: release.id });
      const moved = [early, happened(release.id, NOON + HOUR, 'removed'), happened(next.id, NOON + HOUR, 'added')];
      const told = moved.map((event) => ({ ...event, issueId: two.id }));
      await stores.issues.replace({ ...two, releaseId: next.id, version: 2 }, told);
      const [first, removed, joined] = told;
      const [added, done] = late.map((event) => ({ ...event, issueId: one.id }));
      const asked = [next.id, empty.id, release.id, sampleId()];
      expect(await again.issues.eventsOf(asked)).to.deep.equal([[joined], [], [first, added, removed, done], []]);
      expect(await again.issues.eventsOf([])).to.deep.equal([]);
    });

    it('keeps what happened in one moment in the order it was stored', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      const kinds = ['added', 'done', 'reopened', 'canceled', 'removed', 'added', 'done'] as const;
      const events = kinds.map((kind) => ({ ...happened(release.id, NOON, kind), issueId: issue.id }));
      await stores.issues.replace({ ...issue, version: 2 }, events.slice(0, 3));
      await stores.issues.replace({ ...issue, version: 3 }, events.slice(3));
      expect(await again.issues.eventsOf([release.id])).to.deep.equal([events]);
    });

    it('follows a history that an import writes anew', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id);
      const externalId = sampleId();
      const issue = await storedIssue(stores, project.id, { releaseId: release.id, externalId });
      const told = (events: readonly Omit<IssueEvent, 'issueId'>[]) =>
        events.map((event) => ({ ...event, issueId: issue.id }));
      const guessed = told([happened(release.id, NOON, 'added')]);
      const first = { ...issue, version: 2 };
      await stores.issues.import([{ before: issue, issue: first, events: guessed, wholeHistory: false }]);
      expect(await again.issues.eventsOf([release.id])).to.deep.equal([guessed]);
      const whole = told([happened(release.id, 0, 'added', 'bug'), happened(release.id, MINUTE, 'done', 'bug')]);
      const second = { ...first, version: 3 };
      await stores.issues.import([{ before: first, issue: second, events: whole, wholeHistory: true }]);
      expect(await again.issues.eventsOf([release.id])).to.deep.equal([whole]);
    });
  });
};
