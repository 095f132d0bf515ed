import type { Deployment, Instant, Page, PageRequest } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.js';
import { FIRST_MOMENT, LAST_MOMENT, type Value } from './dialect.js';

/** Spans of time are open beyond what a database can hold. */
const held = (at: number): number => Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);

/** Where deployments are looked for. */
interface Sought {
  /** Latest first, none touching another; `mark` tells the condition which one it is in. */
  readonly spans: readonly { readonly from: Instant; readonly to: Instant; readonly mark: number }[];
  /** What holds of such a deployment `d`, as SQL; `v` is its span. */
  readonly condition: string;
  readonly bindings: readonly Value[];
}

/** Ids of the newest in the spans, newest first: in each span as many as may be shown, by one look into an index. */
const newestIds = async (
  { dialect, read }: Access,
  projectId: string,
  { limit, after }: PageRequest,
  { spans, condition, bindings }: Sought,
): Promise<readonly string[]> => {
  const asked = dialect.rowset('v', { place: 'integer', begins: 'moment', ends: 'moment', mark: 'integer' });
  const [startedAt, id] = after ?? [];
  const earlier = after === null ? '' : 'and (d.started_at, d.id) < (?, ?)';
  const cursor: readonly Value[] = after === null ? [] : [dialect.moment(Number(startedAt)), String(id)];
  const rows = await read<{ ids: string | null }>(
    `select (select ${dialect.jsonArrayOf}(n.id order by n.started_at desc, n.id desc) from
        (select d.id, d.started_at from deployments d where d.project_id = ? and d.started_at >= v.begins
          and d.started_at < v.ends ${earlier} and ${condition}
          order by d.started_at desc, d.id desc limit ?) n) as ids
      from ${asked.table} order by v.place`,
    [
      projectId,
      ...cursor,
      ...bindings,
      limit + 1,
      ...asked.bindings(
        spans.map(({ from, to, mark }, place) => [place, dialect.moment(held(from)), dialect.moment(held(to)), mark]),
      ),
    ],
  );
  return rows.flatMap(({ ids }) => (ids === null ? [] : (JSON.parse(ids) as readonly string[])));
};

/** One page of the deployments in these spans, newest first. */
export const newestIn = async (
  access: Access,
  projectId: string,
  page: PageRequest,
  sought: Sought,
): Promise<Page<Deployment>> => {
  const { among, list } = access.dialect;
  const ids = await newestIds(access, projectId, page, sought);
  const shown = ids.slice(0, page.limit);
  const rows = await access.read<DeploymentRow>(
    `select ${deploymentColumns('d')} from deployments d where ${among('d.id', 'id')} order by d.started_at desc, d.id desc`,
    [list(shown)],
  );
  const last = rows.at(-1);
  const next = ids.length > shown.length && last !== undefined ? [last.started_at, last.id] : null;
  return { rows: rows.map(deploymentOf), next };
};
