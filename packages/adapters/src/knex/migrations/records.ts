import type { Dialect } from '../dialect.js';
import type { SchemaStep } from './migrate.js';

/** What pipelines report, the counts that are stored with it, waivers and trends. */
export const records: SchemaStep = {
  name: 'records',
  statements: ({ types: { id, text, moment, integer, count, number, json }, tableEnd, carrying }) => [
    `create table deployments (
      id ${id} primary key, project_id ${id} not null references projects (id), app_name ${text} not null,
      environment ${text} not null, commit_sha ${text} not null, version ${text}, deployed_by ${text},
      status ${text} not null, url ${text}, started_at ${moment} not null, finished_at ${moment},
      duration_seconds ${number}, created_at ${moment} not null, external_id ${text},
      external_fingerprint ${text}) ${tableEnd}`,
    `create index deployments_newest on deployments (project_id, started_at, id${carrying('environment', 'status')}`,
    `create unique index deployments_external on deployments (project_id, external_id) where external_id is not null`,
    // Buckets of 24 hours and of one hour, counted from 1970: a window is whole days, whole hours, and rows at its
    // ends.
    `create table deployment_counts (
      project_id ${id} not null, hours ${integer} not null, bucket ${integer} not null, environment ${text} not null,
      started ${integer} not null, success ${integer} not null, failure ${integer} not null,
      primary key (project_id, hours, bucket, environment)) ${tableEnd}`,
    `create table test_runs (
      id ${id} primary key, project_id ${id} not null references projects (id),
      release_id ${id} not null references releases (id), suite ${text}, total ${integer} not null,
      passed ${integer} not null, failed ${integer} not null, skipped ${integer}, commit_sha ${text}, url ${text},
      duration_seconds ${number}, ran_at ${moment} not null, recorded_at ${moment} not null, recorded_by ${text} not null,
      external_id ${text}, external_fingerprint ${text}) ${tableEnd}`,
    'create index test_runs_project on test_runs (project_id, ran_at, recorded_at, id)',
    'create index test_runs_release on test_runs (release_id, ran_at, recorded_at, id)',
    `create unique index test_runs_external on test_runs (project_id, external_id) where external_id is not null`,
    // The latest run of each suite of a release; '' means the runs without a suite name.
    `create table latest_test_runs (
      release_id ${id} not null references releases (id), suite ${text} not null, test_run_id ${id} not null,
      ran_at ${moment} not null, recorded_at ${moment} not null, total ${integer} not null, passed ${integer} not null,
      commit_sha ${text}, primary key (release_id, suite)) ${tableEnd}`,
    `create table waivers (
      id ${id} primary key, release_id ${id} not null references releases (id), code ${text} not null, axis ${text},
      text ${text} not null, actual ${number}, created_by ${text} not null, created_at ${moment} not null,
      expires_at ${moment} not null, withdrawn_at ${moment}, withdrawn_by ${text}) ${tableEnd}`,
    'create index waivers_release on waivers (release_id, created_at, id)',
    `create table history_points (
      release_id ${id} not null references releases (id), second ${count} not null, at ${moment} not null,
      score ${number}, coverage ${number} not null, decision ${text} not null, axes ${json} not null,
      causes ${json} not null, cause_count ${integer} not null, primary key (release_id, second)) ${tableEnd}`,
  ],
};

/** The inputs of each point of a trend, so that any past moment can be judged again. Older points have none. */
export const snapshots: SchemaStep = {
  name: 'snapshots',
  statements: ({ types: { integer, json } }) => [
    `alter table history_points add column revision ${integer}`,
    `alter table history_points add column policy_version ${integer}`,
    `alter table history_points add column snapshot ${json}`,
  ],
};

/**
 * Every move of every release, for good. The moves of one revision are one row, since most come many at a time: `moves`
 * is their text, `size` how many they are. A time limit has no revision of its own: `turn` is its moment in
 * milliseconds. `unmoved_revisions` has revisions that read the same as the point before them.
 */
export const moves: SchemaStep = {
  name: 'moves',
  statements: ({ types: { id, text, moment, integer, count }, tableEnd }) => [
    `create table release_moves (
      release_id ${id} not null references releases (id), revision ${count} not null, turn ${count} not null,
      size ${integer} not null, moves ${text} not null, primary key (release_id, revision, turn)) ${tableEnd}`,
    `create table unmoved_revisions (
      release_id ${id} not null references releases (id), second ${count} not null, at ${moment} not null,
      revision ${count} not null, primary key (release_id, second)) ${tableEnd}`,
    'create unique index release_moves_limits on release_moves (release_id, turn) where turn > 0',
  ],
};

/** The moments since which all of a project's records are stored; null: none was removed. */
export const keptRecords: SchemaStep = {
  name: 'kept records',
  statements: ({ types: { moment } }) => [
    `alter table projects add column deployments_since ${moment}`,
    `alter table projects add column test_runs_since ${moment}`,
  ],
};

const COLUMNS = 'release_id, suite, test_run_id, ran_at, recorded_at, total, passed, commit_sha';

/**
 * Sets the times of test runs that a fast clock put after their recording to the recording, and finds the latest runs
 * of their suites again. Only a suite whose latest run was put ahead can get another one: corrections make no run
 * later. Instances of the version before work with corrected times, too.
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
      // Includes the stored latest run: its row in test_runs may have been removed for its age.
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

/** Which deployments are returns: `is_return` is 1 or null; older rows have null. Stored counts hold returns apart. */
export const returns: SchemaStep = {
  name: 'returns',
  statements: ({ types: { integer }, carrying }) => [
    `alter table deployments add column is_return ${integer}`,
    `create index deployments_returns on deployments (project_id, started_at${carrying('environment', 'status')}
      where is_return = 1`,
    `alter table deployment_counts add column returned ${integer} not null default 0`,
  ],
};

/**
 * Marks deployments in the window of a shipped release that were recorded or finished after it shipped, so that its
 * frozen report does not count them. The window of a shipped release never moves, so late deployments stay late.
 */
export const lateDeployments: SchemaStep = {
  name: 'late deployments',
  statements: ({ types: { integer } }) => [
    `alter table deployments add column late ${integer} not null default 0`,
    `update deployments set late = 1 where exists (select 1 from releases r
      where r.project_id = deployments.project_id and r.starts_at <= deployments.started_at
        and r.shipped_at > deployments.started_at
        and (deployments.created_at >= r.shipped_at or deployments.finished_at >= r.shipped_at))`,
    'create index deployments_late on deployments (project_id, started_at, id) where late = 1',
  ],
};

/** Finds the latest run of a release without reading that of each suite: a pipeline can give any number of suites. */
export const latestRuns: SchemaStep = {
  name: 'latest runs',
  statements: () => [
    'create index latest_test_runs_order on latest_test_runs (release_id, ran_at, recorded_at, test_run_id)',
  ],
};

/** Test runs that an owner set aside, with who, when and why; `latest_test_runs` tells only whether. */
export const runsSetAside: SchemaStep = {
  name: 'runs set aside',
  statements: ({ types: { integer, moment, text } }) => [
    `alter table test_runs add column set_aside_at ${moment}`,
    `alter table test_runs add column set_aside_by ${text}`,
    `alter table test_runs add column set_aside_reason ${text}`,
    `alter table latest_test_runs add column set_aside ${integer} not null default 0`,
  ],
};

/** Reports of axes of projects' own, and the latest one of each axis of a release. */
export const axisReports: SchemaStep = {
  name: 'axis reports',
  statements: ({ types: { id, text, moment, integer }, tableEnd }) => [
    `create table axis_reports (
      id ${id} primary key, project_id ${id} not null references projects (id),
      release_id ${id} not null references releases (id), axis ${text} not null, part ${integer} not null,
      whole ${integer}, explanation ${text}, url ${text}, measured_at ${moment} not null, recorded_at ${moment} not null,
      recorded_by ${text} not null, external_id ${text}, external_fingerprint ${text}) ${tableEnd}`,
    'create index axis_reports_release on axis_reports (release_id, axis, measured_at, recorded_at, id)',
    `create unique index axis_reports_external on axis_reports (project_id, axis, external_id)
      where external_id is not null`,
    `create table latest_axis_reports (
      release_id ${id} not null references releases (id), axis ${text} not null, report_id ${id} not null,
      part ${integer} not null, whole ${integer}, explanation ${text}, url ${text}, measured_at ${moment} not null,
      recorded_at ${moment} not null, primary key (release_id, axis)) ${tableEnd}`,
  ],
};

interface RebuiltTable {
  readonly table: string;
  /** The columns but `id` and `project_id`, as they are defined. */
  readonly columns: (types: Dialect['types']) => readonly string[];
  /** The other indexes of the table; only a copy of the table needs them again. */
  readonly indexes: (dialect: Dialect) => readonly string[];
}

/**
 * Makes `(project_id, id)` the primary key of a table that was keyed by `id`, which gets an index of its own, so that
 * one schema holds for one database and for tables that are distributed by project.
 * PostgreSQL: uses the two indexes of these names if they were made beforehand by `create index concurrently`; then the
 * table is locked for a moment only. Takes the strongest lock first: raising a weaker one would deadlock with reports.
 * SQLite cannot change a key: the table is copied.
 */
const keyedByProject = (step: string, { table, columns, indexes }: RebuiltTable): SchemaStep => ({
  name: step,
  statements: (dialect) => {
    if (dialect.name === 'postgres')
      return [
        `lock table ${table} in access exclusive mode`,
        `create index if not exists ${table}_id on ${table} (id)`,
        `do $$ begin
          if (select relkind from pg_class where oid = to_regclass('${table}')) = 'p' then
            alter table ${table} drop constraint ${table}_pkey, add primary key (project_id, id);
          else
            create unique index if not exists ${table}_by_project on ${table} (project_id, id);
            alter table ${table} drop constraint ${table}_pkey,
              add constraint ${table}_pkey primary key using index ${table}_by_project;
          end if;
        end $$`,
      ];
    const { id } = dialect.types;
    const defined = columns(dialect.types);
    const names = ['id', 'project_id', ...defined.map((column) => column.split(' ', 1).join(''))].join(', ');
    return [
      `create table ${table}_by_project (id ${id} not null, project_id ${id} not null references projects (id),
        ${defined.join(', ')}, primary key (project_id, id)) ${dialect.tableEnd}`,
      `insert into ${table}_by_project (${names}) select ${names} from ${table}`,
      `drop table ${table}`,
      `alter table ${table}_by_project rename to ${table}`,
      `create index ${table}_id on ${table} (id)`,
      ...indexes(dialect),
    ];
  },
});

export const deploymentsByProject = keyedByProject('deployments by project', {
  table: 'deployments',
  columns: ({ text, moment, number, integer }) => [
    `app_name ${text} not null`,
    `environment ${text} not null`,
    `commit_sha ${text} not null`,
    `version ${text}`,
    `deployed_by ${text}`,
    `status ${text} not null`,
    `url ${text}`,
    `started_at ${moment} not null`,
    `finished_at ${moment}`,
    `duration_seconds ${number}`,
    `created_at ${moment} not null`,
    `external_id ${text}`,
    `external_fingerprint ${text}`,
    `is_return ${integer}`,
    `late ${integer} not null default 0`,
  ],
  indexes: ({ carrying }) => [
    `create index deployments_newest on deployments (project_id, started_at, id${carrying('environment', 'status')}`,
    'create unique index deployments_external on deployments (project_id, external_id) where external_id is not null',
    `create index deployments_returns on deployments (project_id, started_at${carrying('environment', 'status')}
      where is_return = 1`,
    'create index deployments_late on deployments (project_id, started_at, id) where late = 1',
  ],
});

export const testRunsByProject = keyedByProject('test runs by project', {
  table: 'test_runs',
  columns: ({ id, text, moment, number, integer }) => [
    `release_id ${id} not null references releases (id)`,
    `suite ${text}`,
    `total ${integer} not null`,
    `passed ${integer} not null`,
    `failed ${integer} not null`,
    `skipped ${integer}`,
    `commit_sha ${text}`,
    `url ${text}`,
    `duration_seconds ${number}`,
    `ran_at ${moment} not null`,
    `recorded_at ${moment} not null`,
    `recorded_by ${text} not null`,
    `external_id ${text}`,
    `external_fingerprint ${text}`,
    `set_aside_at ${moment}`,
    `set_aside_by ${text}`,
    `set_aside_reason ${text}`,
  ],
  indexes: () => [
    'create index test_runs_project on test_runs (project_id, ran_at, recorded_at, id)',
    'create index test_runs_release on test_runs (release_id, ran_at, recorded_at, id)',
    'create unique index test_runs_external on test_runs (project_id, external_id) where external_id is not null',
  ],
});

export const axisReportsByProject = keyedByProject('axis reports by project', {
  table: 'axis_reports',
  columns: ({ id, text, moment, integer }) => [
    `release_id ${id} not null references releases (id)`,
    `axis ${text} not null`,
    `part ${integer} not null`,
    `whole ${integer}`,
    `explanation ${text}`,
    `url ${text}`,
    `measured_at ${moment} not null`,
    `recorded_at ${moment} not null`,
    `recorded_by ${text} not null`,
    `external_id ${text}`,
    `external_fingerprint ${text}`,
  ],
  indexes: () => [
    'create index axis_reports_release on axis_reports (release_id, axis, measured_at, recorded_at, id)',
    `create unique index axis_reports_external on axis_reports (project_id, axis, external_id)
      where external_id is not null`,
  ],
});

/** Finds reports of own axes by project and by age, and stores since when a project's reports are all there. */
export const axisReportsByAge: SchemaStep = {
  name: 'axis reports by age',
  statements: ({ types: { moment } }) => [
    `alter table projects add column axis_reports_since ${moment}`,
    'create index axis_reports_project on axis_reports (project_id, axis, measured_at, recorded_at, id)',
    'create index axis_reports_age on axis_reports (release_id, measured_at)',
  ],
};

/** Changes of gates, from this step on, and up to when each person has read them. */
export const gateChanges: SchemaStep = {
  name: 'gate changes',
  statements: ({ types: { id, text, moment, json }, tableEnd }) => [
    `create table gate_changes (
      id ${id} primary key, team_id ${id} not null, release_id ${id} not null references releases (id),
      noted_at ${moment} not null, at ${moment} not null, decision_before ${text} not null, decision ${text} not null,
      reason ${json}, constraint gate_changes_noted unique (noted_at)) ${tableEnd}`,
    'create index gate_changes_team on gate_changes (team_id, noted_at)',
    'create index gate_changes_release on gate_changes (release_id)',
    `create table read_gate_changes (
      user_id ${id} primary key references users (id), read_up_to ${moment} not null) ${tableEnd}`,
  ],
};
