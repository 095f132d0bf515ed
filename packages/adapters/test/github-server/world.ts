import { createHash } from 'node:crypto';
import { type DeploymentHands, deploymentHands } from './deployment-hands.js';
import { type IssueHands, issueHands } from './issue-hands.js';
import { type Account, fullName, type Moment, type Repository } from './records.js';
import type { Registry } from './registry.js';
import { type TestHands, testHands } from './test-hands.js';

export interface RepositorySeed {
  readonly private?: boolean;
  readonly archived?: boolean;
  readonly defaultBranch?: string;
  readonly readers?: readonly string[];
  readonly at?: Moment;
}

export interface World extends IssueHands, DeploymentHands, TestHands {
  readonly accounts: ReadonlyMap<string, Account>;
  account(login: string, kind?: Account['kind']): Account;
  addRepository(path: string, seed?: RepositorySeed): Repository;
  /** Under another owner or name; the old path leads to it until another repository takes it. */
  renameRepository(repository: Repository, path: string): void;
  /** By path in any case; `moved`: it has another path now. */
  repositoryAt(path: string): { readonly repository: Repository; readonly moved: boolean } | undefined;
  repositoryOfId(id: number): Repository | undefined;
  /** Those the account may read, by path. */
  readableBy(login: string): readonly Repository[];
  mayRead(repository: Repository, login: string): boolean;
  nodeOf(nodeId: string): object | undefined;
}

/** What is at the host, empty at first. Tests change it at will; every answer is made of it at that moment. */
export const emptyWorld = (clock: () => Moment): World => {
  let lastId = 1000;
  const nodes = new Map<string, object>();
  const accounts = new Map<string, Account>();
  const repositories: Repository[] = [];
  const formerPaths = new Map<string, Repository>();

  const registry: Registry = {
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    nodeId: (kind, id) => `${kind}_kwDO${createHash('sha256').update(`${kind}${id}`).digest('base64url').slice(0, 12)}`,
    moment: (at = clock()) => Math.floor(at / 1000) * 1000,
    know: (nodeId, record) => {
      nodes.set(nodeId, record);
      return record;
    },
    forget: (nodeId) => {
      nodes.delete(nodeId);
    },
    account: (login, kind = 'User') => {
      const known = accounts.get(login.toLowerCase());
      if (known !== undefined) return known;
      const id = registry.nextId();
      const account: Account = { id, nodeId: registry.nodeId('U', id), login, kind };
      accounts.set(login.toLowerCase(), account);
      return registry.know(account.nodeId, account);
    },
  };

  const split = (path: string): readonly [string, string] => {
    const [owner, name] = path.split('/');
    if (!owner || !name) throw new RangeError(`${path} is no path of a repository`);
    return [owner, name];
  };
  const mayRead = ({ readers, owner }: Repository, login: string): boolean =>
    readers === null || owner.login === login || readers.includes(login);

  return {
    accounts,
    account: registry.account,
    addRepository: (path, seed = {}) => {
      const [owner, name] = split(path);
      const id = registry.nextId();
      const repository: Repository = {
        id,
        nodeId: registry.nodeId('R', id),
        owner: registry.account(owner, 'Organization'),
        name,
        private: seed.private ?? false,
        archived: seed.archived ?? false,
        defaultBranch: seed.defaultBranch ?? 'main',
        readers: seed.readers ?? null,
        createdAt: registry.moment(seed.at),
        nextNumber: 1,
        milestones: [],
        issues: [],
        deployments: [],
        suites: [],
        workflowRuns: [],
        heads: new Map(),
        issueChanges: 0,
      };
      repositories.push(repository);
      return registry.know(repository.nodeId, repository);
    },
    renameRepository: (repository, path) => {
      formerPaths.set(fullName(repository).toLowerCase(), repository);
      const [owner, name] = split(path);
      repository.owner = registry.account(owner, 'Organization');
      repository.name = name;
    },
    repositoryAt: (path) => {
      const wanted = path.toLowerCase();
      const present = repositories.find((one) => fullName(one).toLowerCase() === wanted);
      if (present !== undefined) return { repository: present, moved: false };
      const former = formerPaths.get(wanted);
      return former === undefined ? undefined : { repository: former, moved: true };
    },
    repositoryOfId: (id) => repositories.find((one) => one.id === id),
    readableBy: (login) =>
      repositories
        .filter((one) => mayRead(one, login))
        .sort((a, b) => (fullName(a).toLowerCase() < fullName(b).toLowerCase() ? -1 : 1)),
    mayRead,
    nodeOf: (nodeId) => nodes.get(nodeId),
    ...issueHands(registry),
    ...deploymentHands(registry),
    ...testHands(registry),
  };
};
