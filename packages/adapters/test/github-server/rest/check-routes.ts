import type { CheckRun } from '../records.js';
import { checkRunJson, workflowRunJson } from './check-json.js';
import { pageOf } from './page-of.js';
import { type Reply, refusal } from './reply.js';
import type { RepositoryCall } from './repository-call.js';

/** The newest run of each name within a suite. */
const latest = (runs: readonly CheckRun[]): readonly CheckRun[] => [
  ...new Map(runs.map((run) => [`${run.suite.id} ${run.name}`, run])).values(),
];

/** Checks of a commit, named by its branch or by itself. */
export const checkRunsRoute = ({ addresses, repository, address, caught: [ref = ''] }: RepositoryCall): Reply => {
  const sha = repository.heads.get(ref.replace(/^(refs\/)?heads\//, '')) ?? ref;
  const known = repository.suites.filter((suite) => suite.sha === sha);
  if (known.length === 0 && !/^[0-9a-f]{40}$/.test(sha)) return refusal(422, `No commit found for SHA: ${ref}`);
  const all = known.flatMap(({ runs }) => runs);
  const rows = address.searchParams.get('filter') === 'all' ? all : latest(all);
  return pageOf(
    rows.toReversed(),
    address,
    (run) => checkRunJson(addresses, run),
    (check_runs, total_count) => ({ total_count, check_runs }),
  );
};

/** Runs of workflows, newest first. `status` takes a status or a conclusion. */
export const workflowRunsRoute = ({ addresses, repository, address }: RepositoryCall): Reply => {
  const query = address.searchParams;
  const status = query.get('status');
  const branch = query.get('branch');
  const created = /^>=(.+)$/.exec(query.get('created') ?? '')?.[1];
  const after = created === undefined ? Number.NEGATIVE_INFINITY : Date.parse(created);
  const rows = repository.workflowRuns
    .filter((run) => status === null || run.status === status || run.conclusion === status)
    .filter((run) => branch === null || run.suite.branch === branch)
    .filter((run) => run.createdAt >= after)
    .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return pageOf(
    rows,
    address,
    (run) => workflowRunJson(addresses, run),
    (workflow_runs, total_count) => ({ total_count, workflow_runs }),
  );
};
