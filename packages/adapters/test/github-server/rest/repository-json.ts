import { type Addresses, stamp } from '../addresses.js';
import { fullName, type Repository } from '../records.js';
import { accountJson } from './account-json.js';

/** Parts of the interface that a repository names addresses of, with what follows them. */
const PARTS: Readonly<Record<string, string>> = {
  archive: '{archive_format}{/ref}',
  assignees: '{/user}',
  blobs: '{/sha}',
  branches: '{/branch}',
  collaborators: '{/collaborator}',
  comments: '{/number}',
  commits: '{/sha}',
  compare: '{base}...{head}',
  contents: '{+path}',
  contributors: '',
  deployments: '',
  downloads: '',
  events: '',
  forks: '',
  git_commits: '{/sha}',
  git_refs: '{/sha}',
  git_tags: '{/sha}',
  hooks: '',
  issue_comment: '{/number}',
  issue_events: '{/number}',
  issues: '{/number}',
  keys: '{/key_id}',
  labels: '{/name}',
  languages: '',
  merges: '',
  milestones: '{/number}',
  notifications: '{?since,all,participating}',
  pulls: '{/number}',
  releases: '{/id}',
  stargazers: '',
  statuses: '{sha}',
  subscribers: '',
  subscription: '',
  tags: '',
  teams: '',
  trees: '{/sha}',
};

/** The short form within other records. */
export const shortRepositoryJson = (addresses: Addresses, repository: Repository) => {
  const url = `${addresses.apiUrl}/repos/${fullName(repository)}`;
  return {
    ...Object.fromEntries(Object.entries(PARTS).map(([part, rest]) => [`${part}_url`, `${url}/${part}${rest}`])),
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
    owner: accountJson(addresses, repository.owner),
    html_url: `${addresses.webUrl}/${fullName(repository)}`,
    description: null,
    fork: false,
    url,
  };
};

/** The form of lists. */
export const repositoryJson = (addresses: Addresses, repository: Repository) => {
  const open = repository.issues.filter(({ state }) => state === 'open').length;
  const html = `${addresses.webUrl}/${fullName(repository)}`;
  return {
    ...shortRepositoryJson(addresses, repository),
    clone_url: `${html}.git`,
    git_url: `git://${new URL(html).host}/${fullName(repository)}.git`,
    ssh_url: `git@${new URL(html).hostname}:${fullName(repository)}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: repository.defaultBranch,
    archived: repository.archived,
    disabled: false,
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    forks_count: 0,
    watchers: 0,
    watchers_count: 0,
    stargazers_count: 0,
    size: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: true,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    pushed_at: stamp(repository.createdAt),
    created_at: stamp(repository.createdAt),
    updated_at: stamp(repository.createdAt),
    permissions: { admin: false, push: false, pull: true },
  };
};

/** The form in which one repository is read. */
export const wholeRepositoryJson = (addresses: Addresses, repository: Repository) => ({
  ...repositoryJson(addresses, repository),
  network_count: 0,
  subscribers_count: 0,
});
