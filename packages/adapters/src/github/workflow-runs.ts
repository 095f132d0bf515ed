import type { HostAccess, HostReading, HostReadRequest, HostTestRun, RepositoryName } from '@shipworthy/domain';
import { tightest } from './budget.js';
import { type Fields, fieldsOf, listOf, momentOf, momentOrNull, numberOf, textOf, textOrNull } from './fields.js';
import { sameRepository } from './identity.js';
import { wholeList } from './nested-list.js';
import { placesOf } from './nodes.js';
import { pageText, placeNumber, placeOf } from './page-text.js';
import type { GithubQueries } from './queries.js';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests } from './requests.js';
import { type Conclusion, verdictOf } from './verdict.js';

const RUNS_PER_PAGE = 100;
const MOST_RUN_PAGES = 10;

const checkRuns = (after: string): string => `
  checkRuns(first: 100${after}, filterBy: { checkType: LATEST }) {
    nodes { id status conclusion completedAt }
    pageInfo { hasNextPage endCursor }
  }`;

/** The check runs, which are the jobs, of workflow runs. */
export const SUITES_QUERY = `
  query suites($ids: [ID!]!) {
    nodes(ids: $ids) { ... on CheckSuite { id ${checkRuns('')} } }
  }`;

/** The rest of a list of check runs that is longer than a page. */
export const CHECK_RUNS_QUERY = `
  query checkRuns($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on CheckSuite { ${checkRuns(', after: $after')} } }
  }`;

/** A job that has no moment of completion did not run, so it says nothing. */
const conclusionsOf = (jobs: readonly Fields[]): readonly Conclusion[] =>
  jobs.flatMap((job) => {
    const completedAt = momentOrNull(job, 'completedAt');
    return completedAt === null
      ? []
      : [{ id: textOf(job, 'id'), conclusion: textOrNull(job, 'conclusion'), completedAt }];
  });

/** Of a list with the newest first, the newest run of each workflow. */
const newestOfEach = (runs: readonly Fields[]): readonly Fields[] => {
  const byWorkflow = new Map<number, Fields>();
  for (const run of runs) {
    const workflow = numberOf(run, 'workflow_id');
    if (!byWorkflow.has(workflow)) byWorkflow.set(workflow, run);
  }
  return [...byWorkflow.values()];
};

/**
 * Finished workflow runs of the default branch, one test run each, its jobs counted like tests. A first reading takes only
 * the newest run of each workflow: what is past says nothing about the release that ships next.
 */
export const workflowRunReading = (requests: GithubRequests, queries: GithubQueries) => {
  const rowOf = async (access: HostAccess, run: Fields, suite: Fields): Promise<readonly HostTestRun[]> => {
    const verdict = verdictOf(conclusionsOf(await wholeList(queries, access, suite, 'checkRuns', CHECK_RUNS_QUERY)));
    if (verdict === undefined) return [];
    return [
      {
        // A run that is started again keeps its id, and is another test run all the same.
        id: `${numberOf(run, 'id')}.${typeof run.run_attempt === 'number' ? run.run_attempt : 1}`,
        suite: textOrNull(run, 'name'),
        ...verdict,
        commitSha: textOf(run, 'head_sha'),
        url: textOf(run, 'html_url'),
      },
    ];
  };

  return async (
    access: HostAccess,
    repository: RepositoryName,
    { page, since, validator }: HostReadRequest,
  ): Promise<HostReading<HostTestRun>> => {
    const number = page === null ? 1 : placeNumber(placeOf(page), 'number', 1);
    const parameters = { branch: repository.defaultBranch, status: 'completed', per_page: RUNS_PER_PAGE, page: number };
    const got = await requests.get(
      access,
      'GET /repos/{owner}/{repo}/actions/runs',
      { ...ownerAndName(repository.path), ...parameters, exclude_pull_requests: true },
      { missing: 'repository', validator: page === null ? validator : null },
    );
    if (got.kind === 'unchanged') return { unchanged: true, budget: got.budget };
    const listed = got.kind === 'data' ? listOf(fieldsOf(got.data, 'runs').workflow_runs, 'workflow runs') : [];
    for (const run of listed) sameRepository(fieldsOf(run.repository, 'repository'), 'id', repository);
    // The list is by creation and a run may finish long after: its last touch only tells whether to look, never when it ran.
    const touched =
      since === null ? newestOfEach(listed) : listed.filter((run) => momentOf(run, 'updated_at') >= since);
    const goesOn = got.kind === 'data' && got.more && since !== null && touched.length > 0 && number < MOST_RUN_PAGES;
    const ids = touched.map((run) => textOf(run, 'check_suite_node_id'));
    const queried = ids.length === 0 ? undefined : await queries.query(access, SUITES_QUERY, { ids });
    const suites = queried === undefined ? [] : placesOf(queried.data, ids.length);
    const rows: HostTestRun[] = [];
    for (const [place, run] of touched.entries()) {
      const suite = suites[place] ?? null;
      if (suite !== null) rows.push(...(await rowOf(access, run, fieldsOf(suite, 'check suite'))));
    }
    return {
      unchanged: false,
      rows: rows.filter(({ ranAt }) => ranAt >= (since ?? 0)),
      next: goesOn ? pageText({ number: number + 1 }) : null,
      validator: page === null && got.kind === 'data' ? got.validator : null,
      budget: tightest(got.budget, queried?.budget ?? null),
    };
  };
};
