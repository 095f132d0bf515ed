// SQL by hand: conditions over other rows find what counts for no release, span by span, so that a page reads few rows.
import type { Deployment, Instant, Interval, Page, PageRequest, TestRunTarget } from '@shipworthy/domain';
import { pageIn } from './deployment-rows-sql.js';
import { FOREVER, hoursHolding, joinedHours } from './reports/deployment-counts-sql.js';
import type { Access } from './sql.js';

/**
 * A span of time to search. With `allUncounted` all its deployments count for no release; otherwise only those in
 * progress, successful returns, those outside the environments that count, and late ones.
 */
interface Span extends Interval {
  readonly to: Instant;
  readonly allUncounted: boolean;
}

/** The gaps between the windows up to `to`, latest first. */
const gapsBetween = (windows: readonly Interval[], to: Instant): readonly Span[] => {
  const gaps: Span[] = [];
  let covered = -FOREVER;
  for (const { from, to: end } of windows.toSorted((a, b) => a.from - b.from)) {
    if (from > covered && covered < to) gaps.push({ from: covered, to: Math.min(from, to), allUncounted: true });
    covered = Math.max(covered, end ?? FOREVER);
  }
  if (covered < to) gaps.push({ from: covered, to, allUncounted: true });
  return gaps.toReversed();
};

/** The parts of the span outside the other one. */
const without = ({ from, to, allUncounted }: Span, gap: Span): readonly Span[] =>
  [
    { from, to: Math.min(to, gap.from), allUncounted },
    { from: Math.max(from, gap.to), to, allUncounted },
  ].filter((part) => part.from < part.to);

/** Joins spans and gaps, latest first. What lies in both belongs to the gap only, so that nothing is searched twice. */
const mergedSpans = (spans: readonly Span[], gaps: readonly Span[]): readonly Span[] => {
  const rests = gaps.reduce((left, gap) => left.flatMap((span) => without(span, gap)), spans);
  return [...rests, ...gaps].toSorted((a, b) => b.from - a.from);
};

/**
 * The SQL condition on a deployment `d` that came too late for every release it would count in: each release whose window holds
 * its start had shipped when it was recorded, or when it finished.
 */
const MISSED_SHIPPING = `d.late = 1 and not exists (select 1 from releases r where r.project_id = d.project_id
  and r.starts_at <= d.started_at
  and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > d.started_at)
  and (r.shipped_at is null or (d.created_at < r.shipped_at and (d.finished_at is null or d.finished_at < r.shipped_at))))`;

/** Returns when the deployments that meet MISSED_SHIPPING started, latest first: those of a page, and one more. */
const lateStarts = async (
  access: Access,
  projectId: string,
  { after, limit }: PageRequest,
): Promise<readonly Instant[]> => {
  const [startedAt, id] = after ?? [];
  const rows = await access.read<{ started_at: Instant }>(
    `select d.started_at from deployments d where d.project_id = ? ${after === null ? '' : 'and (d.started_at, d.id) < (?, ?)'}
      and ${MISSED_SHIPPING} order by d.started_at desc, d.id desc limit ?`,
    [projectId, ...(after === null ? [] : [access.dialect.moment(Number(startedAt)), String(id)]), limit + 1],
  );
  return [...new Set(rows.map(({ started_at }) => started_at))];
};

/**
 * Returns the spans of time, latest first, that hold the page's deployments that count for no release, and one more.
 * The stored counts tell which hours to search, without reading deployments; the first hour may hold only deployments
 * of earlier pages.
 */
export const spansToSearch = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  page: PageRequest,
): Promise<readonly Span[]> => {
  const { among, list } = access.dialect;
  const to = page.after === null ? FOREVER : Number(page.after[0]) + 1;
  const [windows, hours, late] = await Promise.all([
    access.read<{ starts_at: Instant; ends_at: Instant | null }>(
      `select starts_at, coalesce(shipped_at, canceled_at) as ends_at from releases
        where project_id = ? and starts_at is not null`,
      [projectId],
    ),
    hoursHolding(access, projectId, {
      condition: (count) =>
        `(${count}.started > 0 or ${count}.returned > 0${environments === null ? '' : ` or not (${among(`${count}.environment`, 'text')})`})`,
      bindings: environments === null ? [] : [list(environments)],
      from: null,
      to,
      limit: page.limit + 3,
      order: 'newest-first',
    }),
    lateStarts(access, projectId, page),
  ]);
  const gaps = gapsBetween(
    windows.map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at })),
    to,
  );
  const spans = joinedHours(hours, 'newest-first').map((span) => ({ ...span, allUncounted: false }));
  const moments = late.map((at) => ({ from: at, to: at + 1, allUncounted: false }));
  return mergedSpans(mergedSpans(moments, spans), gaps);
};

/** Returns deployments that count for no release, newest first. */
export const deploymentsNotCounted = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  page: PageRequest,
): Promise<Page<Deployment>> => {
  const { among, list } = access.dialect;
  const spans = await spansToSearch(access, projectId, environments, page);
  const outside = environments === null ? '' : `or not (${among('d.environment', 'text')})`;
  return pageIn(access, projectId, page, {
    order: 'newest-first',
    spans: spans.map(({ allUncounted, ...span }) => ({ ...span, mark: allUncounted ? 1 : 0 })),
    condition: `(v.mark = 1 or d.status = 'started' or (d.is_return = 1 and d.status = 'success') ${outside}
      or (${MISSED_SHIPPING}))`,
    bindings: environments === null ? [] : [list(environments)],
  });
};

/** The SQL condition that the latest run `l` of a suite was recorded before its release shipped, if that did. */
const isInTime = (release: string): string =>
  `(${release}.shipped_at is null or l.recorded_at < ${release}.shipped_at)`;

/**
 * Returns SQL for the latest run of a release among those recorded before it shipped; `suite` null: of any suite. It is
 * the stored latest run or, if that was recorded after the shipping, one that is searched for among all runs. `picked`
 * is what is selected of a run, `otherwise` what replaces the search.
 */
export const latestInTime = (
  release: string,
  picked: (run: string, id: string) => string,
  suite: string | null,
  otherwise?: string,
): string => {
  const ofSuite = (column: string): string => (suite === null ? '' : `and ${column} = coalesce(${suite}, '')`);
  const lookedFor = `(select ${picked('n', 'n.id')} from test_runs n where n.release_id = ${release}.id
        and n.recorded_at < ${release}.shipped_at ${ofSuite("coalesce(n.suite, '')")}
        order by n.ran_at desc, n.recorded_at desc, n.id desc limit 1)`;
  return `(select case when ${release}.shipped_at is null or l.recorded_at < ${release}.shipped_at
      then ${picked('l', 'l.test_run_id')}
      else ${otherwise ?? lookedFor} end
    from latest_test_runs l where l.release_id = ${release}.id ${ofSuite('l.suite')}
    order by l.ran_at desc, l.recorded_at desc, l.test_run_id desc limit 1)`;
};

/**
 * The SQL condition that the latest run of another suite than `suite` is set aside, among those recorded before the release
 * shipped. `otherwise` replaces the search for a suite whose stored latest run was recorded after the shipping.
 */
export const otherSuiteSetAside = (release: string, suite: string, otherwise?: string): string => {
  const lookedFor = `coalesce((select n.set_aside_at is not null from test_runs n where n.release_id = ${release}.id
        and n.recorded_at < ${release}.shipped_at and coalesce(n.suite, '') = l.suite
        order by n.ran_at desc, n.recorded_at desc, n.id desc limit 1), false)`;
  return `exists (select 1 from latest_test_runs l where l.release_id = ${release}.id and l.suite <> coalesce(${suite}, '')
      and case when ${isInTime(release)} then l.set_aside = 1
        else ${otherwise ?? lookedFor} end)`;
};

const superseded = (suite: string | null): string =>
  `(t.set_aside_at is not null or coalesce(t.id <> (select ${latestInTime('r', (_, id) => id, suite)} from releases r where r.id = t.release_id), true)
    or exists (select 1 from releases r where r.id = t.release_id and ${otherSuiteSetAside('r', 't.suite')}))`;

/**
 * The SQL condition on a test run `t` that does not count: a later one replaced it, its release had shipped when it was
 * recorded, or it or the latest run of another suite is set aside.
 */
export const SUPERSEDED: Readonly<Record<TestRunTarget['verification'], string>> = {
  latest_run: superseded(null),
  latest_per_suite: superseded('t.suite'),
};

/**
 * On a cluster: returns the suites whose latest run, among those recorded before their release shipped, is set aside. One
 * statement to the worker that has the project's runs.
 */
export const setAsideAmongRuns = async (
  access: Access,
  projectId: string,
  releaseIds: readonly string[],
): Promise<readonly { readonly release_id: string; readonly suite: string }[]> => {
  const suite = `coalesce(n.suite, '')`;
  const { among, list } = access.dialect;
  return access.read(
    `select s.release_id, s.suite from (
        select distinct on (n.release_id, ${suite}) n.release_id, ${suite} as suite, n.set_aside_at
        from test_runs n join releases r on r.id = n.release_id
        where n.project_id = ? and ${among('n.release_id', 'id')} and n.recorded_at < r.shipped_at
        order by n.release_id, ${suite}, n.ran_at desc, n.recorded_at desc, n.id desc) s
      where s.set_aside_at is not null`,
    [projectId, list(releaseIds)],
  );
};

/** On a cluster: returns the releases of a project in which the latest run of a suite is set aside. */
const releasesWithSetAside = async (access: Access, projectId: string): Promise<ReadonlySet<string>> => {
  const kept = await access.read<{ id: string; set_aside: boolean; late: boolean }>(
    `select l.release_id as id, bool_or(l.set_aside = 1 and ${isInTime('r')}) as set_aside, bool_or(not ${isInTime('r')}) as late
      from latest_test_runs l join releases r on r.id = l.release_id where r.project_id = ? group by l.release_id`,
    [projectId],
  );
  const late = kept.filter((release) => release.late).map(({ id }) => id);
  const looked = late.length === 0 ? [] : await setAsideAmongRuns(access, projectId, late);
  const stored = kept.filter((release) => release.set_aside).map(({ id }) => id);
  return new Set([...stored, ...looked.map(({ release_id }) => release_id)]);
};

/**
 * On a cluster: returns the ids of the runs that count for a release of the project; none of a release in which the latest
 * run of a suite is set aside. Reads the stored latest runs on the coordinator; where one was recorded after its release shipped, searches all runs on a worker.
 */
export const countingRuns = async (
  access: Access,
  projectId: string,
  verification: TestRunTarget['verification'],
): Promise<readonly string[]> => {
  const each = verification === 'latest_run' ? '' : ', l.suite';
  const kept = await access.read<{ id: string; release_id: string; suite: string; in_time: boolean }>(
    `select distinct on (l.release_id${each}) l.test_run_id as id, l.release_id, l.suite,
        ${isInTime('r')} as in_time
      from latest_test_runs l join releases r on r.id = l.release_id where r.project_id = ?
      order by l.release_id${each}, l.ran_at desc, l.recorded_at desc, l.test_run_id desc`,
    [projectId],
  );
  const late = kept.filter((run) => !run.in_time);
  const suite = verification === 'latest_run' ? '' : `, coalesce(n.suite, '')`;
  const looked =
    late.length === 0
      ? []
      : await access.read<{ id: string; release_id: string }>(
          `select distinct on (n.release_id${suite}) n.id, n.release_id from test_runs n join releases r on r.id = n.release_id
            where n.project_id = ? and ${access.dialect.among('n.release_id', 'id')} and n.recorded_at < r.shipped_at
            order by n.release_id${suite}, n.ran_at desc, n.recorded_at desc, n.id desc`,
          [projectId, access.dialect.list([...new Set(late.map(({ release_id }) => release_id))])],
        );
  const inTime = kept.filter((run) => run.in_time);
  const unmeasured = await releasesWithSetAside(access, projectId);
  return [...inTime, ...looked].filter(({ release_id }) => !unmeasured.has(release_id)).map(({ id }) => id);
};
