import type { Deployment, Page, PageRequest, TestRunTarget } from '@shipworthy/domain';
import type { Access } from './access.js';
import { type DeploymentRow, deploymentColumns, deploymentOf } from './deployment-row.js';
import type { Value } from './dialect.js';
import { notCountedSpans, type Span } from './not-counted-spans.js';

/** The moments a database can hold; spans of time are open beyond them. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
const held = (at: number): number => Math.min(Math.max(at, FIRST_MOMENT), LAST_MOMENT);

/** Ids of the newest in the spans, newest first: in each span as many as may be shown, by one look into an index. */
const newestIn = async (
  { dialect, read }: Access,
  projectId: string,
  environments: readonly string[] | null,
  spans: readonly Span[],
  { limit, after }: PageRequest,
): Promise<readonly string[]> => {
  const asked = dialect.rowset('v', { place: 'integer', begins: 'moment', ends: 'moment', every: 'integer' });
  const [startedAt, id] = after ?? [];
  const earlier = after === null ? '' : 'and (d.started_at, d.id) < (?, ?)';
  const cursor: readonly Value[] = after === null ? [] : [dialect.moment(Number(startedAt)), String(id)];
  const outside = environments === null ? '' : `or not (${dialect.among('d.environment', 'text')})`;
  const rows = await read<{ ids: string | null }>(
    `select (select ${dialect.jsonArrayOf}(n.id order by n.started_at desc, n.id desc) from
        (select d.id, d.started_at from deployments d where d.project_id = ? and d.started_at >= v.begins
          and d.started_at < v.ends ${earlier} and (v.every = 1 or d.status = 'started' ${outside})
          order by d.started_at desc, d.id desc limit ?) n) as ids
      from ${asked.table} order by v.place`,
    [
      projectId,
      ...cursor,
      ...(environments === null ? [] : [dialect.list(environments)]),
      limit + 1,
      ...asked.bindings(
        spans.map(({ from, to, every }, place) => [
          place,
          dialect.moment(held(from)),
          dialect.moment(held(to)),
          every ? 1 : 0,
        ]),
      ),
    ],
  );
  return rows.flatMap(({ ids }) => (ids === null ? [] : (JSON.parse(ids) as readonly string[])));
};

/** Deployments that count for no release, newest first; see the port. */
export const deploymentsNotCounted = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  page: PageRequest,
): Promise<Page<Deployment>> => {
  const { among, list } = access.dialect;
  const upTo = page.after === null ? null : Number(page.after[0]);
  const spans = await notCountedSpans(access, projectId, environments, upTo, page.limit + 1);
  const ids = await newestIn(access, projectId, environments, spans, page);
  const shown = ids.slice(0, page.limit);
  const rows = await access.read<DeploymentRow>(
    `select ${deploymentColumns('d')} from deployments d where ${among('d.id', 'id')} order by d.started_at desc, d.id desc`,
    [list(shown)],
  );
  const last = rows.at(-1);
  const next = ids.length > shown.length && last !== undefined ? [last.started_at, last.id] : null;
  return { rows: rows.map(deploymentOf), next };
};

/** What holds of a test run `t` whose place a later one has taken. */
export const SUPERSEDED: Readonly<Record<TestRunTarget['verification'], string>> = {
  latest_run: `t.id <> (select l.test_run_id from latest_test_runs l where l.release_id = t.release_id
    order by l.ran_at desc, l.recorded_at desc, l.test_run_id desc limit 1)`,
  latest_per_suite: `t.id <> (select l.test_run_id from latest_test_runs l where l.release_id = t.release_id
    and l.suite = coalesce(t.suite, ''))`,
};
