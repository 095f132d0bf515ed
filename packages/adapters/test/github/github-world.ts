import type { HostDeploymentState, RepositoryIdentity } from '@shipworthy/domain/ports';
import type { CheckOutcome, Handle, HostWorld } from '../contract/host/host-world.js';
import {
  type CheckConclusion,
  type Deployment,
  type DeploymentStatusState,
  fullName,
  type GitHubServer,
  type Issue,
  type Milestone,
  type Repository,
} from '../github-server/index.js';

const STATES: Readonly<Record<HostDeploymentState, DeploymentStatusState>> = {
  queued: 'queued',
  started: 'in_progress',
  success: 'success',
  failure: 'failure',
  other: 'inactive',
};
const CONCLUSIONS: Readonly<Record<CheckOutcome, CheckConclusion | null>> = {
  passed: 'success',
  failed: 'failure',
  skipped: 'skipped',
  canceled: 'cancelled',
  running: null,
};

/** Finds what a stage handed out a handle for. */
export interface Known {
  repository(name: RepositoryIdentity): Repository;
  issue(handle: Handle): Issue;
}

/** Changes a local GitHub in the words of the contract, as the account that approves there. */
export const githubWorld = ({ data }: GitHubServer, accountName: string): HostWorld & { readonly known: Known } => {
  const things = new Map<Handle, object>();
  const handed = (thing: object): Handle => {
    const handle = `handle ${things.size}`;
    things.set(handle, thing);
    return handle;
  };
  const of = <Thing extends object>(handle: Handle): Thing => {
    const thing = things.get(handle);
    if (thing === undefined) throw new Error('there is no such thing on this stage');
    return thing as Thing;
  };
  const repositoryOf = ({ id }: RepositoryIdentity): Repository => {
    const repository = data.repositoryOfId(Number(id));
    if (repository === undefined) throw new Error('there is no such repository on this stage');
    return repository;
  };
  const nameOf = (repository: Repository): RepositoryIdentity => ({
    id: String(repository.id),
    path: fullName(repository),
    defaultBranch: repository.defaultBranch,
  });

  return {
    known: { repository: repositoryOf, issue: of },
    repository: ({ path, hidden = false, ...seed }) =>
      nameOf(data.addRepository(path, { ...seed, readers: hidden ? ['somebody-else'] : [accountName] })),
    renameRepository: (name, path) => {
      data.renameRepository(repositoryOf(name), path);
      return nameOf(repositoryOf(name));
    },
    milestone: (repository, { title, dueAt, closed = false }) =>
      handed(
        data.addMilestone(repositoryOf(repository), {
          title,
          state: closed ? 'closed' : 'open',
          ...(dueAt === undefined ? {} : { dueOn: dueAt }),
        }),
      ),
    issue: (repository, { milestone, ...seed }) =>
      handed(
        data.addIssue(repositoryOf(repository), {
          ...seed,
          ...(milestone === undefined ? {} : { milestone: of<Milestone>(milestone) }),
        }),
      ),
    changeRequest: (repository, title, at) => {
      data.addIssue(repositoryOf(repository), { title, at, pullRequest: true });
    },
    close: (issue, as, at) => data.editIssue(of(issue), { state: as, at }),
    reopen: (issue, at) => data.editIssue(of(issue), { state: 'open', at }),
    move: (issue, milestone, at) =>
      data.editIssue(of(issue), { milestone: milestone === null ? null : of<Milestone>(milestone), at }),
    retitle: (issue, title, at) => data.editIssue(of(issue), { title, at }),
    label: (issue, labels, at) => data.editIssue(of(issue), { labels, at }),
    deleteIssue: (issue) => data.deleteIssue(of(issue)),
    transferIssue: (issue, to, at) => data.transferIssue(of(issue), repositoryOf(to), at),
    deployment: (repository, { environment, commitSha, ref, at }) =>
      handed(data.addDeployment(repositoryOf(repository), { environment, sha: commitSha, ref, at })),
    enterState: (deployment, state, at) => {
      data.addStatus(of<Deployment>(deployment), STATES[state], { at });
    },
    touchDeployment: (deployment, at) => data.touchDeployment(of<Deployment>(deployment), at),
    testRun: (name, source, { suite, commitSha, checks }) => {
      const repository = repositoryOf(name);
      const seeds = checks.map(({ name: check, outcome, finishedAt }) => ({
        name: check,
        conclusion: CONCLUSIONS[outcome],
        startedAt: finishedAt - 1000,
        completedAt: finishedAt,
      }));
      if (source === 'workflows') {
        const at = Math.max(...checks.map(({ finishedAt }) => finishedAt));
        data.addWorkflowRun(repository, { name: suite, sha: commitSha, checks: seeds, at });
        return;
      }
      // What runs again at a commit stays in its suite.
      let rerun = repository.suites.find(({ sha }) => sha === commitSha);
      for (const seed of seeds) rerun = data.addCheckRun(repository, { sha: commitSha }, seed, rerun).suite;
    },
  };
};
