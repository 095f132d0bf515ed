import {
  type ChecklistItem,
  type Instant,
  type Page,
  type PageKey,
  type PageRequest,
  type Release,
  type ReleaseOrder,
  type ReleaseSort,
  type ReleaseState,
  type ReleaseWindow,
  releaseMove,
  USUAL_RELEASE_ORDER,
  waiverMove,
} from '@shipworthy/domain';
import type { ReleaseFilter, ReleaseStore, WaiverStore } from '@shipworthy/domain/ports';
import type { AxisName, FrozenReport, WaivableCode, Waiver } from '@shipworthy/domain/readiness';
import type { Knex } from 'knex';
import { insertFirstRevision, markRelease } from './change-log-sql.js';
import { insertItem } from './checklists.js';
import { asJson, FIRST_MOMENT, LAST_MOMENT } from './dialect.js';
import { among, expression, query, type TableOf } from './query.js';
import { detachFromHost } from './repository-links.js';
import { whereHoldsWords } from './search-sql.js';
import { type Access, boundMoment, inRequestedOrder, keysetPage, type SortColumn } from './sql.js';

export interface ReleaseRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly state: ReleaseState;
  readonly starts_at: number | null;
  readonly target_at: number | null;
  readonly shipped_at: number | null;
  readonly canceled_at: number | null;
  readonly note: string | null;
  readonly external_id: string | null;
  readonly version: number;
  readonly created_at: number;
}

interface ActivationColumns {
  readonly release_id: string;
  readonly began_at: number;
  readonly project_id: string;
  readonly ended_at: number | null;
}

interface FrozenColumns {
  readonly release_id: string;
  readonly frozen_at: number;
  readonly report: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    releases: TableOf<ReleaseRow, 'starts_at' | 'target_at' | 'shipped_at' | 'canceled_at' | 'created_at'>;
    release_activations: TableOf<ActivationColumns, 'began_at' | 'ended_at'>;
    frozen_reports: TableOf<FrozenColumns, 'frozen_at'>;
    waivers: TableOf<WaiverRow, 'created_at' | 'expires_at' | 'withdrawn_at'>;
  }
}

const RELEASE_NAMES = [
  'id',
  'project_id',
  'name',
  'state',
  'starts_at',
  'target_at',
  'shipped_at',
  'canceled_at',
  'note',
  'external_id',
  'version',
  'created_at',
] as const;

/** The columns of a release, of the table `r`, for SQL text. */
export const RELEASE_COLUMNS = RELEASE_NAMES.map((name) => `r.${name}`).join(', ');

export const releaseOf = (row: ReleaseRow): Release => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  state: row.state,
  startsAt: row.starts_at,
  targetAt: row.target_at,
  shippedAt: row.shipped_at,
  canceledAt: row.canceled_at,
  note: row.note,
  externalId: row.external_id,
  version: row.version,
  createdAt: row.created_at,
});

const changeable = (access: Access, release: Release) => ({
  name: release.name,
  state: release.state,
  starts_at: boundMoment(access, release.startsAt),
  target_at: boundMoment(access, release.targetAt),
  shipped_at: boundMoment(access, release.shippedAt),
  canceled_at: boundMoment(access, release.canceledAt),
  note: release.note,
  external_id: release.externalId,
  version: release.version,
});

/** Stores that the release becomes or stops being the active one; does nothing if neither. */
const noteActivity = async (access: Access, was: ReleaseState, next: Release, at: Instant): Promise<void> => {
  const moment = access.dialect.moment(at);
  if (was !== 'active' && next.state === 'active')
    await query(access)
      .from('release_activations')
      .insert({ release_id: next.id, began_at: moment, project_id: next.projectId })
      .onConflict(['release_id', 'began_at'])
      .merge({ ended_at: null });
  if (was === 'active' && next.state !== 'active')
    await query(access)
      .from('release_activations')
      .where('release_id', next.id)
      .whereNull('ended_at')
      .update({ ended_at: moment });
};

const create = (access: Access, release: Release, checklist: readonly ChecklistItem[]): Promise<void> =>
  access.atomically(async (inside) => {
    const { id, projectId, createdAt } = release;
    const created_at = access.dialect.moment(createdAt);
    await query(inside)
      .from('releases')
      .insert({ id, project_id: projectId, ...changeable(access, release), created_at });
    await noteActivity(inside, 'planned', release, release.startsAt ?? createdAt);
    await insertFirstRevision(inside, id, projectId, createdAt);
    for (const item of checklist) await insertItem(inside, item);
  });

const replace = (access: Access, next: Release, changedAt: Instant): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { id, version } = next;
    const release = () => query(inside).from('releases');
    const before = await release()
      .where({ id, version: version - 1 })
      .forUpdate()
      .first('state', 'starts_at');
    if (before === undefined) return false;
    await release().where('id', id).update(changeable(access, next));
    await noteActivity(inside, before.state, next, changedAt);
    await markRelease(
      inside,
      id,
      releaseMove({ id, state: before.state, startsAt: before.starts_at }, next, changedAt),
    );
    return true;
  });

/** Selects releases as `r`, from the table or from a subquery; callers may add conditions. */
const releases = (access: Access, from: string | Knex.QueryBuilder = 'releases as r') =>
  query(access)
    .from(from)
    .select<ReleaseRow[]>(RELEASE_NAMES.map((name) => `r.${name}`));

const one = async (
  access: Access,
  which: Partial<Pick<ReleaseRow, 'id' | 'project_id' | 'name' | 'state'>>,
): Promise<Release | undefined> => {
  const [row] = await releases(access).where(which);
  return row && releaseOf(row);
};

const LAST_SHIPPED_FIRST = [
  { column: 'r.shipped_at', order: 'desc' },
  { column: 'r.id', order: 'desc' },
];

/** For each order: the columns before `created_at` and `id`, and the values that a release has in them. */
const SORTS: Readonly<
  Record<
    ReleaseSort,
    readonly [columns: readonly SortColumn[], keyOf: (release: Release, noTarget: Instant) => PageKey]
  >
> = {
  created: [[], () => []],
  name: [[{ name: 'r.name', kind: 'text' }], ({ name }) => [name]],
  target: [[{ name: 'r.target', kind: 'moment' }], ({ targetAt }, noTarget) => [targetAt ?? noTarget]],
};

const page = (
  access: Access,
  { projectId, states, text }: ReleaseFilter,
  asked: PageRequest,
  { by, descending }: ReleaseOrder,
): Promise<Page<Release>> => {
  // Releases without a target come last in both orders.
  const noTarget = descending ? FIRST_MOMENT : LAST_MOMENT;
  const target = expression(access, 'coalesce(target_at, ?) as target', [access.dialect.moment(noTarget)]);
  const rows = releases(
    access,
    by === 'target' ? query(access).from('releases').select('*', target).as('r') : undefined,
  ).where('r.project_id', projectId);
  if (states !== undefined) rows.where(among(access, 'r.state', 'text', states));
  whereHoldsWords(access, rows, 'r.name', text);
  const [columns, keyOf] = SORTS[by];
  const sort: readonly SortColumn[] = [
    ...columns,
    { name: 'r.created_at', kind: 'moment' },
    { name: 'r.id', kind: 'text' },
  ];
  return keysetPage(access, { rows, sort, descending }, asked, releaseOf, (release) => [
    ...keyOf(release, noTarget),
    release.createdAt,
    release.id,
  ]);
};

/** Keeps the releases that had neither shipped nor been canceled by that moment. */
const endingAfter =
  (moment: string | number) =>
  (rows: Knex.QueryBuilder): void => {
    rows
      .where('shipped_at', '>', moment)
      .orWhere((unshipped) =>
        unshipped
          .whereNull('shipped_at')
          .where((open) => open.whereNull('canceled_at').orWhere('canceled_at', '>', moment)),
      );
  };

const countOtherWindows = async (
  access: Access,
  { id, projectId }: Pick<Release, 'id' | 'projectId'>,
  at: Instant,
): Promise<number> => {
  const [counted] = await query(access)
    .from('releases')
    .where('project_id', projectId)
    .whereNot('id', id)
    .whereNotNull('starts_at')
    .where(endingAfter(access.dialect.moment(at)))
    .count<{ readonly windows: number }[]>({ windows: '*' });
  return Number(counted?.windows ?? 0);
};

const windowsAt = async (access: Access, projectId: string, at: Instant): Promise<readonly ReleaseWindow[]> => {
  const moment = access.dialect.moment(at);
  const rows = await releases(access)
    .where('project_id', projectId)
    .where('starts_at', '<=', moment)
    .where(endingAfter(moment))
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  return rows.map(({ id, name, starts_at, shipped_at, canceled_at }) => {
    return { id, name, startsAt: starts_at ?? at, endsAt: shipped_at ?? canceled_at, shippedAt: shipped_at };
  });
};

const freeze = async (access: Access, releaseId: string, report: FrozenReport): Promise<void> => {
  const frozen_at = access.dialect.moment(report.frozenAt);
  await query(access)
    .from('frozen_reports')
    .insert({ release_id: releaseId, frozen_at, report: asJson(report) })
    .onConflict('release_id')
    .ignore();
};

const frozenOf = async (access: Access, releaseIds: readonly string[]) => {
  const rows = await query(access)
    .from('frozen_reports')
    .where(among(access, 'release_id', 'id', [...new Set(releaseIds)]))
    .select('release_id', 'report');
  const found = inRequestedOrder(releaseIds, rows, ({ release_id }) => release_id);
  return found.map((row) => row && (JSON.parse(row.report) as FrozenReport));
};

export const releaseStore = (access: Access): ReleaseStore => ({
  create: (release, checklist) => create(access, release, checklist),
  byId: (releaseId) => one(access, { id: releaseId }),
  byExternalIds: async (projectId, externalIds) => {
    const rows = await releases(access)
      .where('r.project_id', projectId)
      .where(among(access, 'r.external_id', 'text', externalIds));
    return inRequestedOrder(externalIds, rows.map(releaseOf), ({ externalId }) => externalId ?? '');
  },
  named: (projectId, name) => one(access, { project_id: projectId, name }),
  activeOf: (projectId) => one(access, { project_id: projectId, state: 'active' }),
  page: (filter, asked, order = USUAL_RELEASE_ORDER) => page(access, filter, asked, order),
  shippedBefore: async (projectId, before, limit) => {
    const rows = await releases(access)
      .where('r.project_id', projectId)
      .where('r.shipped_at', '<', access.dialect.moment(before))
      .orderBy(LAST_SHIPPED_FIRST)
      .limit(limit);
    return rows.map(releaseOf);
  },
  windowsAt: (projectId, at) => windowsAt(access, projectId, at),
  countOtherWindows: (release, at) => countOtherWindows(access, release, at),
  replace: (next, changedAt) => replace(access, next, changedAt),
  detachFromHost: (projectId) => detachFromHost(access, 'releases', projectId),
  freeze: (releaseId, report) => freeze(access, releaseId, report),
  frozen: async (releaseId) => (await frozenOf(access, [releaseId]))[0],
  frozenOf: (releaseIds) => frozenOf(access, releaseIds),
});

interface WaiverRow {
  readonly id: string;
  readonly release_id: string;
  readonly code: WaivableCode;
  readonly axis: AxisName | null;
  readonly text: string;
  readonly actual: number | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly withdrawn_at: number | null;
  readonly withdrawn_by: string | null;
}

const waiverOf = (row: WaiverRow): Waiver => ({
  id: row.id,
  releaseId: row.release_id,
  code: row.code,
  axis: row.axis,
  text: row.text,
  actual: row.actual,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  withdrawnAt: row.withdrawn_at,
  withdrawnBy: row.withdrawn_by,
});

export const waiverStore = (access: Access): WaiverStore => ({
  add: (waiver) =>
    access.atomically(async (inside) => {
      const { id, releaseId, createdAt } = waiver;
      await query(inside)
        .from('waivers')
        .insert({
          id,
          release_id: releaseId,
          code: waiver.code,
          axis: waiver.axis,
          text: waiver.text,
          actual: waiver.actual,
          created_by: waiver.createdBy,
          created_at: access.dialect.moment(createdAt),
          expires_at: access.dialect.moment(waiver.expiresAt),
          withdrawn_at: boundMoment(access, waiver.withdrawnAt),
          withdrawn_by: waiver.withdrawnBy,
        });
      await markRelease(inside, releaseId, waiverMove(waiver, 'signed', createdAt));
    }),
  ofRelease: async (releaseId) => {
    const rows = await query(access).from('waivers').where('release_id', releaseId).orderBy(['created_at', 'id']);
    return rows.map(waiverOf);
  },
  withdraw: (releaseId, waiverId, at, by) =>
    access.atomically(async (inside) => {
      const [withdrawn] = await query(inside)
        .from('waivers')
        .where({ id: waiverId, release_id: releaseId })
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: access.dialect.moment(at), withdrawn_by: by }, ['axis']);
      if (withdrawn === undefined) return false;
      await markRelease(inside, releaseId, waiverMove({ id: waiverId, axis: withdrawn.axis }, 'withdrawn', at));
      return true;
    }),
});
