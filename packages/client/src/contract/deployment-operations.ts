import { ContributionQuery, recordPageOf } from './attribution.js';
import { BATCH_BYTES, BATCH_RECORDS, BatchResults } from './batch.js';
import { Deployment, DeploymentFinish, DeploymentRequest, DeploymentStatus } from './deployment.js';
import { Text, Timestamp } from './field.js';
import type { Operation } from './operation.js';
import { pageQuery } from './page.js';
import { PROJECT } from './path.js';
import { envelope, record } from './record.js';

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

export const listDeployments = {
  method: 'GET',
  path: `${PROJECT}/deployments`,
  tag: 'deployments',
  summary: 'List the deployments of a project, newest first',
  description: 'Everything the project received, counted or not.',
  auth: { kind: 'key', scope: 'read', role: 'viewer' },
  query: record({
    properties: {
      ...pageQuery,
      environment: Text,
      status: DeploymentStatus,
      started_from: { ...Timestamp, description: 'Started then or later.' },
      started_to: { ...Timestamp, description: 'Started before then.' },
    },
    optional: ['limit', 'cursor', 'environment', 'status', 'started_from', 'started_to'],
  }),
  success: { status: 200, body: recordPageOf(Deployment) },
  problems: [],
} as const satisfies Operation;
