import type {
  HostAccess,
  HostIssue,
  HostMilestone,
  RepositoryHost,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import {
  changedRows,
  type Fields,
  type GitlabApi,
  type GitlabRequest,
  moment,
  momentOrNull,
  rowsIn,
  text,
  textOrNull,
  unexpectedJson,
  wholeNumber,
  within,
} from './api.js';

/** Issues of a project, of every type and state. */
export const gitlabIssues = (api: GitlabApi): Pick<RepositoryHost, 'issues' | 'issuesById'> => ({
  issues: (access, repository, request) =>
    changedRows(api, access, { reading: listOf(repository), rowsOf: async (page) => page.map(issueOf) }, request),
  issuesById: async (access: HostAccess, repository, ids) => {
    const prefix = idOf(repository.id, 0).slice(0, -1);
    const numbers = ids.filter((id) => id.startsWith(prefix)).map((id) => Number(id.slice(prefix.length)));
    const iids = numbers.filter((number) => Number.isSafeInteger(number) && number > 0);
    if (iids.length === 0) return { rows: [], budget: null };
    const list = listOf(repository);
    const reply = await api.getFull(access, { ...list, query: { ...list.query, iids, per_page: 100 } });
    return { rows: rowsIn(reply.body).map(issueOf), budget: reply.budget };
  },
});

const listOf = (repository: RepositoryIdentity): GitlabRequest => ({
  path: ['projects', repository.id, 'issues'],
  query: { scope: 'all', state: 'all' },
  what: 'repository',
});

/** An issue's id: project and number. By GitLab's own id, only administrators can read an issue. */
const idOf = (projectId: string, number: number): string => `${projectId}-${number}`;

/** Severities of incidents; GitLab shows them as S1 to S4. Written like its scoped labels, so that they can be mapped like labels. */
const SEVERITIES = ['critical', 'high', 'medium', 'low'];

const labelsOf = (fields: Fields): readonly string[] => {
  const labels = fields.labels;
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string')) throw unexpectedJson();
  const severity = SEVERITIES.indexOf(textOrNull(fields, 'severity')?.toLowerCase() ?? 'unknown');
  return severity === -1 ? labels : [...labels, `severity::${severity + 1}`];
};

/**
 * Converts an issue. GitLab gives no reason for closing: a closed issue is completed, unless it was moved
 * (`moved_to_id`) or closed as a duplicate (`duplicated_to_id`, or the link `closed_as_duplicate_of`).
 * `history` is null, since GitLab gives it issue by issue only.
 */
const issueOf = (fields: Fields): HostIssue => {
  const number = wholeNumber(fields, 'iid');
  const isClosed = text(fields, 'state') === 'closed';
  const elsewhere = fields.moved_to_id ?? fields.duplicated_to_id ?? within(fields, '_links')?.closed_as_duplicate_of;
  const milestone = within(fields, 'milestone');
  return {
    id: idOf(String(wholeNumber(fields, 'project_id')), number),
    number,
    title: text(fields, 'title'),
    url: text(fields, 'web_url'),
    state: isClosed ? 'closed' : 'open',
    closedAs: isClosed ? ((elsewhere ?? null) === null ? 'completed' : 'not_planned') : null,
    type: (textOrNull(fields, 'issue_type') ?? textOrNull(fields, 'type'))?.toLowerCase() ?? null,
    labels: labelsOf(fields),
    milestoneId: milestone === undefined ? null : String(wholeNumber(milestone, 'id')),
    createdAt: moment(fields, 'created_at'),
    updatedAt: moment(fields, 'updated_at'),
    closedAt: isClosed ? momentOrNull(fields, 'closed_at') : null,
    history: null,
  };
};

/**
 * Milestones, with those of the groups above (`include_ancestors`, since GitLab 16.7). With more pages than one there is no
 * validator: the first page's ETag says nothing about the others.
 */
export const gitlabMilestones = (
  api: GitlabApi,
  webUrl: (path: string) => string,
): Pick<RepositoryHost, 'milestones'> => ({
  milestones: async (access, repository, { page, validator }) => {
    const reply = await api.get(access, {
      path: ['projects', repository.id, 'milestones'],
      query: { state: 'all', include_ancestors: 'true', per_page: 100, page: page ?? 1 },
      what: 'repository',
      validator: page === null ? validator : null,
    });
    if (reply.unchanged) return reply;
    const { nextPage, budget } = reply;
    return {
      unchanged: false,
      rows: rowsIn(reply.body).map((row) => milestoneOf(row, webUrl(repository.path))),
      next: nextPage === null ? null : String(nextPage),
      validator: page === null && nextPage === null ? reply.validator : null,
      budget,
    };
  },
});

/**
 * Converts a milestone of a project or of a group above it. Its number is GitLab's id: the numbers that people see
 * begin at 1 in each project and group, so two milestones may share one. `dueAt` is the day's beginning in UTC.
 */
const milestoneOf = (fields: Fields, repositoryUrl: string): HostMilestone => {
  const id = wholeNumber(fields, 'id');
  return {
    id: String(id),
    number: id,
    title: text(fields, 'title'),
    state: text(fields, 'state') === 'closed' ? 'closed' : 'open',
    dueAt: momentOrNull(fields, 'due_date'),
    url: textOrNull(fields, 'web_url') ?? repositoryUrl,
  };
};
