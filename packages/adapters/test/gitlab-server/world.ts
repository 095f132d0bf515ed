/** Moments as GitLab writes them. */
export const written = (at: number): string => new Date(at).toISOString();

export interface MilestoneRow {
  id: number;
  iid: number;
  project_id?: number;
  group_id?: number;
  title: string;
  state: 'active' | 'closed';
  due_date: string | null;
  web_url: string;
}

export interface IssueRow {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  state: 'opened' | 'closed';
  issue_type: string;
  severity: string;
  labels: string[];
  milestone: MilestoneRow | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  moved_to_id: number | null;
  web_url: string;
  _links: { closed_as_duplicate_of: string | null };
}

export interface JobRow {
  started_at: string | null;
  finished_at: string | null;
  web_url: string;
}

export interface DeploymentRow {
  id: number;
  iid: number;
  ref: string;
  sha: string;
  status: string;
  created_at: string;
  updated_at: string;
  user: { username: string } | null;
  environment: { name: string } | null;
  deployable: JobRow | null;
  /** Not part of the row: what GraphQL tells. */
  finished_at: string | null;
}

export interface PipelineRow {
  id: number;
  ref: string;
  sha: string;
  name: string | null;
  status: string;
  created_at: string;
  updated_at: string;
  finished_at: string | null;
  web_url: string;
  /** Not part of the row, like `suite_error`: what `test_report_summary` answers. */
  tests: { success: number; failed: number; error: number; skipped: number };
  suite_error: string | null;
}

export interface StatusRow {
  id: number;
  sha: string;
  name: string;
  status: string;
  allow_failure: boolean;
  finished_at: string | null;
}

/** A project with everything in it. */
export interface Project {
  id: number;
  path_with_namespace: string;
  /** Lead here for ever. */
  formerPaths: string[];
  path: string;
  name: string;
  web_url: string;
  visibility: 'private' | 'internal' | 'public';
  archived: boolean;
  default_branch: string | null;
  /** Names of accounts. */
  members: string[];
  milestones: MilestoneRow[];
  issues: IssueRow[];
  deployments: DeploymentRow[];
  pipelines: PipelineRow[];
  /** The commit of each branch. */
  heads: Map<string, string>;
  statuses: StatusRow[];
}

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
  readonly account: string;
  readonly redirectUrl: string;
  expiresAt: number;
  ended: boolean;
  /** Of a personal, project or group access token; missing: it is none. */
  readonly scopes?: readonly string[];
}

export interface Code {
  readonly account: string;
  readonly redirectUrl: string;
  readonly challenge: string;
}

/** What a GitLab holds; tests change it as they like while the server runs. */
export interface World {
  url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Addresses that are registered with the application. */
  readonly redirectUrls: string[];
  readonly accounts: { readonly id: number; readonly username: string }[];
  readonly projects: Project[];
  readonly pairs: TokenPair[];
  readonly codes: Map<string, Code>;
  limits: { limit: number; remaining: number; resetAt: number } | null;
  now: () => number;
  lastId: number;
}

/** Where approvals of the only application lead back to. */
export const REGISTERED = 'https://shipworthy.example/api/settings/gitlab/callback';

export const newWorld = (now: () => number): World => ({
  url: '',
  clientId: 'application-1',
  clientSecret: 'application-secret-1',
  redirectUrls: [REGISTERED],
  accounts: [
    { id: 7, username: 'ada' },
    { id: 8, username: 'bob' },
  ],
  projects: [],
  pairs: [],
  codes: new Map(),
  limits: null,
  now,
  lastId: 100,
});

export const nextId = (world: World): number => {
  world.lastId += 1;
  return world.lastId;
};
