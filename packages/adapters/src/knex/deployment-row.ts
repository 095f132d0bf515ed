import type { Deployment, DeploymentStatus } from '@shipworthy/domain';
import type { Access } from './access.js';
import type { ColumnKind } from './dialect.js';
import { momentOrNull } from './sql.js';

export interface DeploymentRow {
  readonly id: string;
  readonly project_id: string;
  readonly app_name: string;
  readonly environment: string;
  readonly commit_sha: string;
  readonly version: string | null;
  readonly deployed_by: string | null;
  readonly status: DeploymentStatus;
  readonly url: string | null;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly duration_seconds: number | null;
  readonly created_at: number;
  readonly external_id: string | null;
  readonly external_fingerprint: string | null;
  /** 1 or null. */
  readonly is_return: number | null;
}

/** Every column, in the order of `deploymentCells`. */
export const DEPLOYMENT_KINDS: Readonly<Record<keyof DeploymentRow, ColumnKind>> = {
  id: 'id',
  project_id: 'id',
  app_name: 'text',
  environment: 'text',
  commit_sha: 'text',
  version: 'text',
  deployed_by: 'text',
  status: 'text',
  url: 'text',
  started_at: 'moment',
  finished_at: 'moment',
  duration_seconds: 'number',
  created_at: 'moment',
  external_id: 'text',
  external_fingerprint: 'text',
  is_return: 'integer',
};

const NAMES = Object.keys(DEPLOYMENT_KINDS);

/** The columns, each behind the name of its table. */
export const deploymentColumns = (table: string): string => NAMES.map((name) => `${table}.${name}`).join(', ');

/** The values of a deployment in the order of its columns. */
export const deploymentCells = (access: Access, deployment: Deployment) => [
  deployment.id,
  deployment.projectId,
  deployment.appName,
  deployment.environment,
  deployment.commitSha,
  deployment.version,
  deployment.deployedBy,
  deployment.status,
  deployment.url,
  access.dialect.moment(deployment.startedAt),
  momentOrNull(access, deployment.finishedAt),
  deployment.durationSeconds,
  access.dialect.moment(deployment.createdAt),
  deployment.external?.id ?? null,
  deployment.external?.fingerprint ?? null,
  deployment.isReturn ? 1 : null,
];

/** The name a record has in the system that sent it, as kept in two columns. */
export const externalOf = (id: string | null, fingerprint: string | null) =>
  id === null ? null : { id, fingerprint: fingerprint ?? '' };

export const deploymentOf = (row: DeploymentRow): Deployment => ({
  id: row.id,
  projectId: row.project_id,
  appName: row.app_name,
  environment: row.environment,
  commitSha: row.commit_sha,
  version: row.version,
  deployedBy: row.deployed_by,
  status: row.status,
  isReturn: row.is_return !== null,
  url: row.url,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  durationSeconds: row.duration_seconds,
  createdAt: row.created_at,
  external: externalOf(row.external_id, row.external_fingerprint),
});
