import {
  type DeploymentRow,
  type IssueRow,
  type MilestoneRow,
  nextId,
  type PipelineRow,
  type Project,
  type StatusRow,
  type World,
  written,
} from './world.js';

/** Adds a project that `ada` may read, with one commit on `main`. */
export const addProject = (world: World, path: string, more: Partial<Project> = {}): Project => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const project: Project = {
    id: nextId(world),
    path_with_namespace: path,
    formerPaths: [],
    path: name,
    name,
    web_url: `${world.url}/${path}`,
    visibility: 'private',
    archived: false,
    default_branch: 'main',
    members: ['ada'],
    milestones: [],
    issues: [],
    deployments: [],
    pipelines: [],
    heads: new Map([['main', 'a'.repeat(40)]]),
    statuses: [],
    ...more,
  };
  world.projects.push(project);
  return project;
};

export const addMilestone = (
  world: World,
  project: Project,
  title: string,
  more: Partial<MilestoneRow> = {},
): MilestoneRow => {
  const iid = project.milestones.length + 1;
  const milestone: MilestoneRow = {
    id: nextId(world),
    iid,
    project_id: project.id,
    title,
    state: 'active',
    due_date: null,
    web_url: `${project.web_url}/-/milestones/${iid}`,
    ...more,
  };
  project.milestones.push(milestone);
  return milestone;
};

export const addIssue = (world: World, project: Project, title: string, more: Partial<IssueRow> = {}): IssueRow => {
  const iid = Math.max(0, ...project.issues.map((issue) => issue.iid)) + 1;
  const at = written(world.now());
  const issue: IssueRow = {
    id: nextId(world),
    iid,
    project_id: project.id,
    title,
    state: 'opened',
    issue_type: 'issue',
    severity: 'UNKNOWN',
    labels: [],
    milestone: null,
    created_at: at,
    updated_at: at,
    closed_at: null,
    moved_to_id: null,
    web_url: `${project.web_url}/-/issues/${iid}`,
    _links: { closed_as_duplicate_of: null },
    ...more,
  };
  project.issues.push(issue);
  return issue;
};

/** Changes an issue now. */
export const editIssue = (world: World, issue: IssueRow, change: Partial<IssueRow>): void => {
  Object.assign(issue, { updated_at: written(world.now()) }, change);
};

/** A deployment by a job that began when it was created. */
export const addDeployment = (
  world: World,
  project: Project,
  status: string,
  more: Partial<DeploymentRow> = {},
): DeploymentRow => {
  const id = nextId(world);
  const at = written(world.now());
  const deployment: DeploymentRow = {
    id,
    iid: project.deployments.length + 1,
    ref: 'main',
    sha: 'a'.repeat(40),
    status,
    created_at: at,
    updated_at: at,
    user: { username: 'ada' },
    environment: { name: 'production' },
    deployable: { started_at: at, finished_at: null, web_url: `${project.web_url}/-/jobs/${id}` },
    finished_at: null,
    ...more,
  };
  project.deployments.push(deployment);
  return deployment;
};

export const addPipeline = (
  world: World,
  project: Project,
  status: string,
  more: Partial<PipelineRow> = {},
): PipelineRow => {
  const id = nextId(world);
  const at = written(world.now());
  const pipeline: PipelineRow = {
    id,
    ref: 'main',
    sha: 'a'.repeat(40),
    name: null,
    status,
    created_at: at,
    updated_at: at,
    finished_at: at,
    web_url: `${project.web_url}/-/pipelines/${id}`,
    tests: { success: 0, failed: 0, error: 0, skipped: 0 },
    suite_error: null,
    ...more,
  };
  project.pipelines.push(pipeline);
  return pipeline;
};

/** Adds a status to the newest commit of `main`. */
export const addStatus = (
  world: World,
  project: Project,
  name: string,
  status: string,
  more: Partial<StatusRow> = {},
): void => {
  project.statuses.push({
    id: nextId(world),
    sha: project.heads.get('main') ?? '',
    name,
    status,
    allow_failure: false,
    finished_at: written(world.now()),
    ...more,
  });
};
