import { invalid, notFound } from '@shipworthy/domain';
import {
  type HostAccess,
  type HostAccount,
  type HostRepository,
  type RepositoryHost,
  webAddress,
} from '@shipworthy/domain/ports';
import { type Fields, fieldsOf, type GitlabApi, rowsIn, text, textOrNull, unexpectedJson, wholeNumber } from './api.js';

const webUrlOf = (fields: Fields): string => {
  const url = webAddress(text(fields, 'web_url'));
  if (url === null) throw unexpectedJson();
  return url;
};

/** Converts a project. One that only signed-in people see counts as private. An empty one gets the branch `main`. */
const repositoryOf = (fields: Fields): HostRepository => ({
  id: String(wholeNumber(fields, 'id')),
  path: text(fields, 'path_with_namespace'),
  url: webUrlOf(fields),
  private: textOrNull(fields, 'visibility') !== 'public',
  archived: fields.archived === true,
  defaultBranch: textOrNull(fields, 'default_branch') ?? 'main',
});

const accountOf = (fields: Fields): HostAccount => ({
  id: String(wholeNumber(fields, 'id')),
  name: text(fields, 'username'),
});

const pageNumber = (page: string | null): number => {
  if (page === null) return 1;
  if (/^[1-9]\d{0,6}$/.test(page)) return Number(page);
  throw invalid([{ pointer: '/page', code: 'invalid', message: 'page is not one that was given out' }]);
};

/** Scopes that write nothing. Every other scope, also one that GitLab adds later, counts as writing. */
const READING_SCOPES = /^(?:read_\w+|openid|profile|email)$/;

/**
 * The account of a grant, and the projects that the account is a member of. `isOwn`: whether the grant is a token that the
 * person made; an approved grant is for `read_api` only.
 */
export const gitlabProjects = (
  api: GitlabApi,
  isOwn: (access: HostAccess) => boolean,
): Pick<RepositoryHost, 'account' | 'mayWrite' | 'repositories' | 'repository'> => ({
  mayWrite: async (access) => {
    if (!isOwn(access)) return false;
    const { body } = await api.getFull(access, { path: ['personal_access_tokens', 'self'], what: 'token' });
    const { scopes } = fieldsOf(body);
    if (!Array.isArray(scopes)) return null;
    return scopes.some((scope) => typeof scope !== 'string' || !READING_SCOPES.test(scope));
  },
  account: async (access) => {
    const reply = await api.getFull(access, { path: ['user'], what: null });
    return accountOf(fieldsOf(reply.body));
  },
  repositories: async (access, { text: wanted, limit, page }) => {
    const search = wanted === null ? {} : { search: wanted, search_namespaces: 'true' };
    const query = {
      membership: 'true',
      order_by: 'path',
      sort: 'asc',
      ...search,
      per_page: limit,
      page: pageNumber(page),
    };
    const { body, nextPage } = await api.getFull(access, { path: ['projects'], query, what: null });
    // GitLab also finds projects with the text in their name or description only; these are left out.
    const sought = wanted?.toLowerCase() ?? '';
    const rows = rowsIn(body).map(repositoryOf);
    return {
      rows: rows.filter((row) => row.path.toLowerCase().includes(sought)),
      next: nextPage === null ? null : String(nextPage),
    };
  },
  repository: async (access, name) => {
    const isId = typeof name !== 'string';
    const key = isId ? name.id : name;
    // A path without an owner would be taken for an id, or for the list of all.
    if (isId ? !/^[1-9]\d{0,15}$/.test(key) : !key.includes('/')) throw notFound('repository');
    const reply = await api.getFull(access, { path: ['projects', key], what: 'repository' });
    return repositoryOf(fieldsOf(reply.body));
  },
});
