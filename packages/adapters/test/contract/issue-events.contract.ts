import type { IssueEvent, Page, PageKey, Stores } from '@shipworthy/domain';
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

/** What happened in a release, read in pages of so many events. */
const read = async ({ issues }: Stores, releaseId: string, limit: number): Promise<readonly IssueEvent[]> => {
  const events: IssueEvent[] = [];
  let after: PageKey | null = null;
  do {
    const page: Page<IssueEvent> = await issues.eventsOf(releaseId, { limit, after });
    expect(page.rows).to.have.length.at.most(limit);
    events.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return events;
};

/** The same, in one page and in small ones. */
const eventsOf = async (stores: Stores, releaseId: string): Promise<readonly IssueEvent[]> => {
  const events = await read(stores, releaseId, 1000);
  for (const limit of [1, 2, 3]) expect(await read(stores, releaseId, limit)).to.deep.equal(events);
  return events;
};

/** IssueStore.eventsOf. */
export const issueEventsContract = (opened: Opened): void => {
  describe('the history of issues', () => {
    it('is told page by page as it happened, of issues that have left too', async () => {
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
      expect(await eventsOf(again, next.id)).to.deep.equal([joined]);
      expect(await eventsOf(again, release.id)).to.deep.equal([first, added, removed, done]);
      for (const nothing of [empty.id, sampleId()]) expect(await eventsOf(again, nothing)).to.deep.equal([]);
    });

    it('keeps what happened in one moment in the order it was stored', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      const kinds = ['added', 'done', 'reopened', 'canceled', 'removed', 'added', 'done'] as const;
      const events = kinds.map((kind) => ({ ...happened(release.id, NOON, kind), issueId: issue.id }));
      await stores.issues.replace({ ...issue, version: 2 }, events.slice(0, 3));
      await stores.issues.replace({ ...issue, version: 3 }, events.slice(3));
      expect(await eventsOf(again, release.id)).to.deep.equal(events);
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
      expect(await eventsOf(again, release.id)).to.deep.equal(guessed);
      const whole = told([happened(release.id, 0, 'added', 'bug'), happened(release.id, MINUTE, 'done', 'bug')]);
      const second = { ...first, version: 3 };
      await stores.issues.import([{ before: first, issue: second, events: whole, wholeHistory: true }]);
      expect(await eventsOf(again, release.id)).to.deep.equal(whole);
    });
  });
};
