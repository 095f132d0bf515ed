import type { Deployment, Page, PageRequest, TestRunTarget } from '@shipworthy/domain';
import type { Access } from './access.js';
import { newestIn } from './newest-in.js';
import { MISSED_SHIPPING, notCountedSpans } from './not-counted-spans.js';

/** Deployments that count for no release, newest first; see the port. */
export const deploymentsNotCounted = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  page: PageRequest,
): Promise<Page<Deployment>> => {
  const { among, list } = access.dialect;
  const upTo = page.after === null ? null : Number(page.after[0]);
  const spans = await notCountedSpans(access, projectId, environments, upTo, page.limit + 1);
  const outside = environments === null ? '' : `or not (${among('d.environment', 'text')})`;
  return newestIn(access, projectId, page, {
    spans: spans.map(({ every, ...span }) => ({ ...span, mark: every ? 1 : 0 })),
    condition: `(v.mark = 1 or d.status = 'started' or (d.is_return = 1 and d.status = 'success') ${outside}
      or (${MISSED_SHIPPING}))`,
    bindings: environments === null ? [] : [list(environments)],
  });
};

/**
 * The latest run of a release `r` among those that were recorded before it shipped. It is the kept one, unless that came
 * afterwards: then it is looked for. `picked` is what is answered of a run.
 */
export const latestInTime = (
  release: string,
  picked: (run: string, id: string) => string,
  suite: string | null,
): string => {
  const ofSuite = (column: string): string => (suite === null ? '' : `and ${column} = coalesce(${suite}, '')`);
  return `(select case when ${release}.shipped_at is null or l.recorded_at < ${release}.shipped_at
      then ${picked('l', 'l.test_run_id')}
      else (select ${picked('n', 'n.id')} from test_runs n where n.release_id = ${release}.id
        and n.recorded_at < ${release}.shipped_at ${ofSuite("coalesce(n.suite, '')")}
        order by n.ran_at desc, n.recorded_at desc, n.id desc limit 1) end
    from latest_test_runs l where l.release_id = ${release}.id ${ofSuite('l.suite')}
    order by l.ran_at desc, l.recorded_at desc, l.test_run_id desc limit 1)`;
};

const superseded = (suite: string | null): string =>
  `(t.set_aside_at is not null or coalesce(t.id <> (select ${latestInTime('r', (_, id) => id, suite)} from releases r where r.id = t.release_id), true))`;

/** What holds of a test run `t` whose place a later one has taken, that was recorded after its release shipped, or that is set aside. */
export const SUPERSEDED: Readonly<Record<TestRunTarget['verification'], string>> = {
  latest_run: superseded(null),
  latest_per_suite: superseded('t.suite'),
};
