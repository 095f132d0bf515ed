import type { SchemaStep } from './step.js';

const COLUMNS = 'release_id, suite, test_run_id, ran_at, recorded_at, total, passed, commit_sha';

/**
 * Sets the times of test runs that a fast clock put after their recording back to it, and finds the latest run of their
 * suites anew. Only a suite whose latest run lay ahead can have another latest run: a run of an honest time is no later by
 * the new order than by the old one. The version before goes on with corrected times.
 */
export const effectiveTimes: SchemaStep = {
  name: 'effective times',
  statements: ({ least }) => {
    const columns = (table: string, suite: string, id: string): string =>
      `${table}.release_id, ${suite} as suite, ${table}.${id} as test_run_id,
        ${least}(${table}.ran_at, ${table}.recorded_at) as ran_at, ${table}.recorded_at, ${table}.total, ${table}.passed,
        ${table}.commit_sha`;
    return [
      `update release_marks set revision = revision + 1, dirty = 1 where release_id in
        (select l.release_id from latest_test_runs l where l.ran_at > l.recorded_at)`,
      // The latest run itself may be gone from test_runs, where old records were removed.
      `insert into latest_test_runs (${COLUMNS})
        select ${COLUMNS} from (
          select c.*, row_number() over (partition by c.release_id, c.suite
            order by c.ran_at desc, c.recorded_at desc, c.test_run_id desc) as place
          from (
            select ${columns('l', 'l.suite', 'test_run_id')} from latest_test_runs l where l.ran_at > l.recorded_at
            union all
            select ${columns('t', 'l.suite', 'id')} from latest_test_runs l
              join test_runs t on t.release_id = l.release_id and coalesce(t.suite, '') = l.suite and t.id <> l.test_run_id
              where l.ran_at > l.recorded_at) c) o
        where o.place = 1
        on conflict (release_id, suite) do update set test_run_id = excluded.test_run_id, ran_at = excluded.ran_at,
          recorded_at = excluded.recorded_at, total = excluded.total, passed = excluded.passed,
          commit_sha = excluded.commit_sha`,
      'update test_runs set ran_at = recorded_at where ran_at > recorded_at',
    ];
  },
};
