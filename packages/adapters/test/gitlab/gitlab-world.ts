import type { Instant } from '@shipworthy/domain';
import type { HostDeploymentState, HostIssueClosing, RepositoryIdentity } from '@shipworthy/domain/ports';
import type { CheckOutcome, Handle, HostWorld } from '../contract/host/host-world.js';
import type { GitlabServer } from '../gitlab-server/gitlab-server.js';
import {
  addDeployment,
  addIssue,
  addMilestone,
  addPipeline,
  addProject,
  addStatus,
  editIssue,
} from '../gitlab-server/inhabitants.js';
import { type DeploymentRow, type IssueRow, type Project, written } from '../gitlab-server/world.js';
import { nameOf } from './opened.js';

const STATUSES: Readonly<Record<HostDeploymentState, string>> = {
  queued: 'created',
  started: 'running',
  success: 'success',
  failure: 'failed',
  other: 'canceled',
};
const OUTCOMES: Readonly<Record<CheckOutcome, string>> = {
  passed: 'success',
  failed: 'failed',
  skipped: 'skipped',
  canceled: 'canceled',
  running: 'running',
};

/** Finds what a stage handed out a handle for. */
export interface Known {
  project(repository: RepositoryIdentity): Project;
  issue(handle: Handle): { readonly project: Project; readonly row: IssueRow };
}

const found = <Thing>(thing: Thing | undefined): Thing => {
  if (thing === undefined) throw new Error('there is no such thing on this stage');
  return thing;
};

/** Changes a local GitLab in the words of the contract. A handle is GitLab's own id. */
export const gitlabWorld = ({ world }: GitlabServer): HostWorld & { readonly known: Known } => {
  const projectOf = ({ id }: RepositoryIdentity): Project =>
    found(world.projects.find((each) => String(each.id) === id));
  const issueOf = (handle: Handle) =>
    found(
      world.projects
        .flatMap((project) => project.issues.map((row) => ({ project, row })))
        .find(({ row }) => String(row.id) === handle),
    );
  const milestoneOf = (handle: Handle) =>
    found(world.projects.flatMap(({ milestones }) => milestones).find(({ id }) => String(id) === handle));
  const deploymentOf = (handle: Handle): DeploymentRow =>
    found(world.projects.flatMap(({ deployments }) => deployments).find(({ id }) => String(id) === handle));
  const change = (handle: Handle, at: Instant, changes: Partial<IssueRow>): void =>
    editIssue(world, issueOf(handle).row, { ...changes, updated_at: written(at) });

  return {
    known: { project: projectOf, issue: issueOf },
    repository: ({ path, private: isPrivate = false, archived = false, defaultBranch = 'main', hidden = false }) =>
      nameOf(
        addProject(world, path, {
          visibility: isPrivate ? 'private' : 'public',
          archived,
          default_branch: defaultBranch,
          members: hidden ? ['bob'] : ['ada'],
          heads: new Map([[defaultBranch, 'a'.repeat(40)]]),
        }),
      ),
    renameRepository: (repository, path) => {
      const project = projectOf(repository);
      project.formerPaths.push(project.path_with_namespace);
      Object.assign(project, { path_with_namespace: path, path: path.slice(path.lastIndexOf('/') + 1) });
      return nameOf(project);
    },
    milestone: (repository, { title, dueAt, closed = false }) => {
      const due_date = dueAt === undefined ? null : written(dueAt).slice(0, 10);
      const state = closed ? 'closed' : 'active';
      return String(addMilestone(world, projectOf(repository), title, { due_date, state }).id);
    },
    issue: (repository, { title, at, labels = [], milestone, type = 'issue' }) => {
      const row = addIssue(world, projectOf(repository), title, {
        created_at: written(at),
        updated_at: written(at),
        labels: [...labels],
        milestone: milestone === undefined ? null : milestoneOf(milestone),
        issue_type: type,
      });
      return String(row.id);
    },
    // Merge requests are kept apart from issues at GitLab, in a list that is not read.
    changeRequest: () => undefined,
    close: (issue, as: HostIssueClosing, at) => {
      const duplicate = as === 'not_planned' ? `${world.url}/api/v4/projects/1/issues/1` : null;
      change(issue, at, { state: 'closed', closed_at: written(at), _links: { closed_as_duplicate_of: duplicate } });
    },
    reopen: (issue, at) =>
      change(issue, at, { state: 'opened', closed_at: null, _links: { closed_as_duplicate_of: null } }),
    move: (issue, milestone, at) =>
      change(issue, at, { milestone: milestone === null ? null : milestoneOf(milestone) }),
    retitle: (issue, title, at) => change(issue, at, { title }),
    label: (issue, labels, at) => change(issue, at, { labels: [...labels] }),
    deleteIssue: (issue) => {
      const { project, row } = issueOf(issue);
      project.issues.splice(project.issues.indexOf(row), 1);
    },
    transferIssue: (issue, to, at) => {
      const { row } = issueOf(issue);
      const copy = addIssue(world, projectOf(to), row.title, { created_at: row.created_at, updated_at: written(at) });
      change(issue, at, { state: 'closed', closed_at: written(at), moved_to_id: copy.id });
    },
    deployment: (repository, { environment, commitSha, ref, at }) => {
      const row = addDeployment(world, projectOf(repository), 'created', {
        environment: { name: environment },
        sha: commitSha,
        ref,
        created_at: written(at),
        updated_at: written(at),
      });
      if (row.deployable !== null) row.deployable.started_at = null;
      return String(row.id);
    },
    enterState: (deployment, state, at) => {
      const row = deploymentOf(deployment);
      Object.assign(row, { status: STATUSES[state], updated_at: written(at) });
      if (state === 'started') Object.assign(row.deployable ?? {}, { started_at: written(at) });
      else if (state !== 'queued') Object.assign(row.deployable ?? {}, { finished_at: written(at) });
    },
    touchDeployment: (deployment, at) => {
      deploymentOf(deployment).updated_at = written(at);
    },
    testRun: (repository, source, { suite, commitSha, checks }) => {
      const project = projectOf(repository);
      const branch = project.default_branch ?? 'main';
      const count = (...outcomes: CheckOutcome[]) => checks.filter(({ outcome }) => outcomes.includes(outcome)).length;
      if (source === 'checks') {
        project.heads.set(branch, commitSha);
        for (const { name, outcome, finishedAt } of checks) {
          const finished_at = outcome === 'running' ? null : written(finishedAt);
          addStatus(world, project, name, OUTCOMES[outcome], { finished_at, sha: commitSha });
        }
        return;
      }
      const ends = written(Math.max(0, ...checks.map(({ finishedAt }) => finishedAt)));
      const status = count('running') > 0 ? 'running' : count('failed') > 0 ? 'failed' : 'success';
      addPipeline(world, project, status, {
        name: suite,
        sha: commitSha,
        ref: branch,
        updated_at: ends,
        finished_at: status === 'running' ? null : ends,
        tests: { success: count('passed'), failed: count('failed'), error: 0, skipped: count('skipped', 'canceled') },
      });
    },
  };
};
