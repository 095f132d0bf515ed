import type { Issue, IssueEvent, IssueStore } from '@shipworthy/domain';
import { mark } from './mark.js';
import { pageDown } from './order.js';
import type { TableAccess } from './table-access.js';
import type { Tables } from './tables.js';

const isOpen = ({ state }: Issue): boolean => state === 'todo' || state === 'in_progress';

const store = (
  tables: Tables,
  issue: Issue,
  events: readonly IssueEvent[],
  releases: Iterable<string | null>,
): void => {
  tables.issues.put(issue.id, issue);
  tables.issueEvents.put(issue.id, [...(tables.issueEvents.get(issue.id) ?? []), ...events]);
  for (const releaseId of releases) {
    if (releaseId !== null) mark(tables, releaseId, 'issue', issue.id, issue.updatedAt);
  }
};

export const issueStore = ({ read, change }: TableAccess): IssueStore => ({
  create: (issue, events) => change((tables) => store(tables, issue, events, [issue.releaseId])),
  byId: (issueId) => read(({ issues }) => issues.get(issueId)),
  replace: (next, events) =>
    change((tables) => {
      const before = tables.issues.get(next.id);
      if (before?.version !== next.version - 1) return false;
      store(tables, next, events, new Set([before.releaseId, next.releaseId]));
      return true;
    }),
  page: ({ projectId, releaseId, type, state }, page) =>
    read(({ issues }) => {
      const wanted = issues
        .where('project', projectId)
        .filter(
          (issue) =>
            (releaseId === undefined || issue.releaseId === releaseId) &&
            (type === undefined || issue.type === type) &&
            (state === undefined || issue.state === state),
        );
      return pageDown(wanted, (issue) => [isOpen(issue) ? 1 : 0, issue.createdAt, issue.id], page);
    }),
});
