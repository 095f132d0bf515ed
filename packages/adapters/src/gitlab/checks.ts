import { createHash } from 'node:crypto';
import {
  DomainError,
  type HostAccess,
  type HostReading,
  type HostReadRequest,
  type HostTestRun,
  type RepositoryName,
} from '@shipworthy/domain';
import type { GitlabApi } from './api.js';
import { type Fields, fieldsOf, momentOrNull, rowsOf, text, textOrNull } from './fields.js';

type Check = 'passed' | 'failed' | 'skipped' | 'unfinished';

const MOST_PAGES = 5;
const CHECKS: Readonly<Record<string, Check>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'skipped',
  skipped: 'skipped',
  /** Waits for a person, maybe for ever. */
  manual: 'skipped',
};

/** What was read last time. */
interface Validator {
  readonly sha: string;
  readonly commit: string | null;
  readonly statuses: string | null;
}

interface Head {
  readonly sha: string;
  readonly validator: string | null;
}

/** Reads test runs of one source. */
export type ReadTestRuns = (
  access: HostAccess,
  repository: RepositoryName,
  request: HostReadRequest,
) => Promise<HostReading<HostTestRun>>;

const commitsOf = ({ id }: RepositoryName): readonly string[] => ['projects', id, 'repository', 'commits'];

const noneIfMissing = (error: unknown): undefined => {
  if (!(error instanceof DomainError && error.code === 'not-found')) throw error;
};

const checkOf = (status: Fields): Check => {
  const check = CHECKS[text(status, 'status')] ?? 'unfinished';
  // GitLab itself lets the commit pass in spite of a failure that is allowed.
  return check === 'failed' && status.allow_failure === true ? 'skipped' : check;
};

/** One test run out of a commit's statuses; undefined while one of them is under way, or when none passed or failed. */
const runOf = (sha: string, url: string, statuses: readonly Fields[]): HostTestRun | undefined => {
  const checks = statuses.map(checkOf);
  const count = (wanted: Check): number => checks.filter((check) => check === wanted).length;
  const ends = statuses.map((status) => momentOrNull(status, 'finished_at') ?? 0);
  const ranAt = Math.max(0, ...ends.filter((_, index) => checks[index] !== 'skipped'));
  if (count('unfinished') > 0 || ranAt === 0) return undefined;
  // With the moments: a check that fails, passes and fails again is the first result anew, but another run.
  const concluded = statuses
    .map((status, index) => `${textOrNull(status, 'name') ?? ''}\n${checks[index]}\n${ends[index]}`)
    .toSorted();
  const digest = createHash('sha256').update(JSON.stringify(concluded), 'utf8').digest('hex').slice(0, 16);
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return { id: `${sha}-${digest}`, suite: null, passed, failed, skipped, commitSha: sha, url, ranAt };
};

/**
 * The statuses of the newest commit of the default branch, jobs and what other tools reported alike, as one test run. Two
 * requests, both with an ETag; a repository without that branch has none.
 */
export const gitlabChecks = (api: GitlabApi, webUrl: (path: string) => string): ReadTestRuns => {
  const headOf = async (access: HostAccess, repository: RepositoryName, known: Validator | null): Promise<Head> => {
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
    const statuses = [...rowsOf(first.body)];
    for (let next = first.nextPage; next !== null && next <= MOST_PAGES; ) {
      const more = await api.getFull(access, page(next));
      statuses.push(...rowsOf(more.body));
      next = more.nextPage;
    }
    const run = runOf(head.sha, `${webUrl(repository.path)}/-/commit/${head.sha}`, statuses);
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
