// SQL by hand: every report runs these statements. The deployments of a batch are stored and finished by one statement each.
import {
  type Author,
  arrivedAfter,
  type Deployment,
  deploymentMove,
  type Move,
  missedShipping,
  releasesDiffer,
} from '@shipworthy/domain';
import type { ReportOutcome } from '@shipworthy/domain/ports';
import type { ReleaseCauses } from '../change-log-sql.js';
import {
  DEPLOYMENT_KINDS,
  deploymentCells,
  deploymentColumns,
  deploymentOfRow,
  type StoredDeploymentRow,
} from '../deployment-rows-sql.js';
import { type Access, groupedBy } from '../sql.js';
import { knownExternals, type PlacedOf } from './keys-sql.js';

const NAMES = Object.keys(DEPLOYMENT_KINDS).join(', ');

const inserting = (access: Access, deployments: readonly Deployment[]) => {
  const rowset = access.dialect.rowset('v', DEPLOYMENT_KINDS);
  const bindings = rowset.bindings(deployments.map((deployment) => deploymentCells(access, deployment)));
  return { insert: `insert into deployments (${NAMES}) select ${NAMES} from ${rowset.table}`, bindings };
};

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders by project and external id: all transactions insert external ids in the same order, so none deadlocks. */
const byName = (a: Deployment, b: Deployment): number =>
  compared(a.projectId, b.projectId) || compared(a.external?.id ?? '', b.external?.id ?? '');

/** Stores deployments without external ids. */
export const insertDeploymentsWithoutExternalId = async (
  access: Access,
  deployments: readonly Deployment[],
): Promise<void> => {
  if (deployments.length === 0) return;
  const { insert, bindings } = inserting(access, deployments);
  await access.write(insert, bindings, 'insert-deployments');
};

/** Stores those of the deployments that may be new; returns their ids. */
const insertUnknown = async (
  access: Access,
  entries: readonly PlacedOf<'deployment'>[],
): Promise<ReadonlySet<string>> => {
  const mayBeNew = entries.filter(({ entry }) => !entry.mustBeKnown);
  if (mayBeNew.length === 0) return new Set();
  const { insert, bindings } = inserting(access, mayBeNew.map(({ entry }) => entry.deployment).sort(byName));
  // `on conflict` names no constraint: where the table is partitioned, no single one covers external ids.
  const stored = await access.write<{ id: string }>(
    `${insert} where true on conflict do nothing returning id`,
    bindings,
    'insert-named-deployments',
  );
  return new Set(stored.map(({ id }) => id));
};

/** Stores deployments; answers those that were new, and notes the outcome of every one. */
export const insertDeployments = async (
  access: Access,
  entries: readonly PlacedOf<'deployment'>[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly Deployment[]> => {
  if (entries.length === 0) return [];
  const created = await insertUnknown(access, entries);
  const refused = entries.filter(({ entry }) => !created.has(entry.deployment.id));
  const known = await knownExternals(
    access,
    'deployments',
    refused.map(({ entry }) => entry.deployment),
  );
  refused.forEach(({ place, entry }, index) => {
    const unknown: ReportOutcome = entry.mustBeKnown
      ? { result: 'not_found' }
      : { result: 'failed', error: new Error('a deployment was refused without a reason') };
    outcomes.set(place, known[index] ?? unknown);
  });
  const fresh = entries.filter(({ entry }) => created.has(entry.deployment.id));
  for (const { place } of fresh) outcomes.set(place, { result: 'created' });
  return fresh.map(({ entry }) => entry.deployment);
};

/** Finishes deployments, each by one conditional update; answers those that this finished, and notes every outcome. */
export const finishDeployments = async (
  access: Access,
  entries: readonly PlacedOf<'finish'>[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly Deployment[]> => {
  if (entries.length === 0) return [];
  const { dialect } = access;
  const rowset = dialect.rowset('v', { id: 'id', status: 'text', finished_at: 'moment', duration_seconds: 'number' });
  const rows = await access.write<StoredDeploymentRow>(
    `update deployments as d set status = v.status, finished_at = v.finished_at,
        duration_seconds = coalesce(v.duration_seconds, d.duration_seconds)
      from ${rowset.table} where d.id = v.id and d.status = 'started'
      returning ${deploymentColumns(dialect.returned)}`,
    rowset.bindings(
      entries
        .map(
          ({ entry }) =>
            [entry.deploymentId, entry.status, dialect.moment(entry.finishedAt), entry.durationSeconds] as const,
        )
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    'finish-deployments',
  );
  const finished = new Map(rows.map((row) => [row.id, deploymentOfRow(row)]));
  const others = entries.filter(({ entry }) => !finished.has(entry.deploymentId));
  const standing = await byIds(
    access,
    others.map(({ entry }) => entry.deploymentId),
  );
  for (const { place, entry } of entries) {
    const [now, before] = [finished.get(entry.deploymentId), standing.get(entry.deploymentId)];
    if (now !== undefined) outcomes.set(place, { result: 'finished', deployment: now });
    else if (before !== undefined) outcomes.set(place, { result: 'already_final', deployment: before });
    else outcomes.set(place, { result: 'not_found' });
  }
  return [...finished.values()];
};

const byIds = async (access: Access, ids: readonly string[]): Promise<ReadonlyMap<string, Deployment>> => {
  if (ids.length === 0) return new Map();
  const rows = await access.write<StoredDeploymentRow>(
    `select ${deploymentColumns('d')} from deployments d where ${access.dialect.among('d.id', 'id')}`,
    [access.dialect.list(ids)],
  );
  return new Map(rows.map((row) => [row.id, deploymentOfRow(row)]));
};

/** A deployment that changed, and when the service learned of it. */
export interface Changed {
  readonly deployment: Deployment;
  readonly what: 'begun' | 'finished';
  readonly at: number;
  /** Which of its moments is its arrival; null: neither of them. */
  readonly arrival: 'createdAt' | 'finishedAt' | null;
  /** The releases that its receipt names; missing: there is no receipt. */
  readonly releaseIds?: readonly string[] | undefined;
  /** Who reported it; missing: the author of the transaction. */
  readonly by?: Author | undefined;
}

interface WindowRow {
  readonly id: string;
  readonly project_id: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly shipped_at: number | null;
}

/** The effect of changed deployments on releases. */
export interface AffectedReleases {
  /** The releases whose windows hold the start of a changed deployment, with the causes. */
  readonly marks: readonly ReleaseCauses[];
  /** Ids of deployments that were recorded, or finished, after such a release shipped. */
  readonly lateIds: readonly string[];
  /** Deployments that are stored after such a release shipped; an earlier arrival is moved to the shipping. */
  readonly lateArrivals: readonly Deployment[];
  /** Ids of deployments whose receipts name other releases than those whose windows hold their start. */
  readonly misreadIds: readonly string[];
}

const span = (projectId: string, changes: readonly Changed[]): readonly [string, number, number] => {
  const starts = changes.map(({ deployment }) => deployment.startedAt);
  return [projectId, starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))];
};

/** Which releases the changed deployments touch. Must run after the rows are stored. */
export const affectedBy = async (access: Access, changes: readonly Changed[]): Promise<AffectedReleases> => {
  if (changes.length === 0) return { marks: [], lateIds: [], lateArrivals: [], misreadIds: [] };
  const { moment, rowset } = access.dialect;
  const byProject = groupedBy(changes, ({ deployment }) => deployment.projectId);
  const asked = rowset('v', { project_id: 'id', earliest: 'moment', latest: 'moment' });
  const windows = await access.write<WindowRow>(
    `select r.id, r.project_id, r.starts_at, coalesce(r.shipped_at, r.canceled_at) as ends_at, r.shipped_at
      from ${asked.table} join releases r on r.project_id = v.project_id and r.starts_at <= v.latest
        and (coalesce(r.shipped_at, r.canceled_at) is null or coalesce(r.shipped_at, r.canceled_at) > v.earliest)`,
    asked.bindings(
      [...byProject].map(([id, ofProject]) => {
        const [projectId, earliest, latest] = span(id, ofProject);
        return [projectId, moment(earliest), moment(latest)];
      }),
    ),
    'windows-of-reports',
  );
  const late = new Set<string>();
  const lateArrivals = new Map<string, Deployment>();
  const holding = new Map<string, string[]>();
  const marks = windows.flatMap(({ id: releaseId, project_id, starts_at, ends_at, shipped_at: shippedAt }) => {
    const inside = (byProject.get(project_id) ?? []).filter(
      ({ deployment: { startedAt } }) => startedAt >= starts_at && (ends_at === null || startedAt < ends_at),
    );
    const causes = inside.map(({ deployment, what, at, arrival, by }): Move => {
      const { id } = deployment;
      holding.set(id, [...(holding.get(id) ?? []), releaseId]);
      // A release that has shipped does not know what is stored only now, even if that arrived before the shipping.
      const isLateArrival = shippedAt !== null && arrival !== null;
      if (isLateArrival) lateArrivals.set(id, arrivedAfter(lateArrivals.get(id) ?? deployment, arrival, shippedAt));
      if (isLateArrival || missedShipping(deployment, { shippedAt })) late.add(id);
      return { ...deploymentMove(id, what, isLateArrival ? Math.max(at, shippedAt) : at), ...(by && { by }) };
    });
    return causes.length === 0 ? [] : [{ releaseId, causes }];
  });
  const misreadIds = changes.flatMap(({ deployment: { id }, releaseIds }) =>
    releasesDiffer(releaseIds, holding.get(id) ?? []) ? [id] : [],
  );
  return { marks, lateIds: [...late], lateArrivals: [...lateArrivals.values()], misreadIds };
};

/** Stores when late deployments arrived. */
export const storeLateArrivals = async (access: Access, lateArrivals: readonly Deployment[]): Promise<void> => {
  if (lateArrivals.length === 0) return;
  const { moment, rowset } = access.dialect;
  const moved = rowset('v', { id: 'id', created_at: 'moment', finished_at: 'moment' });
  await access.write(
    `update deployments as d set created_at = v.created_at, finished_at = v.finished_at
      from ${moved.table} where d.id = v.id`,
    moved.bindings(
      lateArrivals
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, createdAt, finishedAt }) => [
          id,
          moment(createdAt),
          finishedAt === null ? null : moment(finishedAt),
        ]),
    ),
  );
};

/** Marks deployments as late, so that those that count for no release are found without reading all others. */
export const markLate = async (access: Access, lateIds: readonly string[]): Promise<void> => {
  if (lateIds.length === 0) return;
  const { among, list } = access.dialect;
  await access.write(`update deployments set late = 1 where ${among('id', 'id')}`, [list(lateIds.toSorted())]);
};
