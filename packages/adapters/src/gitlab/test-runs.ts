import { createHash } from 'node:crypto';
import { DomainError } from '@shipworthy/domain';
import type {
  HostAccess,
  HostReading,
  HostReadRequest,
  HostTestRun,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import {
  type Fields,
  fieldsOf,
  type GitlabApi,
  moment,
  momentOrNull,
  rowsIn,
  text,
  textOrNull,
  wholeNumber,
} from './api.js';

/** Reads test runs of one source. */
type ReadTestRuns = (
  access: HostAccess,
  repository: RepositoryIdentity,
  request: HostReadRequest,
) => Promise<HostReading<HostTestRun>>;

/**
 * Reads the statuses of the newest commit of the default branch, of jobs and of other tools, as one test run. Takes two
 * requests, both with an ETag. A repository without that branch has no test run.
 */
export const gitlabChecks = (api: GitlabApi, webUrl: (path: string) => string): ReadTestRuns => {
  const headOf = async (access: HostAccess, repository: RepositoryIdentity, known: Validator | null): Promise<Head> => {
    const path = [...commitsOf(repository), repository.defaultBranch];
    const reply = await api.get(access, { path, what: 'branch', validator: known?.commit ?? null });
    if (reply.unchanged) return { sha: known?.sha ?? '', validator: known?.commit ?? null };
    return { sha: text(fieldsOf(reply.body), 'id'), validator: reply.validator };
  };
  return async (access, repository, request) => {
    const known = request.validator === null ? null : (JSON.parse(request.validator) as Validator);
    const head = await headOf(access, repository, known).catch(noneIfMissing);
    if (head === undefined) return { unchanged: false, rows: [], next: null, validator: null, budget: null };
    const path = [...commitsOf(repository), head.sha, 'statuses'];
    const page = (number: number) => ({ path, query: { per_page: 100, page: number }, what: 'commit' });
    const first = await api.get(access, { ...page(1), validator: known?.sha === head.sha ? known.statuses : null });
    if (first.unchanged) return first;
    const statuses = [...rowsIn(first.body)];
    let next = first.nextPage;
    while (next !== null && next <= MOST_PAGES) {
      const more = await api.getFull(access, page(next));
      statuses.push(...rowsIn(more.body));
      next = more.nextPage;
    }
    // A status that was not read may be a failure.
    const run =
      next !== null ? undefined : runOf(head.sha, `${webUrl(repository.path)}/-/commit/${head.sha}`, statuses);
    const validator: Validator = {
      sha: head.sha,
      commit: head.validator,
      // The first page's ETag says nothing about the others.
      statuses: first.nextPage === null ? first.validator : null,
    };
    return {
      unchanged: false,
      rows: run === undefined ? [] : [run],
      next: null,
      validator: JSON.stringify(validator),
      budget: first.budget,
    };
  };
};

/**
 * Reads the tests of the newest finished pipelines of the default branch, by the counts of their JUnit reports:
 * `success` passed, `failed` and `error` failed, `skipped` neither. Canceled pipelines are left out, and those without a
 * report: a project that writes none would stay failed after its first failure. A report that GitLab could not read, and
 * a failed pipeline without a failed test, count one failure more. The end is the pipeline's `finished_at`; a retried
 * pipeline ends again and is another run. The first reading takes the newest pipeline of each name, later readings the
 * pipelines that changed since, eight at most. Of more than eight that finish between two readings, the oldest are
 * never read.
 */
export const gitlabPipelines = (api: GitlabApi): ReadTestRuns => {
  const runOf = async (
    access: HostAccess,
    repository: RepositoryIdentity,
    id: number,
  ): Promise<HostTestRun | undefined> => {
    const path = ['projects', repository.id, 'pipelines', String(id)];
    const [single, report] = await Promise.all([
      api.getFull(access, { path, what: 'pipeline' }),
      api.getFull(access, { path: [...path, 'test_report_summary'], what: 'pipeline' }),
    ]);
    const pipeline = fieldsOf(single.body);
    const summary = fieldsOf(report.body);
    const total = fieldsOf(summary.total);
    const ranAt = momentOrNull(pipeline, 'finished_at');
    const passed = countOf(total, 'success');
    const shown = countOf(total, 'failed') + countOf(total, 'error');
    const isUnread = hasUnreadReport(summary);
    // It may have been started again since it was listed.
    const hasEnded = CONCLUSIVE.has(text(pipeline, 'status'));
    if (ranAt === null || !hasEnded || (passed + shown === 0 && !isUnread)) return undefined;
    const failsUnseen = isUnread || (shown === 0 && text(pipeline, 'status') !== 'success');
    const failed = failsUnseen ? shown + 1 : shown;
    return {
      id: `${id}-${ranAt}`,
      suite: textOrNull(pipeline, 'name'),
      passed,
      failed,
      skipped: countOf(total, 'skipped'),
      commitSha: text(pipeline, 'sha'),
      url: textOrNull(pipeline, 'web_url'),
      ranAt,
    };
  };

  const runsOf = async (access: HostAccess, repository: RepositoryIdentity, ids: readonly number[]) => {
    const runs = await Promise.all(ids.map((id) => runOf(access, repository, id)));
    return runs.filter((run) => run !== undefined);
  };

  return async (access, repository, { since, page, validator }) => {
    if (page !== null) {
      const rows = await runsOf(access, repository, JSON.parse(page) as number[]);
      return { unchanged: false, rows, next: null, validator: null, budget: null };
    }
    const list = await api.get(access, {
      path: ['projects', repository.id, 'pipelines'],
      query: {
        ref: repository.defaultBranch,
        scope: 'finished',
        order_by: 'updated_at',
        sort: 'desc',
        per_page: NEWEST,
      },
      what: 'repository',
      validator,
    });
    if (list.unchanged) return list;
    const conclusive = rowsIn(list.body).filter((pipeline) => CONCLUSIVE.has(text(pipeline, 'status')));
    const changed =
      since === null
        ? newestByName(conclusive)
        : conclusive.filter((pipeline) => moment(pipeline, 'updated_at') >= since);
    const ids = changed.map((pipeline) => wholeNumber(pipeline, 'id'));
    const later = ids.slice(AT_ONCE);
    return {
      unchanged: false,
      rows: await runsOf(access, repository, ids.slice(0, AT_ONCE)),
      next: later.length === 0 ? null : JSON.stringify(later),
      validator: list.validator,
      budget: list.budget,
    };
  };
};

type Check = 'passed' | 'failed' | 'skipped' | 'unfinished';

/** Pages of 100 statuses. A commit with more has no test run. */
const MOST_PAGES = 20;
const CHECKS: Readonly<Record<string, Check>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'skipped',
  skipped: 'skipped',
  /** A manual job may wait for a person without end. */
  manual: 'skipped',
};

/** The commit of the last reading, and the ETags of the answers about it (`commit`) and its statuses (`statuses`). */
interface Validator {
  readonly sha: string;
  readonly commit: string | null;
  readonly statuses: string | null;
}

interface Head {
  readonly sha: string;
  readonly validator: string | null;
}

const commitsOf = ({ id }: RepositoryIdentity): readonly string[] => ['projects', id, 'repository', 'commits'];

const noneIfMissing = (error: unknown): undefined => {
  if (!(error instanceof DomainError && error.code === 'not-found')) throw error;
};

const checkOf = (status: Fields): Check => {
  const check = CHECKS[text(status, 'status')] ?? 'unfinished';
  // GitLab, too, lets a commit pass in spite of a failure that is allowed.
  return check === 'failed' && status.allow_failure === true ? 'skipped' : check;
};

/** One test run out of a commit's statuses; undefined while one of them is under way, or when none passed or failed. */
const runOf = (sha: string, url: string, statuses: readonly Fields[]): HostTestRun | undefined => {
  const checks = statuses.map(checkOf);
  const count = (wanted: Check): number => checks.filter((check) => check === wanted).length;
  const ends = statuses.map((status) => momentOrNull(status, 'finished_at') ?? 0);
  const ranAt = Math.max(0, ...ends.filter((_, index) => checks[index] !== 'skipped'));
  if (count('unfinished') > 0 || ranAt === 0) return undefined;
  // Includes the moments: a check that fails, passes and fails again repeats the first result, but is another run.
  const concluded = statuses
    .map((status, index) => `${textOrNull(status, 'name') ?? ''}\n${checks[index]}\n${ends[index]}`)
    .toSorted();
  const digest = createHash('sha256').update(JSON.stringify(concluded), 'utf8').digest('hex').slice(0, 16);
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return { id: `${sha}-${digest}`, suite: null, passed, failed, skipped, commitSha: sha, url, ranAt };
};

/** Most pipelines whose tests are read; each costs two requests. */
const NEWEST = 8;
const AT_ONCE = 4;
const CONCLUSIVE = new Set(['success', 'failed']);

/** Whether a report of the pipeline could not be read, so that its tests are not counted. */
const hasUnreadReport = (summary: Fields): boolean => {
  const suites = Array.isArray(summary.test_suites) ? summary.test_suites : [];
  return [summary.total, ...suites].some((suite) => (fieldsOf(suite).suite_error ?? null) !== null);
};

const countOf = (total: Fields, name: string): number => (total[name] === undefined ? 0 : wholeNumber(total, name));

/** The first pipeline of each name; most projects name no pipelines and so have one. */
const newestByName = (pipelines: readonly Fields[]): readonly Fields[] => {
  const names = pipelines.map((pipeline) => textOrNull(pipeline, 'name'));
  return pipelines.filter((_, index) => names.indexOf(names[index] ?? null) === index);
};
