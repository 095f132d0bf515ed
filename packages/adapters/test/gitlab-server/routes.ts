import { type Answer, missing, ok, refused } from './answer.js';
import { byChange, paged } from './paging.js';
import type { Project, World } from './world.js';

type Handler = (project: Project, query: URLSearchParams, rest: readonly string[]) => Answer;

const pipelineRow = ({ tests: _tests, suite_error: _error, finished_at: _end, ...row }: Project['pipelines'][number]) =>
  row;

const deploymentRow = ({ finished_at: _end, ...row }: Project['deployments'][number]) => row;

const issues: Handler = (project, query) => {
  const iids = query.getAll('iids[]').map(Number);
  const rows = project.issues.filter(({ iid }) => iids.length === 0 || iids.includes(iid));
  return paged(byChange(rows, query), query);
};

const milestones: Handler = (project, query) => {
  const own = ({ group_id }: Project['milestones'][number]) => group_id === undefined;
  return paged(
    project.milestones.filter((row) => query.get('include_ancestors') === 'true' || own(row)),
    query,
  );
};

const deployments: Handler = (project, query, [id]) => {
  if (id !== undefined) {
    const found = project.deployments.find((row) => String(row.id) === id);
    return found === undefined ? missing('Deployment') : ok(deploymentRow(found));
  }
  const isPaired = query.has('updated_after') === (query.get('order_by') === 'updated_at');
  return isPaired
    ? paged(byChange(project.deployments, query).map(deploymentRow), query)
    : {
        status: 400,
        body: { message: '400 Bad request - `updated_at` filter and `updated_at` sorting must be paired' },
      };
};

const pipelines: Handler = (project, query, [id, part]) => {
  if (id === undefined) {
    const rows = project.pipelines.filter(({ ref, status }) => {
      const isFinished = ['success', 'failed', 'canceled'].includes(status);
      return ref === query.get('ref') && (query.get('scope') !== 'finished' || isFinished);
    });
    return paged(byChange(rows, query).map(pipelineRow), query);
  }
  const found = project.pipelines.find((row) => String(row.id) === id);
  if (found === undefined) return missing('Pipeline');
  const { tests, suite_error, ...single } = found;
  if (part !== 'test_report_summary') return ok(single);
  const count = tests.success + tests.failed + tests.error + tests.skipped;
  const test_suites = [{ name: 'unit', ...tests, suite_error }];
  return ok({ total: { time: 12, count, ...tests, suite_error: null }, test_suites });
};

const commits: Handler = (project, query, [name, part]) => {
  const sha = project.heads.get(name ?? '') ?? [...project.heads.values()].find((each) => each === name);
  if (sha === undefined) return missing('Commit');
  if (part !== 'statuses')
    return ok({ id: sha, short_id: sha.slice(0, 8), web_url: `${project.web_url}/-/commit/${sha}` });
  const rows = project.statuses.filter((row) => row.sha === sha);
  // What ran again replaces what ran before, unless all is asked for.
  const latest = [...new Map(rows.map((row) => [row.name, row])).values()];
  return paged(query.get('all') === 'true' ? rows : latest, query);
};

const PARTS: Readonly<Record<string, Handler>> = { issues, milestones, deployments, pipelines };

const projectRow = ({
  milestones: _m,
  issues: _i,
  deployments: _d,
  pipelines: _p,
  heads,
  statuses: _s,
  members: _b,
  formerPaths: _f,
  ...row
}: Project) => ({
  ...row,
  empty_repo: heads.size === 0,
});

const listed = (readable: readonly Project[], query: URLSearchParams): Answer => {
  const sought = query.get('search')?.toLowerCase() ?? '';
  const rows = readable.filter(({ path_with_namespace, name }) => {
    return path_with_namespace.toLowerCase().includes(sought) || name.toLowerCase().includes(sought);
  });
  return paged(rows.toSorted((one, other) => (one.path < other.path ? -1 : 1)).map(projectRow), query);
};

/** Answers a GET below `/api/v4` for that account. */
export const read = (world: World, account: string, path: readonly string[], query: URLSearchParams): Answer => {
  const [noun, id, part, ...rest] = path;
  if (noun === 'user') return ok(world.accounts.find(({ username }) => username === account));
  if (noun !== 'projects') return refused(404, '404 Not Found');
  const readable = world.projects.filter(({ members }) => members.includes(account));
  if (id === undefined) return listed(readable, query);
  const project = readable.find((each) => String(each.id) === id || each.path_with_namespace === id);
  if (project === undefined) {
    const moved = readable.find(({ formerPaths }) => formerPaths.includes(id));
    if (moved === undefined) return missing('Project');
    const location = `${world.url}/api/v4/projects/${moved.id}`;
    return { status: 301, body: { message: 'This resource has been moved permanently' }, headers: { location } };
  }
  if (part === undefined) return ok(projectRow(project));
  if (part === 'repository' && rest[0] === 'commits') return commits(project, query, rest.slice(1));
  return PARTS[part]?.(project, query, rest) ?? missing('Route');
};
