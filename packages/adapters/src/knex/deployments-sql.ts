// SQL by hand: the stored counts lead to rare deployments among millions, and each first one is one index lookup.
import type { Deployment, DeploymentStatus, Interval, ListOrder, Page, PageRequest } from '@shipworthy/domain';
import type { DeploymentFilter, DeploymentStore, FirstDeployments } from '@shipworthy/domain/ports';
import {
  DEPLOYMENT_KINDS,
  deploymentColumns,
  deploymentOfRow,
  pageIn,
  type StoredDeploymentRow,
} from './deployment-rows-sql.js';
import { LAST_MOMENT, type Value } from './dialect.js';
import { deploymentsNotCounted } from './not-counted-sql.js';
import { query } from './query.js';
import { FOREVER, hoursHolding, joinedHours, recount } from './reports/deployment-counts-sql.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, inRequestedOrder, keysetPage, type Listing, lastMomentOfEach, rowsOfIds } from './sql.js';

/** The columns of the stored counts that count deployments of a status. */
const COUNTS: Readonly<Record<DeploymentStatus | 'any', readonly string[]>> = {
  started: ['started'],
  success: ['success', 'returned'],
  failure: ['failure'],
  any: ['started', 'success', 'failure', 'returned'],
};

/**
 * Returns one page of a project's deployments in one environment, of one status, or both. Reads only the hours that hold such
 * deployments, found by the stored counts: a rare one among millions would otherwise need a search through all. Returns
 * undefined when those hours held too few for a page: some were finished in between. Where old deployments of the project were
 * removed, their counts stayed: the hours before are searched as one span, for what open releases still need.
 */
const filteredPage = async (
  access: Access,
  { projectId, environment, status, started }: DeploymentFilter,
  page: PageRequest,
  order: ListOrder,
): Promise<Page<Deployment> | undefined> => {
  const project = await query(access).from('projects').where('id', projectId).first('deployments_since');
  const keptSince = project?.deployments_since ?? Number.NEGATIVE_INFINITY;
  const bound: Value[] = environment === undefined ? [] : [environment];
  const inEnvironment = (table: string): string => (environment === undefined ? '' : `and ${table}.environment = ?`);
  const some = (count: string): string =>
    `${COUNTS[status ?? 'any'].map((name) => `${count}.${name}`).join(' + ')} > 0`;
  const isUp = order === 'oldest-first';
  const seen = page.after === null ? null : Number(page.after[0]);
  const to = Math.min(seen === null || isUp ? FOREVER : seen + 1, started?.to ?? FOREVER);
  const from = (isUp ? seen : null) ?? started?.from ?? Number.NEGATIVE_INFINITY;
  const countedFrom = Math.max(from, keptSince);
  // Each hour holds at least one, except the first and the last hour, which the filter and the page before cut.
  const limit = page.limit + 3;
  const hours = await hoursHolding(access, projectId, {
    condition: (count) => `${some(count)} ${inEnvironment(count)}`,
    bindings: bound,
    from: Number.isFinite(countedFrom) ? countedFrom : null,
    to,
    limit,
    order,
  });
  const counted = joinedHours(hours, order).map((span) => ({
    from: Math.max(span.from, countedFrom),
    to: Math.min(span.to, to),
  }));
  const before = { from, to: Math.min(keptSince, to) };
  // Newest first, it comes after all counted hours: not while there may be more of them than were read.
  const end = hours.length < limit ? [before] : [];
  const spans = isUp ? [before, ...counted] : [...counted, ...end];
  const found = await pageIn(access, projectId, page, {
    order,
    spans: spans.filter((span) => span.from < span.to).map((span) => ({ ...span, mark: 0 })),
    condition: `${status === undefined ? 'true' : 'd.status = ?'} ${inEnvironment('d')}`,
    bindings: [...(status === undefined ? [] : [status]), ...bound],
  });
  // One less: the first hour found gives no row if all its deployments are outside the filter or on the page before.
  return found.next === null && hours.length >= limit - 1 ? undefined : found;
};

interface FirstRow {
  readonly place: number;
  readonly started_at: number | null;
  readonly succeeded_at: number | null;
}

/** Returns the first deployment and first success in each interval, in the order asked; each is one index lookup. */
const firstOf = async (
  access: Access,
  projectId: string,
  environments: readonly string[] | null,
  started: readonly Interval[],
): Promise<readonly FirstDeployments[]> => {
  const { dialect } = access;
  const asked = dialect.rowset('v', { place: 'integer', begins: 'moment', ends: 'moment' });
  const counts = environments === null ? '' : `and ${dialect.among('d.environment', 'text')}`;
  const first = (column: string, condition: string): string =>
    `(select d.${column} from deployments d where d.project_id = ? and d.started_at >= v.begins
      and d.started_at < v.ends
      and (d.is_return is null or d.status <> 'success') ${counts} ${condition} order by d.started_at, d.id limit 1)`;
  const named = [projectId, ...(environments === null ? [] : [dialect.list(environments)])];
  const rows = await access.read<FirstRow>(
    `select v.place, ${first('started_at', '')} as started_at,
      ${first('finished_at', `and d.status = 'success'`)} as succeeded_at from ${asked.table}`,
    [
      ...named,
      ...named,
      ...asked.bindings(
        started.map(({ from, to }, place) => [place, dialect.moment(from), dialect.moment(to ?? LAST_MOMENT)]),
      ),
    ],
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return started.map((_, place) => {
    const row = byPlace.get(place);
    return { startedAt: row?.started_at ?? null, succeededAt: row?.succeeded_at ?? null };
  });
};

const SELECT = `select ${deploymentColumns('d')} from deployments d`;

/** The text that a search looks in, as `namesOfDeployment` makes it. */
const SEARCHED_TEXT = "(d.commit_sha || ' ' || coalesce(d.version, '') || ' ' || d.environment)";

const keyOf = ({ startedAt, id }: Deployment) => [startedAt, id];

const listing = (
  access: Access,
  { projectId, environment, status, externalId, started, text }: DeploymentFilter,
  order: ListOrder,
): Listing => {
  const rows = query(access)
    .from('deployments as d')
    .where('d.project_id', projectId)
    .select<StoredDeploymentRow[]>(Object.keys(DEPLOYMENT_KINDS).map((name) => `d.${name}`));
  if (environment !== undefined) rows.where('d.environment', environment);
  if (status !== undefined) rows.where('d.status', status);
  if (externalId !== undefined) rows.where('d.external_id', externalId);
  if (started !== undefined) rows.where('d.started_at', '>=', access.dialect.moment(started.from));
  whereHoldsWords(access, rows, SEARCHED_TEXT, text);
  const sort = [
    { name: 'd.started_at', kind: 'moment' },
    { name: 'd.id', kind: 'text' },
  ] as const;
  return { rows, before: started?.to ?? null, sort, descending: order === 'newest-first' };
};

export const deploymentStore = (access: Access): DeploymentStore => ({
  byIds: async (deploymentIds) => {
    const condition = access.dialect.among('d.id', 'id');
    const bindings = [access.dialect.list(deploymentIds)];
    const rows = await rowsOfIds(access, deploymentIds, () =>
      access.read<StoredDeploymentRow>(`${SELECT} where ${condition}`, bindings, 'deployments-by-ids'),
    );
    return inRequestedOrder(deploymentIds, rows.map(deploymentOfRow), ({ id }) => id);
  },
  page: async (filter, page, order = 'newest-first') => {
    const isOne = filter.externalId !== undefined;
    // The stored counts do not tell which hours hold deployments that a text search finds.
    const narrow =
      !isOne && filter.text === undefined && (filter.environment !== undefined || filter.status !== undefined);
    const found = narrow ? await filteredPage(access, filter, page, order) : undefined;
    return found ?? keysetPage(access, listing(access, filter, order), page, deploymentOfRow, keyOf);
  },
  lastReported: (projectIds) =>
    lastMomentOfEach(
      access,
      (project) => `select d.created_at as at from deployments d where d.project_id = ${project}
        order by d.started_at desc, d.id desc limit 1`,
      projectIds,
    ),
  unfinished: ({ projectId, externalPrefix, since }, page) => {
    const started = listing(access, { projectId, status: 'started' }, 'newest-first');
    // Counts code points, as `substr` does in both databases.
    const length = [...externalPrefix].length;
    started.rows
      .where('d.started_at', '>=', access.dialect.moment(since))
      .whereRaw('substr(d.external_id, 1, ?) = ?', [length, externalPrefix]);
    return keysetPage(access, started, page, deploymentOfRow, keyOf);
  },
  firstOf: (projectId, environments, started) => firstOf(access, projectId, environments, started),
  notCounted: (projectId, environments, page) => deploymentsNotCounted(access, projectId, environments, page),
  recount: () => recount(access),
});
