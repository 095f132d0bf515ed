import { memoryData, memoryStores } from '@shipworthy/adapters/memory';
import type { Issue, IssueEvent } from '@shipworthy/domain';
import { expect } from 'chai';
import { NOON, sampleIssue } from '../contract/sample-records.js';
import { storedActiveRelease } from '../contract/sample-world.js';

const event = (issue: Issue, kind: IssueEvent['kind']): IssueEvent => ({
  issueId: issue.id,
  releaseId: issue.releaseId,
  at: NOON,
  kind,
  type: issue.type,
});

describe('importing issues into memory', () => {
  it('rewrites a history that is told whole, and adds to one that is not', async () => {
    const data = memoryData();
    const stores = memoryStores({ data });
    const { project, release } = await storedActiveRelease(stores);
    const kinds: string[][] = [];
    for (const wholeHistory of [true, false]) {
      const before = sampleIssue(project.id, { releaseId: release.id });
      await stores.issues.create(before, [event(before, 'added')]);
      const issue: Issue = { ...before, state: 'done', version: 2 };
      await stores.issues.import([{ before, issue, events: [event(issue, 'done')], wholeHistory }]);
      kinds.push((data.tables.issueEvents.get(issue.id) ?? []).map(({ kind }) => kind));
    }
    expect(kinds).to.deep.equal([['done'], ['added', 'done']]);
  });
});
