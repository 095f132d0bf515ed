import type { Deployment, ReportOutcome } from '@shipworthy/domain';
import type { Access } from '../access.js';
import {
  DEPLOYMENT_KINDS,
  type DeploymentRow,
  deploymentCells,
  deploymentColumns,
  deploymentOf,
} from '../deployment-row.js';
import { knownExternals } from './known-externals.js';
import type { PlacedOf } from './wave.js';

const NAMES = Object.keys(DEPLOYMENT_KINDS).join(', ');

const inserting = (access: Access, deployments: readonly Deployment[]) => {
  const rowset = access.dialect.rowset('v', DEPLOYMENT_KINDS);
  const bindings = rowset.bindings(deployments.map((deployment) => deploymentCells(access, deployment)));
  return { insert: `insert into deployments (${NAMES}) select ${NAMES} from ${rowset.table}`, bindings };
};

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By project and external id: who waits for a name that another one is about to take holds none that comes after it. */
const byName = (a: Deployment, b: Deployment): number =>
  compared(a.projectId, b.projectId) || compared(a.external?.id ?? '', b.external?.id ?? '');

/** Stores deployments without external ids. */
export const storeDeployments = async (access: Access, deployments: readonly Deployment[]): Promise<void> => {
  if (deployments.length === 0) return;
  const { insert, bindings } = inserting(access, deployments);
  await access.write(insert, bindings, 'insert-deployments');
};

/** Stores deployments; answers those that were new, and notes the outcome of every one. */
export const insertDeployments = async (
  access: Access,
  entries: readonly PlacedOf<'deployment'>[],
  outcomes: Map<number, ReportOutcome>,
): Promise<readonly Deployment[]> => {
  if (entries.length === 0) return [];
  const { insert, bindings } = inserting(access, entries.map(({ entry }) => entry.deployment).sort(byName));
  // `on conflict` names no constraint: where the table is partitioned, no single one covers external ids.
  const stored = await access.write<{ id: string }>(
    `${insert} where true on conflict do nothing returning id`,
    bindings,
    'insert-named-deployments',
  );
  const created = new Set(stored.map(({ id }) => id));
  const refused = entries.filter(({ entry }) => !created.has(entry.deployment.id));
  const known = await knownExternals(
    access,
    'deployments',
    refused.map(({ entry }) => entry.deployment),
  );
  refused.forEach(({ place }, index) => {
    outcomes.set(
      place,
      known[index] ?? { result: 'failed', error: new Error('a deployment was refused without a reason') },
    );
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
  const rows = await access.write<DeploymentRow>(
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
  const finished = new Map(rows.map((row) => [row.id, deploymentOf(row)]));
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
  const rows = await access.write<DeploymentRow>(
    `select ${deploymentColumns('d')} from deployments d where ${access.dialect.among('d.id', 'id')}`,
    [access.dialect.list(ids)],
  );
  return new Map(rows.map((row) => [row.id, deploymentOf(row)]));
};
