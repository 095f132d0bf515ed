import { createHash } from 'node:crypto';
import type { Instant } from '@shipworthy/domain';
import type {
  HostAccess,
  HostBudget,
  HostReading,
  HostReadRequest,
  HostTestRun,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import {
  type Fields,
  fieldsOf,
  listField,
  momentField,
  momentOrNull,
  numberOf,
  ownerAndName,
  pageText,
  placeFrom,
  placeNumber,
  placesOf,
  textField,
  textOrNull,
} from './fields.js';
import { type GithubQueries, wholeList } from './queries.js';
import { type identityCheck, sameRepository } from './repositories.js';
import { type GithubRequests, tightestBudget } from './requests.js';

const CHECKS_PER_PAGE = 100;

/** Pages of 100 checks. A commit with more has no test run. */
const MOST_CHECK_PAGES = 20;

/** The checks of the default branch's newest commit as one test run, once all of them have finished. */
export const checkRunReading =
  (requests: GithubRequests, check: ReturnType<typeof identityCheck>, webUrl: URL) =>
  async (
    access: HostAccess,
    repository: RepositoryIdentity,
    { validator, since }: HostReadRequest,
  ): Promise<HostReading<HostTestRun>> => {
    const pageOf = (ref: string, page: number, known: string | null) =>
      requests.get(
        access,
        'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
        { ...ownerAndName(repository.path), ref, filter: 'latest', per_page: CHECKS_PER_PAGE, page },
        // 409 and 422 to the first page: a repository without a commit, or without that branch.
        { missing: 'repository', nothingAt: page === 1 ? [409, 422] : [], validator: known },
      );
    let got = await pageOf(`heads/${repository.defaultBranch}`, 1, validator);
    if (got.kind === 'unchanged') return { unchanged: true, budget: got.budget };
    if (got.kind === 'data') await check(access, repository);
    const wholeAtOnce = got.kind === 'data' && !got.more ? got.validator : null;
    const checks: Fields[] = [];
    for (let page = 1; got.kind === 'data'; page += 1) {
      checks.push(...listField(fieldsOf(got.data, 'check runs').check_runs, 'check runs'));
      const [first] = checks;
      if (!got.more || first === undefined || page === MOST_CHECK_PAGES) break;
      // Further pages are read by commit: the branch may move between two pages.
      got = await pageOf(textField(first, 'head_sha'), page + 1, null);
    }
    // A check that was not read may be a failure, like one that has not ended.
    const isWhole = got.kind !== 'data' || !got.more;
    const finished = isWhole && checks.every((run) => textField(run, 'status') === 'completed');
    const conclusions = finished ? checks.map(conclusionOf) : [];
    const counts = conclusionCounts(conclusions);
    const sha = checks[0] === undefined ? '' : textField(checks[0], 'head_sha');
    const row = (seen: NonNullable<typeof counts>): HostTestRun => ({
      id: `${sha}:${digestOf(conclusions)}`,
      suite: null,
      ...seen,
      commitSha: sha,
      url: new URL(`${repository.path}/commit/${sha}/checks`, `${webUrl.href.replace(/\/+$/, '')}/`).href,
    });
    return {
      unchanged: false,
      rows: counts === undefined || counts.ranAt < (since ?? 0) ? [] : [row(counts)],
      next: null,
      validator: wholeAtOnce,
      budget: got.budget,
    };
  };

const RUNS_PER_PAGE = 100;

const MOST_RUN_PAGES = 10;

/** Check suites in one query: each comes with up to 100 check runs, and GitHub gives up on queries that take too long. */
const SUITES_PER_QUERY = 25;

/**
 * What starts the workflow runs that count, done by people who may write to the branch. Pull requests, issues, comments and
 * workflows that follow others (`workflow_run`) are left out: their runs bear the name of the branch as well, and anybody can
 * start them.
 */
const COUNTED_EVENTS: ReadonlySet<unknown> = new Set([
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'deployment',
  'deployment_status',
]);

/** Whether a run is about a commit of the repository itself. The branch of a fork may have the same name. */
const isOfBranch = (run: Fields, repository: RepositoryIdentity): boolean => {
  const head = run.head_repository === null ? null : fieldsOf(run.head_repository, 'head repository');
  return head !== null && String(numberOf(head, 'id')) === repository.id && COUNTED_EVENTS.has(run.event);
};

/** How long GitHub may take to list a run that has ended, in milliseconds. */
const LISTED_LATE_MS = 120_000;

/** Conclusions of a run that was given up: without a failed job it is neither a success nor a failure. */
const GIVEN_UP: ReadonlySet<string | null> = new Set(['cancelled', 'skipped', 'stale']);

/**
 * The counts of a run by its jobs; undefined: it has none, or none yet. A run that ended otherwise than well counts a failure at
 * least: a job may have failed that was not to be seen, and a workflow that cannot be started has no job.
 */
const countsOfRun = (run: Fields, jobs: readonly Fields[]): ConclusionCounts | undefined => {
  // Jobs may have been started again since the run was listed.
  if (jobs.some((job) => textField(job, 'status') !== 'COMPLETED')) return undefined;
  const counts = conclusionCounts(conclusionsOf(jobs));
  const conclusion = textOrNull(run, 'conclusion');
  if ((counts?.failed ?? 0) > 0 || conclusion === 'success' || conclusion === 'neutral') return counts;
  if (GIVEN_UP.has(conclusion)) return undefined;
  const { passed, skipped, ranAt } = counts ?? { passed: 0, skipped: 0, ranAt: momentField(run, 'run_started_at') };
  return { passed, failed: 1, skipped, ranAt };
};

/**
 * Finished workflow runs of the default branch, one test run each, its jobs counted like tests. A first reading takes only
 * the newest run of each workflow: what is past says nothing about the release that ships next.
 */
export const workflowRunReading = (requests: GithubRequests, queries: GithubQueries) => {
  const rowOf = async (access: HostAccess, run: Fields, suite: unknown): Promise<readonly HostTestRun[]> => {
    const jobs =
      suite === null
        ? []
        : await wholeList(queries, access, fieldsOf(suite, 'check suite'), 'checkRuns', CHECK_RUNS_QUERY);
    const counts = countsOfRun(run, jobs);
    if (counts === undefined) return [];
    return [
      {
        // A run that is started again keeps its id, and is another test run all the same.
        id: `${numberOf(run, 'id')}.${typeof run.run_attempt === 'number' ? run.run_attempt : 1}`,
        suite: textOrNull(run, 'name'),
        ...counts,
        commitSha: textField(run, 'head_sha'),
        url: textField(run, 'html_url'),
      },
    ];
  };

  /** The check suites with these ids, in that order; null for one that does not exist any more. */
  const suitesOf = async (access: HostAccess, ids: readonly string[]) => {
    const suites: unknown[] = [];
    let budget: HostBudget | null = null;
    for (let begin = 0; begin < ids.length; begin += SUITES_PER_QUERY) {
      const some = ids.slice(begin, begin + SUITES_PER_QUERY);
      const queried = await queries.query(access, SUITES_QUERY, { ids: some });
      suites.push(...placesOf(queried.data, some.length));
      budget = tightestBudget(budget, queried.budget);
    }
    return { suites, budget };
  };

  return async (
    access: HostAccess,
    repository: RepositoryIdentity,
    { page, since, validator }: HostReadRequest,
  ): Promise<HostReading<HostTestRun>> => {
    const number = page === null ? 1 : placeNumber(placeFrom(page), 'number', 1);
    const parameters = { branch: repository.defaultBranch, status: 'completed', per_page: RUNS_PER_PAGE, page: number };
    const got = await requests.get(
      access,
      'GET /repos/{owner}/{repo}/actions/runs',
      { ...ownerAndName(repository.path), ...parameters, exclude_pull_requests: true },
      { missing: 'repository', validator: page === null ? validator : null },
    );
    if (got.kind === 'unchanged') return { unchanged: true, budget: got.budget };
    const listed = got.kind === 'data' ? listField(fieldsOf(got.data, 'runs').workflow_runs, 'workflow runs') : [];
    for (const run of listed) sameRepository(fieldsOf(run.repository, 'repository'), 'id', repository);
    const own = listed.filter((run) => isOfBranch(run, repository));
    // The list is in order of creation (GitHub offers no other), and a run may finish long after. `updated_at` tells which runs to
    // look at, not when they ran. Known limit: reading stops at the first page without an updated run, so a new attempt of an
    // older run behind that page is not found.
    const from = (since ?? 0) - LISTED_LATE_MS;
    const isTouched = (run: Fields): boolean => momentField(run, 'updated_at') >= from;
    const touched = since === null ? newestOfEach(own) : own.filter(isTouched);
    const mayFindMore = since === null ? own.length === 0 : listed.some(isTouched);
    const goesOn = got.kind === 'data' && got.more && mayFindMore && number < MOST_RUN_PAGES;
    const ids = touched.map((run) => textField(run, 'check_suite_node_id'));
    const { suites, budget } = await suitesOf(access, ids);
    const rows: HostTestRun[] = [];
    for (const [place, run] of touched.entries()) rows.push(...(await rowOf(access, run, suites[place] ?? null)));
    return {
      unchanged: false,
      rows: rows.filter(({ ranAt }) => ranAt >= from),
      next: goesOn ? pageText({ number: number + 1 }) : null,
      validator: page === null && got.kind === 'data' ? got.validator : null,
      budget: tightestBudget(got.budget, budget),
    };
  };
};

/** How a check ended, and when; `conclusion` in the words of REST or GraphQL, in lower or upper case. */
interface Conclusion {
  readonly id: string;
  readonly conclusion: string | null;
  readonly completedAt: Instant;
}

const SKIPPED = new Set(['cancelled', 'skipped', 'stale', 'neutral']);

/** Conclusions counted like tests; one that is neither a success nor in `SKIPPED` counts as failed, also an unknown one. */
interface ConclusionCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** When the last of them finished. */
  readonly ranAt: Instant;
}

/** The counts of at least one conclusion; undefined for none. */
export const conclusionCounts = (conclusions: readonly Conclusion[]): ConclusionCounts | undefined => {
  if (conclusions.length === 0) return undefined;
  const words = conclusions.map(({ conclusion }) => conclusion?.toLowerCase() ?? '');
  const passed = words.filter((word) => word === 'success').length;
  const skipped = words.filter((word) => SKIPPED.has(word)).length;
  return {
    passed,
    failed: words.length - passed - skipped,
    skipped,
    ranAt: conclusions.reduce((last, { completedAt }) => Math.max(last, completedAt), 0),
  };
};

/** Returns a digest of conclusions. Their order does not matter; it changes once a check has run again. */
export const digestOf = (conclusions: readonly Conclusion[]): string => {
  const lines = conclusions.map(({ id, conclusion, completedAt }) => `${id} ${conclusion} ${completedAt}`);
  return createHash('sha256').update(lines.sort().join('\n'), 'utf8').digest('hex').slice(0, 16);
};

const conclusionOf = (run: Fields) => ({
  id: String(numberOf(run, 'id')),
  conclusion: textOrNull(run, 'conclusion'),
  completedAt: momentField(run, 'completed_at'),
});

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

/** A job without a completion time did not run and is left out. */
const conclusionsOf = (jobs: readonly Fields[]): readonly Conclusion[] =>
  jobs.flatMap((job) => {
    const completedAt = momentOrNull(job, 'completedAt');
    return completedAt === null
      ? []
      : [{ id: textField(job, 'id'), conclusion: textOrNull(job, 'conclusion'), completedAt }];
  });

/** The newest run of each workflow, of a list with the newest first. */
const newestOfEach = (runs: readonly Fields[]): readonly Fields[] => {
  const byWorkflow = new Map<number, Fields>();
  for (const run of runs) {
    const workflow = numberOf(run, 'workflow_id');
    if (!byWorkflow.has(workflow)) byWorkflow.set(workflow, run);
  }
  return [...byWorkflow.values()];
};
