import type { HostAccess, HostReading, HostReadRequest, HostTestRun, RepositoryName } from '@shipworthy/domain';
import { type Fields, fieldsOf, listOf, momentOf, numberOf, textOf, textOrNull } from './fields.js';
import type { identityCheck } from './identity.js';
import { ownerAndName } from './repository-path.js';
import type { GithubRequests } from './requests.js';
import { digestOf, verdictOf } from './verdict.js';

const CHECKS_PER_PAGE = 100;
/** A commit has at most 1,000 check suites to be listed; nobody has that many. */
const MOST_CHECK_PAGES = 20;

const conclusionOf = (run: Fields) => ({
  id: String(numberOf(run, 'id')),
  conclusion: textOrNull(run, 'conclusion'),
  completedAt: momentOf(run, 'completed_at'),
});

/** The checks of the default branch's newest commit as one test run, once all of them have finished. */
export const checkRunReading =
  (requests: GithubRequests, check: ReturnType<typeof identityCheck>, webUrl: URL) =>
  async (
    access: HostAccess,
    repository: RepositoryName,
    { validator, since }: HostReadRequest,
  ): Promise<HostReading<HostTestRun>> => {
    const pageOf = (ref: string, page: number, known: string | null) =>
      requests.get(
        access,
        'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
        { ...ownerAndName(repository.path), ref, filter: 'latest', per_page: CHECKS_PER_PAGE, page },
        // 409 and 422: a repository without a commit, or without that branch.
        { missing: 'repository', nothingAt: [409, 422], validator: known },
      );
    let got = await pageOf(`heads/${repository.defaultBranch}`, 1, validator);
    if (got.kind === 'unchanged') return { unchanged: true, budget: got.budget };
    if (got.kind === 'data') await check(access, repository);
    const wholeAtOnce = got.kind === 'data' && !got.more ? got.validator : null;
    const checks: Fields[] = [];
    for (let page = 1; got.kind === 'data'; page += 1) {
      checks.push(...listOf(fieldsOf(got.data, 'check runs').check_runs, 'check runs'));
      const [first] = checks;
      if (!got.more || first === undefined || page === MOST_CHECK_PAGES) break;
      // By commit from here on: the branch may move on between two pages.
      got = await pageOf(textOf(first, 'head_sha'), page + 1, null);
    }
    const finished = checks.every((run) => textOf(run, 'status') === 'completed');
    const conclusions = finished ? checks.map(conclusionOf) : [];
    const verdict = verdictOf(conclusions);
    const sha = checks[0] === undefined ? '' : textOf(checks[0], 'head_sha');
    const row = (seen: NonNullable<typeof verdict>): HostTestRun => ({
      id: `${sha}:${digestOf(conclusions)}`,
      suite: null,
      ...seen,
      commitSha: sha,
      url: new URL(`${repository.path}/commit/${sha}/checks`, `${webUrl.href.replace(/\/+$/, '')}/`).href,
    });
    return {
      unchanged: false,
      rows: verdict === undefined || verdict.ranAt < (since ?? 0) ? [] : [row(verdict)],
      next: null,
      validator: wholeAtOnce,
      budget: got.budget,
    };
  };
