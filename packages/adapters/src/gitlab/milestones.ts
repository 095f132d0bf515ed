import type { HostMilestone, RepositoryHost } from '@shipworthy/domain/ports';
import { type Fields, type GitlabApi, momentOrNull, rowsIn, text, textOrNull, wholeNumber } from './api.js';

/**
 * A milestone of a project or of a group above it. Its number is GitLab's id: the numbers people see begin at 1 in each
 * project and each group, so that two milestones of one project's issues may share one. Due is the day's beginning in UTC.
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
