import type { HostAccess, HostTestRun, RepositoryName } from '@shipworthy/domain';
import type { GitlabApi } from './api.js';
import type { ReadTestRuns } from './checks.js';
import { type Fields, fieldsOf, moment, momentOrNull, rowsOf, text, textOrNull, wholeNumber } from './fields.js';

/** Of how many pipelines the tests are read at most; each costs two requests. */
const NEWEST = 8;
const AT_ONCE = 4;
const CONCLUSIVE = new Set(['success', 'failed']);

const countOf = (total: Fields, name: string): number => (total[name] === undefined ? 0 : wholeNumber(total, name));

/** Of each name the first; most projects name no pipelines, and have one then. */
const newestByName = (pipelines: readonly Fields[]): readonly Fields[] => {
  const names = pipelines.map((pipeline) => textOrNull(pipeline, 'name'));
  return pipelines.filter((_, index) => names.indexOf(names[index] ?? null) === index);
};

/**
 * The tests of the newest finished pipelines of the default branch, by the counts of their JUnit reports: `success` passed,
 * `failed` and `error` failed, `skipped` neither. A pipeline without a report says nothing about tests, nor does a canceled one.
 * The end is the pipeline's `finished_at`; a retried pipeline ends anew and is a run of its own. The first reading takes the
 * newest pipeline of each name, later ones what changed since, eight at most.
 */
export const gitlabPipelines = (api: GitlabApi): ReadTestRuns => {
  const runOf = async (
    access: HostAccess,
    repository: RepositoryName,
    id: number,
  ): Promise<HostTestRun | undefined> => {
    const path = ['projects', repository.id, 'pipelines', String(id)];
    const [single, report] = await Promise.all([
      api.getFull(access, { path, what: 'pipeline' }),
      api.getFull(access, { path: [...path, 'test_report_summary'], what: 'pipeline' }),
    ]);
    const pipeline = fieldsOf(single.body);
    const total = fieldsOf(fieldsOf(report.body).total);
    const ranAt = momentOrNull(pipeline, 'finished_at');
    const passed = countOf(total, 'success');
    const failed = countOf(total, 'failed') + countOf(total, 'error');
    if (ranAt === null || passed + failed === 0) return undefined;
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

  const runsOf = async (access: HostAccess, repository: RepositoryName, ids: readonly number[]) => {
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
    const conclusive = rowsOf(list.body).filter((pipeline) => CONCLUSIVE.has(text(pipeline, 'status')));
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
