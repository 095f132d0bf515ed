import type { ImportedIssue, Issue, IssueEvent, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { type Database, knexStores } from '../../src/knex/index.js';
import { NOON, sampleIssue } from '../contract/sample-records.js';
import { storedActiveRelease, storedIssue } from '../contract/sample-world.js';
import { counted } from './counted.js';
import { withNew } from './opened.js';

const KINDS = ['SQLite', 'PostgreSQL'] as const;

const event = (issue: Issue, kind: IssueEvent['kind'], at: number): IssueEvent => ({
  issueId: issue.id,
  releaseId: issue.releaseId,
  at,
  kind,
  type: issue.type,
});

const historyOf = async ({ access }: Database, { id }: Issue): Promise<readonly string[]> => {
  const rows = await access.read<{ kind: string; at: number }>(
    'select kind, at from issue_events where issue_id = ? order by place',
    [id],
  );
  return rows.map(({ kind, at }) => `${kind} ${at - NOON}`);
};

const importNew = async (stores: Stores, projectId: string, releaseId: string, count: number) => {
  const changes = Array.from({ length: count }, (_, turn): ImportedIssue => {
    const issue = sampleIssue(projectId, { releaseId, externalId: `${count}:${turn}` });
    return { before: null, issue, events: [event(issue, 'added', NOON)], wholeHistory: true };
  });
  await stores.issues.import(changes);
  return changes.map(({ issue }) => issue);
};

const importChanged = (stores: Stores, issues: readonly Issue[]): Promise<void> =>
  stores.issues.import(
    issues.map((before) => {
      const issue: Issue = { ...before, state: 'done', version: before.version + 1 };
      return { before, issue, events: [event(issue, 'done', NOON + 1)], wholeHistory: true };
    }),
  );

describe('importing issues into a database', () => {
  for (const kind of KINDS) {
    it(`rewrites on ${kind} a history that is told whole, and adds to one that is not`, () =>
      withNew(kind, async ({ database, stores }) => {
        const { project, release } = await storedActiveRelease(stores);
        const stored: Issue[] = [];
        for (let count = 0; count < 3; count += 1) {
          const issue = sampleIssue(project.id, { releaseId: release.id });
          stored.push(await storedIssue(stores, project.id, issue, [event(issue, 'added', NOON)]));
        }
        const [whole, part, bystander] = stored;
        if (whole === undefined || part === undefined || bystander === undefined) throw new Error('three expected');
        const events = (issue: Issue) => [event(issue, 'reopened', NOON + 2), event(issue, 'done', NOON + 1)];
        await stores.issues.import(
          [whole, part].map((before) => {
            const issue: Issue = { ...before, state: 'done', version: 2 };
            return { before, issue, events: events(issue), wholeHistory: before === whole };
          }),
        );
        expect(await historyOf(database, whole)).to.deep.equal(['reopened 2', 'done 1']);
        expect(await historyOf(database, part)).to.deep.equal(['added 0', 'reopened 2', 'done 1']);
        expect(await historyOf(database, bystander)).to.deep.equal(['added 0']);
      }));

    it(`takes as many statements on ${kind} for one as for hundreds`, () =>
      withNew(kind, async ({ database }) => {
        const watched = counted(database);
        const stores = knexStores(watched.database);
        const { project, release } = await storedActiveRelease(stores);
        const costs: number[][] = [];
        for (const count of [1, 10, 300]) {
          const begun = watched.statements();
          const issues = await importNew(stores, project.id, release.id, count);
          const between = watched.statements();
          await importChanged(stores, issues);
          costs.push([between - begun, watched.statements() - between]);
        }
        const [first = []] = costs;
        expect(costs).to.deep.equal([first, first, first]);
        expect(Math.max(...first)).to.be.at.most(7);
      }));
  }
});
