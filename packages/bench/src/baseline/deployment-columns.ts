import { randomUUID } from 'node:crypto';

/** What is stored of a deployment, the same columns as the service's own; no index but the primary key, no foreign key. */
export const DEPLOYMENT_COLUMNS = [
  'id',
  'project_id',
  'app_name',
  'environment',
  'commit_sha',
  'version',
  'deployed_by',
  'status',
  'url',
  'started_at',
  'finished_at',
  'duration_seconds',
  'created_at',
  'external_id',
  'external_fingerprint',
  'is_return',
  'late',
] as const;

const PROJECT = randomUUID();

/** The values of one row in the order of the columns; moments as `moment` writes them. */
export const deploymentValues = <Moment>(
  body: Record<string, unknown>,
  moment: (milliseconds: number) => Moment,
): readonly [string, ...unknown[]] => {
  const now = moment(Date.now());
  return [
    randomUUID(),
    PROJECT,
    body.app_name,
    body.environment,
    body.commit_sha,
    body.version ?? null,
    body.deployed_by ?? null,
    body.status,
    body.url ?? null,
    now,
    body.status === 'started' ? null : now,
    body.duration_seconds ?? null,
    now,
    null,
    null,
    null,
    0,
  ];
};
