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

/** What holds of a test run `t` whose place a later one has taken. */
export const SUPERSEDED: Readonly<Record<TestRunTarget['verification'], string>> = {
  latest_run: `t.id <> (select l.test_run_id from latest_test_runs l where l.release_id = t.release_id
    order by l.ran_at desc, l.recorded_at desc, l.test_run_id desc limit 1)`,
  latest_per_suite: `t.id <> (select l.test_run_id from latest_test_runs l where l.release_id = t.release_id
    and l.suite = coalesce(t.suite, ''))`,
};
