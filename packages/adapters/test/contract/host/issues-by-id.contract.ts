import type { HostAccess, HostIssue, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { whole } from './whole-reading.js';

const AT = Date.UTC(2026, 2, 3);
const SECOND = 1000;

/** Looking for issues that may not be there any more. */
export const issuesByIdContract = (open: OpenHost): void => {
  describe('issues by id', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
    });
    const allOf = async (repository: RepositoryIdentity): Promise<readonly HostIssue[]> =>
      (await whole((request) => staged().host.reader.issues(access(), repository, request))).rows;
    const found = async (repository: RepositoryIdentity, ids: readonly string[]): Promise<readonly HostIssue[]> =>
      (await staged().host.reader.issuesById(access(), repository, ids)).rows;
    const titles = (rows: readonly HostIssue[]) => rows.map(({ title }) => title).sort();

    it('are the same as in lists', async () => {
      const repository = staged().world.repository({ path: 'by-id/same' });
      const milestone = staged().world.milestone(repository, { title: '1.0' });
      const issue = staged().world.issue(repository, { title: 'a', at: AT, labels: ['bug'], milestone });
      staged().world.close(issue, 'completed', AT + SECOND);
      const all = await allOf(repository);
      expect(await found(repository, [all[0]?.id ?? ''])).to.deep.equal(all);
      expect(await found(repository, [])).to.deep.equal([]);
    });

    it('are missing when they were deleted, moved elsewhere, or never there', async () => {
      const { world } = staged();
      const repository = world.repository({ path: 'by-id/gone' });
      const other = world.repository({ path: 'by-id/other' });
      world.issue(repository, { title: 'stays', at: AT });
      const deleted = world.issue(repository, { title: 'deleted', at: AT + SECOND });
      const moved = world.issue(repository, { title: 'moved', at: AT + 2 * SECOND });
      world.issue(other, { title: 'of another', at: AT });
      const ids = [...(await allOf(repository)), ...(await allOf(other))].map(({ id }) => id);
      expect(ids).to.have.length(4);
      expect(titles(await found(repository, ids))).to.deep.equal(['deleted', 'moved', 'stays']);
      world.deleteIssue(deleted);
      world.transferIssue(moved, other, AT + 3 * SECOND);
      const left = await found(repository, ids);
      // A host that keeps a trace of what moved shows it as work that is not done here.
      const traces = staged().gives.issuesGone ? [] : left.filter(({ closedAs }) => closedAs === 'not_planned');
      expect(titles(left)).to.deep.equal([...titles(traces), 'stays']);
      expect(titles(traces)).to.deep.equal(staged().gives.issuesGone ? [] : ['moved']);
    });

    it('are looked for a hundred at once', async () => {
      const repository = staged().world.repository({ path: 'by-id/hundred' });
      for (let i = 0; i < 100; i += 1) {
        staged().world.issue(repository, { title: `i${i}`, at: AT + i * SECOND });
      }
      const ids = (await allOf(repository)).map(({ id }) => id);
      const asked = staged().requests().length;
      expect(await found(repository, ids)).to.have.length(100);
      expect(staged().requests().length - asked).to.be.at.most(2);
    });
  });
};
