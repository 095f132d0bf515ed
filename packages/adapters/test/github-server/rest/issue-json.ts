import { type Addresses, stamp, stampOrNull } from '../addresses.js';
import { fullName, type Issue, type Milestone } from '../records.js';
import { accountJson } from './account-json.js';

/** A number for a text, the same every time. */
const numberFor = (text: string): number => {
  let sum = 17;
  for (const sign of text) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000_007;
  return sum;
};

export const milestoneJson = (addresses: Addresses, milestone: Milestone) => {
  const { repository, number } = milestone;
  const url = `${addresses.apiUrl}/repos/${fullName(repository)}/milestones/${number}`;
  const count = (state: Issue['state']): number =>
    repository.issues.filter((issue) => issue.milestone === milestone && issue.state === state).length;
  return {
    url,
    html_url: `${addresses.webUrl}/${fullName(repository)}/milestone/${number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: milestone.nodeId,
    number,
    title: milestone.title,
    description: null,
    creator: accountJson(addresses, milestone.creator),
    open_issues: count('open'),
    closed_issues: count('closed'),
    state: milestone.state,
    created_at: stamp(milestone.createdAt),
    updated_at: stamp(milestone.updatedAt),
    due_on: stampOrNull(milestone.dueOn),
    closed_at: stampOrNull(milestone.closedAt),
  };
};

/** An issue or a pull request as the list of issues shows it. */
export const issueJson = (addresses: Addresses, issue: Issue) => {
  const repositoryUrl = `${addresses.apiUrl}/repos/${fullName(issue.repository)}`;
  const url = `${repositoryUrl}/issues/${issue.number}`;
  const page = `${addresses.webUrl}/${fullName(issue.repository)}`;
  const pull = `${repositoryUrl}/pulls/${issue.number}`;
  const pullPage = `${page}/pull/${issue.number}`;
  const named = (id: number, name: string) => ({ id, node_id: `N_${id}`, name, description: null });
  return {
    url,
    repository_url: repositoryUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: issue.pullRequest ? pullPage : `${page}/issues/${issue.number}`,
    id: issue.id,
    node_id: issue.nodeId,
    number: issue.number,
    title: issue.title,
    user: accountJson(addresses, issue.author),
    labels: issue.labels.map((name) => ({
      ...named(numberFor(name), name),
      url: `${repositoryUrl}/labels/${encodeURIComponent(name)}`,
      color: 'ededed',
      default: false,
    })),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: issue.milestone === null ? null : milestoneJson(addresses, issue.milestone),
    comments: 0,
    created_at: stamp(issue.createdAt),
    updated_at: stamp(issue.updatedAt),
    closed_at: stampOrNull(issue.closedAt),
    author_association: 'MEMBER',
    type: issue.type === null ? null : named(numberFor(issue.type), issue.type),
    active_lock_reason: null,
    body: null,
    ...(issue.pullRequest
      ? {
          pull_request: { url: pull, html_url: pullPage, diff_url: `${pullPage}.diff`, patch_url: `${pullPage}.patch` },
        }
      : {}),
  };
};
