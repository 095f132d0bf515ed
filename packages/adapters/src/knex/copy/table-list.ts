import type { ColumnKind } from '../dialect.js';

/** A table with all its columns. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

type Columns = { readonly [Kind in ColumnKind]?: string };

/** Every table of the schema but the record of its steps, each behind those it refers to, with its columns by kind. */
const CONTENTS: readonly (readonly [table: string, columns: Columns])[] = [
  [
    'users',
    {
      id: 'id',
      text: 'email email_key name password_hash',
      integer: 'administrator first email_verified',
      moment: 'created_at disabled_at',
    },
  ],
  ['teams', { id: 'id', text: 'name slug', integer: 'version demo', moment: 'created_at archived_at' }],
  ['memberships', { id: 'team_id user_id', text: 'role', moment: 'created_at' }],
  ['sessions', { id: 'id user_id', text: 'secret_hash', moment: 'created_at last_seen_at expires_at' }],
  [
    'invitations',
    {
      id: 'id team_id',
      text: 'secret_hash role created_by email email_key',
      moment: 'created_at expires_at accepted_at revoked_at',
    },
  ],
  ['sign_in_attempts', { id: 'id', text: 'account address', moment: 'at' }],
  ['known_addresses', { text: 'account address' }],
  [
    'audit',
    {
      id: 'id team_id',
      moment: 'at',
      text: 'actor_id actor_name actor_kind action resource_type resource_id address request_id',
      json: 'detail',
    },
  ],
  ['idempotency', { text: 'id fingerprint location body', moment: 'at', integer: 'status' }],
  [
    'projects',
    {
      id: 'id team_id',
      text: 'name slug origin_host origin_repository',
      integer: 'version policy_version',
      moment: 'created_at archived_at deployments_since test_runs_since axis_reports_since',
    },
  ],
  [
    'api_keys',
    {
      id: 'id user_id team_id project_id',
      text: 'name hash prefix last_used_address',
      json: 'scopes home_teams barred_teams',
      moment: 'created_at expires_at last_used_at revoked_at',
    },
  ],
  ['former_project_names', { id: 'project_id', text: 'name' }],
  [
    'policies',
    {
      id: 'project_id',
      integer: 'version',
      json: 'policy environments',
      text: 'verification changed_by',
      moment: 'changed_at',
    },
  ],
  [
    'releases',
    {
      id: 'id project_id',
      text: 'name state note external_id',
      moment: 'starts_at target_at shipped_at canceled_at created_at',
      integer: 'version',
    },
  ],
  [
    'release_marks',
    {
      id: 'release_id project_id',
      count: 'revision cause_count claimed_count',
      moment: 'changed_at claimed_until next_time_limit',
      integer: 'dirty',
      text: 'causes claimed_causes',
    },
  ],
  ['release_activations', { id: 'release_id project_id', moment: 'began_at ended_at' }],
  ['frozen_reports', { id: 'release_id', moment: 'frozen_at', json: 'report' }],
  [
    'checklist_items',
    {
      id: 'id release_id',
      text: 'key title origin state reason marked_by confirmed_by updated_by removed_by',
      integer: 'position version',
      moment: 'marked_at confirmed_at updated_at removed_at',
    },
  ],
  ['evidence', { id: 'id item_id', text: 'url label added_by', moment: 'added_at' }],
  [
    'issues',
    {
      id: 'id project_id release_id',
      text: 'title type state severity url external_id',
      integer: 'version open',
      moment: 'created_at updated_at',
    },
  ],
  ['issue_events', { count: 'place', id: 'issue_id release_id', moment: 'at', text: 'kind type' }],
  [
    'deployments',
    {
      id: 'id project_id',
      text: 'app_name environment commit_sha version deployed_by status url external_id external_fingerprint',
      moment: 'started_at finished_at created_at',
      number: 'duration_seconds',
      integer: 'is_return late',
    },
  ],
  [
    'deployment_counts',
    { id: 'project_id', integer: 'hours bucket started success failure returned', text: 'environment' },
  ],
  [
    'test_runs',
    {
      id: 'id project_id release_id',
      text: 'suite commit_sha url recorded_by external_id external_fingerprint set_aside_by set_aside_reason',
      integer: 'total passed failed skipped',
      number: 'duration_seconds',
      moment: 'ran_at recorded_at set_aside_at',
    },
  ],
  [
    'latest_test_runs',
    {
      id: 'release_id test_run_id',
      text: 'suite commit_sha',
      moment: 'ran_at recorded_at',
      integer: 'total passed set_aside',
    },
  ],
  [
    'axis_reports',
    {
      id: 'id project_id release_id',
      text: 'axis explanation url recorded_by external_id external_fingerprint',
      integer: 'part whole',
      moment: 'measured_at recorded_at',
    },
  ],
  [
    'latest_axis_reports',
    {
      id: 'release_id report_id',
      text: 'axis explanation url',
      integer: 'part whole',
      moment: 'measured_at recorded_at',
    },
  ],
  [
    'waivers',
    {
      id: 'id release_id',
      text: 'code axis text created_by withdrawn_by',
      number: 'actual',
      moment: 'created_at expires_at withdrawn_at',
    },
  ],
  [
    'history_points',
    {
      id: 'release_id',
      count: 'second',
      moment: 'at',
      number: 'score coverage',
      text: 'decision',
      json: 'axes causes snapshot',
      integer: 'cause_count revision policy_version',
    },
  ],
  [
    'gate_changes',
    { id: 'id team_id release_id', moment: 'noted_at at', text: 'decision_before decision', json: 'reason' },
  ],
  ['read_gate_changes', { id: 'user_id', moment: 'read_up_to' }],
  [
    'host_connections',
    {
      id: 'user_id',
      text: 'host account_id account_name sealed state lease',
      moment: 'grant_expires_at paused_until connected_at refresh_until claimed_until',
      integer: 'version',
    },
  ],
  ['host_approvals', { text: 'id host sealed_verifier redirect_url', id: 'session_id user_id', moment: 'expires_at' }],
  [
    'repository_links',
    {
      id: 'id project_id user_id',
      text: 'host repository_id repository_path repository_url default_branch linked_by',
      json: 'settings progress suspects pending',
      moment: 'linked_at due_at running_since issues_as_of',
      integer: 'hurried',
    },
  ],
  ['hook_deliveries', { text: 'id', moment: 'at' }],
  [
    'webhooks',
    {
      id: 'id project_id',
      text: 'url state secret former_secret created_by lease disabled_reason',
      json: 'types earlier_secrets',
      moment: 'former_until created_at served_at claimed_until failing_since disabled_at',
      integer: 'version',
    },
  ],
  [
    'webhook_deliveries',
    { id: 'webhook_id id', text: 'type body state', moment: 'at next_at', integer: 'tries', json: 'attempts' },
  ],
  ['told_events', { id: 'id', text: 'event', moment: 'told_at' }],
  ['badges', { id: 'project_id', text: 'token_hash created_by', moment: 'created_at' }],
  ['host_endings', { id: 'user_id', text: 'host sealed', moment: 'grant_expires_at due_at' }],
  ['release_moves', { id: 'release_id', count: 'revision turn', integer: 'size', text: 'moves' }],
  ['unmoved_revisions', { id: 'release_id', count: 'second revision', moment: 'at' }],
  ['database_identity', { text: 'id' }],
  ['key_salt', { integer: 'place', text: 'salt' }],
  ['event_sources', { id: 'project_id team_id', integer: 'place', text: 'source' }],
  [
    'checklist_templates',
    { id: 'project_id', integer: 'version', json: 'titles', text: 'changed_by', moment: 'changed_at' },
  ],
];

const kindsOf = Object.entries as (columns: Columns) => readonly (readonly [ColumnKind, string])[];

/** Every table that holds data, each behind the tables it refers to. */
export const TABLES: readonly CopiedTable[] = CONTENTS.map(([name, columns]) => ({
  name,
  columns: kindsOf(columns).flatMap(([kind, names]) => names.split(' ').map((column) => ({ name: column, kind }))),
}));

/** Where a table lies on a cluster of Citus; every table of the schema is in one of these lists. */
export const PLACES = {
  /** They grow with every report: spread over the workers by `project_id`, all rows of a project on one of them. */
  distributed: ['deployments', 'deployment_counts', 'test_runs', 'axis_reports'],
  /** They are joined to the distributed ones: a copy on every node. */
  reference: ['users', 'teams', 'projects', 'releases'],
  /** They stay on the coordinator. */
  coordinator: [
    ...['memberships', 'sessions', 'invitations', 'sign_in_attempts', 'known_addresses', 'audit', 'idempotency'],
    ...['api_keys', 'former_project_names', 'policies', 'checklist_templates', 'event_sources', 'badges'],
    ...['release_marks', 'release_activations', 'frozen_reports', 'checklist_items', 'evidence', 'waivers'],
    ...['issues', 'issue_events', 'latest_test_runs', 'latest_axis_reports'],
    ...['history_points', 'release_moves', 'unmoved_revisions', 'gate_changes', 'read_gate_changes'],
    ...['host_connections', 'host_approvals', 'host_endings', 'repository_links', 'hook_deliveries'],
    ...['webhooks', 'webhook_deliveries', 'told_events', 'database_identity', 'key_salt'],
  ],
} as const;
