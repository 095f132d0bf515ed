import type { Issue } from '../records.js';
import { sortedIssues } from '../sorted-issues.js';
import { issueJson, milestoneJson } from './issue-json.js';
import { pageOf } from './page-of.js';
import { jsonReply, NOT_FOUND, type Reply, refusal } from './reply.js';
import type { RepositoryCall } from './repository-call.js';

/** Whether a state is the one asked for: open ones unless told. */
const inState = (query: URLSearchParams, state: string): boolean => {
  const wanted = query.get('state') ?? 'open';
  return wanted === 'all' || wanted === state;
};

export const milestonesRoute = ({ addresses, repository, address }: RepositoryCall): Reply => {
  const rows = repository.milestones.filter(({ state }) => inState(address.searchParams, state));
  return pageOf(rows, address, (milestone) => milestoneJson(addresses, milestone));
};

/** Issues and pull requests, as the interface lists them together. */
export const issuesRoute = ({ addresses, repository, address }: RepositoryCall): Reply => {
  const query = address.searchParams;
  const since = query.get('since');
  const after = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(after)) return refusal(422, 'Validation Failed');
  const labels = query.get('labels')?.split(',') ?? [];
  const wanted = (issue: Issue): boolean =>
    inState(query, issue.state) && issue.updatedAt >= after && labels.every((label) => issue.labels.includes(label));
  const ascending = sortedIssues(repository, query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt');
  const rows = ascending.filter(wanted);
  return pageOf(query.get('direction') === 'asc' ? rows : rows.reverse(), address, (issue) =>
    issueJson(addresses, issue),
  );
};

export const issueRoute = ({ addresses, repository, caught: [number] }: RepositoryCall): Reply => {
  const issue = repository.issues.find((one) => String(one.number) === number);
  return issue === undefined ? NOT_FOUND : jsonReply(200, issueJson(addresses, issue));
};
