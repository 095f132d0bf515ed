import {
  CommitSha,
  DurationSeconds,
  DurationSecondsOrNull,
  ExternalId,
  HttpUrl,
  HttpUrlOrNull,
  Id,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
} from './field.js';
import { CSV_LIST, type Operation } from './operation.js';
import { PROJECT } from './path.js';
import {
  BATCH_BYTES,
  BATCH_RECORDS,
  BatchResults,
  ContributionQuery,
  DeploymentAttribution,
  recordPageOf,
} from './pipeline-report.js';
import {
  envelope,
  type FromSchema,
  type InterfaceBase,
  pageQuery,
  record,
  type Schema,
  timeOrder,
  wordsIn,
} from './schema.js';

export const DeploymentStatus = {
  type: 'string',
  enum: ['started', 'success', 'failure'],
} as const satisfies Schema;

const AppName = { ...Text, description: 'The name of the project, exactly; case counts.' } as const;
const Environment = { ...Text, description: 'Free label of the environment.', examples: ['production'] } as const;
const Label = { ...Text, description: 'Version that was deployed.', examples: ['2.4.1'] } as const;
const DeployedBy = { ...Text, description: 'Who or what deployed.', examples: ['github-actions'] } as const;
const RunUrl = 'Page of the pipeline run.';

export const DeploymentRequest = record({
  title: 'DeploymentRequest',
  description: 'A deployment that begins, or one that has finished already.',
  properties: {
    app_name: AppName,
    environment: Environment,
    commit_sha: CommitSha,
    version: Label,
    deployed_by: DeployedBy,
    status: DeploymentStatus,
    started_at: { ...Timestamp, description: 'When it began, at most 5 minutes ahead; now unless given.' },
    finished_at: {
      ...Timestamp,
      description:
        'When it finished; only with a final status, not before `started_at`. Up to 5 minutes ahead it is taken for now.',
    },
    duration_seconds: DurationSeconds,
    project_id: { ...Id, description: 'Settles which project is meant when several have the name.' },
    url: { ...HttpUrl, description: RunUrl },
    external_id: ExternalId,
  },
  optional: [
    'version',
    'deployed_by',
    'started_at',
    'finished_at',
    'duration_seconds',
    'project_id',
    'url',
    'external_id',
  ],
  examples: [
    {
      app_name: 'checkout',
      environment: 'production',
      commit_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      version: '2.4.1',
      deployed_by: 'github-actions',
      status: 'started',
    },
  ],
});
export type DeploymentRequest = FromSchema<typeof DeploymentRequest>;

export const DeploymentFinish = record({
  title: 'DeploymentFinish',
  properties: {
    status: { type: 'string', enum: ['success', 'failure'] },
    duration_seconds: DurationSeconds,
  },
  optional: ['duration_seconds'],
  examples: [{ status: 'success', duration_seconds: 94.5 }],
});
export type DeploymentFinish = FromSchema<typeof DeploymentFinish>;

const deploymentSchema = record({
  title: 'Deployment',
  description: 'A deployment as it was reported.',
  properties: {
    id: Id,
    app_name: AppName,
    project_id: Id,
    environment: Environment,
    commit_sha: CommitSha,
    version: { ...Label, type: TextOrNull.type },
    deployed_by: { ...DeployedBy, type: TextOrNull.type },
    status: DeploymentStatus,
    is_return: {
      type: 'boolean',
      description:
        'Whether its sender said that it put back what ran there before, as `service.rolledback` of CDEvents does.',
    },
    url: { ...HttpUrlOrNull, description: RunUrl },
    started_at: { ...Timestamp, description: 'Decides which release windows it falls in.' },
    finished_at: TimestampOrNull,
    duration_seconds: DurationSecondsOrNull,
    created_at: Timestamp,
    attribution: DeploymentAttribution,
  },
});
export interface DeploymentSchema extends InterfaceBase<typeof deploymentSchema> {}
export const Deployment: DeploymentSchema = deploymentSchema;
export type Deployment = FromSchema<typeof Deployment>;

const write = { kind: 'key', scope: 'deployments:write', role: 'member' } as const;

export const recordDeployment = {
  method: 'POST',
  path: '/api/deployments',
  tag: 'deployments',
  summary: 'Report a deployment',
  description: 'With status `started` when it begins, or in one call with `success` or `failure` when it is over.',
  auth: write,
  query: ContributionQuery,
  body: DeploymentRequest,
  idempotent: true,
  success: { status: 201, body: envelope(Deployment) },
  location: '/api/deployments/{id}',
  problems: ['unknown-app-name', 'ambiguous-app-name', 'external-id-conflict'],
  keepsKey: true,
} as const satisfies Operation;

export const finishDeployment = {
  method: 'PUT',
  path: '/api/deployments/{deployment_id}',
  tag: 'deployments',
  summary: 'Report how a deployment ended',
  description:
    'Final. The same status again, with the same duration or none, answers the record unchanged; another status or duration is refused.',
  auth: write,
  query: ContributionQuery,
  body: DeploymentFinish,
  repeatable: true,
  success: { status: 200, body: envelope(Deployment) },
  problems: ['deployment-finished'],
} as const satisfies Operation;

export const readDeployment = {
  method: 'GET',
  path: '/api/deployments/{deployment_id}',
  tag: 'deployments',
  summary: 'Read a deployment with what it counts for',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  success: { status: 200, body: envelope(Deployment) },
  problems: [],
} as const satisfies Operation;

export const importDeployments = {
  method: 'POST',
  path: '/api/deployments/batch',
  tag: 'deployments',
  summary: 'Import up to 1,000 deployments',
  description:
    'A JSON array, or NDJSON with one record per line. Good records are stored although others are refused. Give each an `external_id`, so that it is stored once however often it is sent.',
  auth: write,
  body: { type: 'array', items: DeploymentRequest, minItems: 1, maxItems: BATCH_RECORDS },
  bodyMode: 'batch',
  bodyLimit: BATCH_BYTES,
  idempotent: true,
  success: { status: 200, body: BatchResults },
  problems: [],
} as const satisfies Operation;

const listQuery = {
  q: wordsIn('commit, version and environment'),
  environment: Text,
  status: DeploymentStatus,
  started_from: { ...Timestamp, description: 'Started then or later.' },
  started_to: { ...Timestamp, description: 'Started before then.' },
  ...timeOrder,
} as const satisfies Readonly<Record<string, Schema>>;

const LIST_MEMBERS = ['q', 'environment', 'status', 'started_from', 'started_to', 'order'] as const;

export const listDeployments = {
  method: 'GET',
  path: `${PROJECT}/deployments`,
  tag: 'deployments',
  summary: 'List the deployments of a project, newest first unless `order` says otherwise',
  description: 'Everything the project received, counted or not.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  query: record({ properties: { ...pageQuery, ...listQuery }, optional: ['limit', 'cursor', ...LIST_MEMBERS] }),
  success: { status: 200, body: recordPageOf(Deployment) },
  problems: [],
  fromReplica: true,
} as const satisfies Operation;

export const exportDeployments = {
  ...CSV_LIST,
  path: `${PROJECT}/deployments.csv`,
  tag: 'deployments',
  summary: 'Export the deployments of a project as CSV, newest first unless `order` says otherwise',
  query: record({ properties: listQuery, optional: [...LIST_MEMBERS] }),
} as const satisfies Operation;
