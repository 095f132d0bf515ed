// SQL by hand: one statement finds the first deployments, in either order, in many spans of time.
import type { Deployment, DeploymentStatus, Instant, ListOrder, Page, PageRequest } from '@shipworthy/domain';
import { type ColumnKind, FIRST_MOMENT, LAST_MOMENT, type Value } from './dialect.js';
import { type Access, boundMoment } from './sql.js';

export interface StoredDeploymentRow {
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
  /** 1: the deployment is a return; null: it is none. */
  readonly is_return: number | null;
}

/** Every column, in the order of `deploymentCells`. */
export const DEPLOYMENT_KINDS: Readonly<Record<keyof StoredDeploymentRow, ColumnKind>> = {
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

/** The columns as SQL, each prefixed with the name of the table. */
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
  boundMoment(access, deployment.finishedAt),
  deployment.durationSeconds,
  access.dialect.moment(deployment.createdAt),
  deployment.external?.id ?? null,
  deployment.external?.fingerprint ?? null,
  deployment.isReturn ? 1 : null,
];

/** Reads an external id from the two columns that hold it. */
export const externalOf = (id: string | null, fingerprint: string | null) =>
  id === null ? null : { id, fingerprint: fingerprint ?? '' };

export const deploymentOfRow = (row: StoredDeploymentRow): Deployment => ({
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

/** Limits a moment to those that a database can hold: spans of time may begin earlier and end later. */
const clampToDatabase = (at: number): number => Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);

/** For each order, as SQL: the sort direction, and the operator that finds the rows behind a row. */
export const SQL_ORDERS = { 'newest-first': ['desc', '<'], 'oldest-first': ['asc', '>'] } as const;

/** Which deployments are looked for, and where. */
interface Sought {
  readonly order: ListOrder;
  /** In this order, without overlaps. The condition reads the `mark` of a deployment's span as `v.mark`. */
  readonly spans: readonly { readonly from: Instant; readonly to: Instant; readonly mark: number }[];
  /** The condition on a deployment `d`, as SQL; `v` is its span. */
  readonly condition: string;
  readonly bindings: readonly Value[];
}

/** Returns the ids of the first deployments in the spans, in order: a page and one more of each, by one index scan. */
const firstIds = async (
  { dialect, read }: Access,
  projectId: string,
  { limit, after }: PageRequest,
  { order, spans, condition, bindings }: Sought,
): Promise<readonly string[]> => {
  const asked = dialect.rowset('v', { place: 'integer', begins: 'moment', ends: 'moment', mark: 'integer' });
  const [startedAt, id] = after ?? [];
  const [way, beyond] = SQL_ORDERS[order];
  const behind = after === null ? '' : `and (d.started_at, d.id) ${beyond} (?, ?)`;
  const cursor: readonly Value[] = after === null ? [] : [dialect.moment(Number(startedAt)), String(id)];
  const rows = await read<{ ids: string | null }>(
    `select (select ${dialect.jsonArrayOf}(n.id order by n.started_at ${way}, n.id ${way}) from
        (select d.id, d.started_at from deployments d where d.project_id = ? and d.started_at >= v.begins
          and d.started_at < v.ends ${behind} and ${condition}
          order by d.started_at ${way}, d.id ${way} limit ?) n) as ids
      from ${asked.table} order by v.place`,
    [
      projectId,
      ...cursor,
      ...bindings,
      limit + 1,
      ...asked.bindings(
        spans.map(({ from, to, mark }, place) => [
          place,
          dialect.moment(clampToDatabase(from)),
          dialect.moment(clampToDatabase(to)),
          mark,
        ]),
      ),
    ],
  );
  return rows.flatMap(({ ids }) => (ids === null ? [] : (JSON.parse(ids) as readonly string[])));
};

/** One page of the deployments in these spans. */
export const pageIn = async (
  access: Access,
  projectId: string,
  page: PageRequest,
  sought: Sought,
): Promise<Page<Deployment>> => {
  const { among, list } = access.dialect;
  const [way] = SQL_ORDERS[sought.order];
  const ids = await firstIds(access, projectId, page, sought);
  const shown = ids.slice(0, page.limit);
  const rows = await access.read<StoredDeploymentRow>(
    `select ${deploymentColumns('d')} from deployments d where ${among('d.id', 'id')} order by d.started_at ${way}, d.id ${way}`,
    [list(shown)],
  );
  const last = rows.at(-1);
  const next = ids.length > shown.length && last !== undefined ? [last.started_at, last.id] : null;
  return { rows: rows.map(deploymentOfRow), next };
};
