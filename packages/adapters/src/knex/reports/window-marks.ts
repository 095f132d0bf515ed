import { type Deployment, deploymentMove, type Move, missedShipping } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { grouped } from '../grouped.js';
import type { Mark } from '../marks.js';

/** A deployment that changed, and when the service learned of it. */
export interface Changed {
  readonly deployment: Deployment;
  readonly what: 'begun' | 'finished';
  readonly at: number;
}

interface WindowRow {
  readonly id: string;
  readonly project_id: string;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly shipped_at: number | null;
}

/** What changed deployments do to releases. */
export interface Touched {
  /** On the releases whose window holds the start of one. */
  readonly marks: readonly Mark[];
  /** Deployments that such a release knew nothing of, or not how they ended, when it shipped. */
  readonly lateIds: readonly string[];
}

const span = (projectId: string, changes: readonly Changed[]): readonly [string, number, number] => {
  const starts = changes.map(({ deployment }) => deployment.startedAt);
  return [projectId, starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))];
};

/** Which releases the changed deployments touch. Must run after the rows are stored. */
export const touchedBy = async (access: Access, changes: readonly Changed[]): Promise<Touched> => {
  if (changes.length === 0) return { marks: [], lateIds: [] };
  const { moment, rowset } = access.dialect;
  const byProject = grouped(changes, ({ deployment }) => deployment.projectId);
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
  const marks = windows.flatMap(({ id: releaseId, project_id, starts_at, ends_at, shipped_at: shippedAt }) => {
    const inside = (byProject.get(project_id) ?? []).filter(
      ({ deployment: { startedAt } }) => startedAt >= starts_at && (ends_at === null || startedAt < ends_at),
    );
    for (const { deployment } of inside) if (missedShipping(deployment, { shippedAt })) late.add(deployment.id);
    const causes = inside.map(({ deployment: { id }, what, at }): Move => deploymentMove(id, what, at));
    return causes.length === 0 ? [] : [{ releaseId, causes }];
  });
  return { marks, lateIds: [...late] };
};

/** Notes on the deployments that they came late, so that what counts for no release is found without reading the others. */
export const noteLate = async (access: Access, lateIds: readonly string[]): Promise<void> => {
  if (lateIds.length === 0) return;
  const { among, list } = access.dialect;
  await access.write(`update deployments set late = 1 where ${among('id', 'id')}`, [list(lateIds.toSorted())]);
};
