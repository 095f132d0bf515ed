import { notFound } from '@shipworthy/domain';
import type {
  HostAccess,
  HostAccount,
  HostBudget,
  HostReadRequest,
  HostRepository,
  RepositoryHost,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import {
  type Fields,
  fieldsOf,
  flagOf,
  listField,
  numberInId,
  numberOf,
  ownerAndName,
  pageText,
  placeFrom,
  placeNumber,
  textField,
  webAddressField,
} from './fields.js';
import type { GithubRequests, RouteParameters } from './requests.js';

const PER_PAGE = 100;
/** Most pages of GitHub's list that one page of a search reads, so that it ends in time; the next goes on there. */
const PAGES_PER_SEARCH = 10;

const accountOf = (fields: Fields): HostAccount => ({
  id: String(numberOf(fields, 'id')),
  name: textField(fields, 'login'),
});

const repositoryOf = (fields: Fields): HostRepository => ({
  id: String(numberOf(fields, 'id')),
  path: textField(fields, 'full_name'),
  url: webAddressField(fields, 'html_url'),
  private: flagOf(fields, 'private'),
  archived: fields.archived === true,
  defaultBranch: textField(fields, 'default_branch'),
});

/** Scopes of classic tokens and OAuth apps that write nothing. Every other scope, also a later one, counts as writing. */
const READING_SCOPES = /^(?:read:[\w:]+|user:email|notifications)$/;

/** Whether the scopes of `X-OAuth-Scopes` allow writing; only classic tokens and those of OAuth apps get that header. */
const writesBy = (scopes: string): boolean =>
  scopes
    .split(',')
    .map((scope) => scope.trim())
    .some((scope) => scope !== '' && !READING_SCOPES.test(scope));

/** Whether the account may do more than read in the repository; also true when GitHub does not say. */
const isWritable = ({ permissions }: Fields): boolean => {
  const { push, ...others } = (permissions ?? {}) as Fields;
  return push !== false || ['triage', 'maintain', 'admin'].some((name) => others[name] === true);
};

/** The account and its repositories: those it owns, works on, or reads as a member of an organization. */
export const repositoryLists = (
  requests: GithubRequests,
): Pick<RepositoryHost, 'account' | 'mayWrite' | 'repositories' | 'repository'> => {
  const dataOf = async (...request: Parameters<GithubRequests['get']>): Promise<{ data: unknown; more: boolean }> => {
    const got = await requests.get(...request);
    return got.kind === 'data' ? got : { data: undefined, more: false };
  };
  return {
    account: async (access) => {
      const { data } = await dataOf(access, 'GET /user', {}, { missing: null });
      return accountOf(fieldsOf(data, 'user'));
    },
    mayWrite: async (access) => {
      const { scopes } = await requests.scopesOf(access);
      if (scopes !== null) return writesBy(scopes);
      // For a fine-grained token GitHub gives the account's permissions, not the token's: only "none" is certain.
      const { data, more } = await dataOf(access, 'GET /user/repos', { per_page: PER_PAGE }, { missing: null });
      return more || listField(data, 'repositories').some(isWritable) ? null : false;
    },
    repository: async (access, name) => {
      const missing = { missing: 'repository' };
      const { data } =
        typeof name === 'string'
          ? await dataOf(access, 'GET /repos/{owner}/{repo}', ownerAndName(name), missing)
          : // GitHub itself redirects former paths to this route.
            await dataOf(access, 'GET /repositories/{id}', { id: numberInId(name.id) }, missing);
      return repositoryOf(fieldsOf(data, 'repository'));
    },
    repositories: async (access, { text, limit, page }) => {
      const place = page === null ? { number: 1, skip: 0 } : placeFrom(page);
      let number = placeNumber(place, 'number', 1);
      let skip = placeNumber(place, 'skip', 0);
      const sought = text?.toLowerCase() ?? '';
      const rows: HostRepository[] = [];
      for (let pages = 1; ; pages += 1) {
        const parameters = { sort: 'full_name', direction: 'asc', per_page: PER_PAGE, page: number };
        const { data, more } = await dataOf(access, 'GET /user/repos', parameters, { missing: null });
        const listed = listField(data, 'repositories');
        for (const [index, fields] of listed.entries()) {
          if (index < skip) continue;
          // GitHub's own search would find all public repositories, so the account's list is searched here.
          if (!textField(fields, 'full_name').toLowerCase().includes(sought)) continue;
          if (rows.length === limit) return { rows, next: pageText({ number, skip: index }) };
          rows.push(repositoryOf(fields));
        }
        if (!more) return { rows, next: null };
        number += 1;
        skip = 0;
        if (rows.length === limit || pages === PAGES_PER_SEARCH) return { rows, next: pageText({ number, skip }) };
      }
    },
  };
};

/** @throws DomainError `not-found` when these are the fields of another repository that has taken the path */
export const sameRepository = (fields: Fields, key: 'id' | 'databaseId', { id }: RepositoryIdentity): Fields => {
  if (String(numberOf(fields, key)) !== id) throw notFound('repository');
  return fields;
};

/** The repository of an answer. @throws DomainError `not-found` when there is none, or another one */
export const answeredRepository = (data: Fields, repository: RepositoryIdentity): Fields => {
  if (data.repository === null) throw notFound('repository');
  return sameRepository(fieldsOf(data.repository, 'repository'), 'databaseId', repository);
};

/**
 * Checks that the path still leads to the linked repository. After a rename another owner may take the old path, and some lists
 * name no repository. Called only for lists that changed: a reading with nothing new costs no request.
 */
export const identityCheck =
  (requests: GithubRequests) =>
  async (access: HostAccess, repository: RepositoryIdentity): Promise<void> => {
    const got = await requests.get(access, 'GET /repos/{owner}/{repo}', ownerAndName(repository.path), {
      missing: 'repository',
    });
    sameRepository(fieldsOf(got.kind === 'data' ? got.data : undefined, 'repository'), 'id', repository);
  };

/** The result of asking for the newest row only, which may show that a list is unchanged. */
interface Probe {
  readonly unchanged: boolean;
  readonly validator: string | null;
  readonly budget: HostBudget | null;
}

/** The result for later pages of a reading, which need no probe: the first page made one. */
const CONTINUED: Probe = { unchanged: false, validator: null, budget: null };

/**
 * Finds out whether a list changed, by a conditional GET of its newest row: a 304 costs nothing of the budget. It comes
 * before the rows are read, so that the next reading finds what changes in between.
 */
export const changedProbe =
  (requests: GithubRequests, list: 'issues' | 'deployments', parameters: RouteParameters) =>
  async (access: HostAccess, repository: RepositoryIdentity, request: HostReadRequest): Promise<Probe> => {
    if (request.page !== null) return CONTINUED;
    const got = await requests.get(
      access,
      `GET /repos/{owner}/{repo}/${list}`,
      { ...ownerAndName(repository.path), ...parameters, per_page: 1 },
      // 410: issues are switched off; the query answers an empty list then.
      { missing: 'repository', nothingAt: [410], validator: request.validator },
    );
    return {
      unchanged: got.kind === 'unchanged',
      validator: got.kind === 'data' ? got.validator : null,
      budget: got.budget,
    };
  };
