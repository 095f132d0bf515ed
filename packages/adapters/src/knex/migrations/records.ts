import type { SchemaStep } from './step.js';

/** What pipelines report, the counts kept beside it, and what is made of it. */
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
    // Buckets of 24 hours and of one hour, counted from 1970: a window is whole days, whole hours and two rests.
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
    // The latest run of each suite of a release; '' stands for the runs without a suite name.
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
