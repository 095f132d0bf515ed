import {
  type ChecklistItem,
  type Instant,
  type Release,
  type ReleaseState,
  type ReleaseWindow,
  releaseMove,
} from '@shipworthy/domain';
import type { ReleaseStore } from '@shipworthy/domain/ports';
import type { FrozenReport } from '@shipworthy/domain/readiness';
import { firstMark, markRelease } from './change-log.js';
import { insertItem } from './checklists.js';
import { asJson } from './dialect.js';
import { letGo } from './repository-links.js';
import { type Access, boundMoment, inOrder, insert, insertUnlessThere, keysetPage, update } from './sql.js';

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

export const RELEASE_COLUMNS = `r.id, r.project_id, r.name, r.state, r.starts_at, r.target_at, r.shipped_at,
  r.canceled_at, r.note, r.external_id, r.version, r.created_at`;

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

/** Notes that the release begins to be the active one, or ends to be it; nothing where it stays what it was. */
const noteActivity = async (access: Access, was: ReleaseState, next: Release, at: Instant): Promise<void> => {
  const moment = access.dialect.moment(at);
  if (was !== 'active' && next.state === 'active')
    await access.write(
      `insert into release_activations (release_id, began_at, project_id) values (?, ?, ?)
        on conflict (release_id, began_at) do update set ended_at = null`,
      [next.id, moment, next.projectId],
    );
  if (was === 'active' && next.state !== 'active')
    await access.write('update release_activations set ended_at = ? where release_id = ? and ended_at is null', [
      moment,
      next.id,
    ]);
};

const create = (access: Access, release: Release, checklist: readonly ChecklistItem[]): Promise<void> =>
  access.atomically(async (inside) => {
    const { id, projectId, createdAt } = release;
    const created_at = access.dialect.moment(createdAt);
    await insert(inside, 'releases', { id, project_id: projectId, ...changeable(access, release), created_at });
    await noteActivity(inside, 'planned', release, release.startsAt ?? createdAt);
    await firstMark(inside, id, projectId, createdAt);
    for (const item of checklist) await insertItem(inside, item);
  });

const replace = (access: Access, next: Release, changedAt: Instant): Promise<boolean> =>
  access.atomically(async (inside) => {
    const { id, version } = next;
    const [before] = await inside.write<Pick<ReleaseRow, 'state' | 'starts_at'>>(
      `select state, starts_at from releases where id = ? and version = ? ${access.dialect.forUpdate}`,
      [id, version - 1],
    );
    if (before === undefined) return false;
    await update(inside, 'releases', changeable(access, next), 'id = ?', [id]);
    await noteActivity(inside, before.state, next, changedAt);
    await markRelease(
      inside,
      id,
      releaseMove({ id, state: before.state, startsAt: before.starts_at }, next, changedAt),
    );
    return true;
  });

const byCondition = async (
  access: Access,
  condition: string,
  ...values: readonly string[]
): Promise<Release | undefined> => {
  const [row] = await access.read<ReleaseRow>(`select ${RELEASE_COLUMNS} from releases r where ${condition}`, values);
  return row && releaseOf(row);
};

export const releaseStore = (access: Access): ReleaseStore => ({
  create: (release, checklist) => create(access, release, checklist),
  byId: (releaseId) => byCondition(access, 'r.id = ?', releaseId),
  byExternalIds: async (projectId, externalIds) => {
    const { among, list } = access.dialect;
    const rows = await access.read<ReleaseRow>(
      `select ${RELEASE_COLUMNS} from releases r where r.project_id = ? and ${among('r.external_id', 'text')}`,
      [projectId, list(externalIds)],
    );
    return inOrder(externalIds, rows.map(releaseOf), ({ externalId }) => externalId ?? '');
  },
  named: (projectId, name) => byCondition(access, 'r.project_id = ? and r.name = ?', projectId, name),
  activeOf: (projectId) => byCondition(access, `r.project_id = ? and r.state = 'active'`, projectId),
  ofProject: (projectId, states, page) => {
    const { dialect } = access;
    const listing = {
      select: `select ${RELEASE_COLUMNS} from releases r`,
      conditions: ['r.project_id = ?', ...(states === null ? [] : [dialect.among('r.state', 'text')])],
      bindings: [projectId, ...(states === null ? [] : [dialect.list(states)])],
      sort: [
        { name: 'r.created_at', kind: 'moment' },
        { name: 'r.id', kind: 'text' },
      ],
      descending: true,
    } as const;
    return keysetPage(access, listing, page, releaseOf, ({ createdAt, id }) => [createdAt, id]);
  },
  shippedBefore: async (projectId, before, limit) => {
    const rows = await access.read<ReleaseRow>(
      `select ${RELEASE_COLUMNS} from releases r where r.project_id = ? and r.shipped_at < ?
        order by r.shipped_at desc, r.id desc limit ?`,
      [projectId, access.dialect.moment(before), limit],
    );
    return rows.map(releaseOf);
  },
  windowsAt: (projectId, at) =>
    access.read<ReleaseWindow>(
      `select id, name, starts_at as "startsAt", coalesce(shipped_at, canceled_at) as "endsAt",
          shipped_at as "shippedAt" from releases
        where project_id = ? and starts_at <= ?
          and (coalesce(shipped_at, canceled_at) is null or coalesce(shipped_at, canceled_at) > ?)
        order by created_at desc, id desc`,
      [projectId, access.dialect.moment(at), access.dialect.moment(at)],
    ),
  replace: (next, changedAt) => replace(access, next, changedAt),
  letGo: (projectId) => letGo(access, 'releases', projectId),
  freeze: async (releaseId, report) => {
    const frozen_at = access.dialect.moment(report.frozenAt);
    const columns = { release_id: releaseId, frozen_at, report: asJson(report) };
    await insertUnlessThere(access, 'frozen_reports', columns, 'release_id');
  },
  frozen: async (releaseId) => {
    const [row] = await access.read<{ report: string }>('select report from frozen_reports where release_id = ?', [
      releaseId,
    ]);
    return row && (JSON.parse(row.report) as FrozenReport);
  },
  frozenOf: async (releaseIds) => {
    const { among, list } = access.dialect;
    const rows = await access.read<{ release_id: string; report: string }>(
      `select release_id, report from frozen_reports where ${among('release_id', 'id')}`,
      [list([...new Set(releaseIds)])],
    );
    const found = inOrder(releaseIds, rows, ({ release_id }) => release_id);
    return found.map((row) => row && (JSON.parse(row.report) as FrozenReport));
  },
});
