import { arrivedAfter, type Deployment, deploymentMove, type Move, missedShipping } from '@shipworthy/domain';
import type { Access } from '../access.js';
import { grouped } from '../grouped.js';
import type { Mark } from '../marks.js';

/** A deployment that changed, and when the service learned of it. */
export interface Changed {
  readonly deployment: Deployment;
  readonly what: 'begun' | 'finished';
  readonly at: number;
  /** Which of its moments says when it arrived; null: none of those it came with. */
  readonly arrival: 'createdAt' | 'finishedAt' | null;
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
  /** Those of them that arrive now, with their arrival no earlier than the shipping. */
  readonly lateArrivals: readonly Deployment[];
}

const span = (projectId: string, changes: readonly Changed[]): readonly [string, number, number] => {
  const starts = changes.map(({ deployment }) => deployment.startedAt);
  return [projectId, starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))];
};

/** Which releases the changed deployments touch. Must run after the rows are stored. */
export const touchedBy = async (access: Access, changes: readonly Changed[]): Promise<Touched> => {
  if (changes.length === 0) return { marks: [], lateIds: [], lateArrivals: [] };
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
  const lateArrivals = new Map<string, Deployment>();
  const marks = windows.flatMap(({ id: releaseId, project_id, starts_at, ends_at, shipped_at: shippedAt }) => {
    const inside = (byProject.get(project_id) ?? []).filter(
      ({ deployment: { startedAt } }) => startedAt >= starts_at && (ends_at === null || startedAt < ends_at),
    );
    const causes = inside.map(({ deployment, what, at, arrival }): Move => {
      const { id } = deployment;
      // A release that has shipped did not know what is stored only now, even if it had arrived before.
      const isLateArrival = shippedAt !== null && arrival !== null;
      if (isLateArrival) lateArrivals.set(id, arrivedAfter(lateArrivals.get(id) ?? deployment, arrival, shippedAt));
      if (isLateArrival || missedShipping(deployment, { shippedAt })) late.add(id);
      return deploymentMove(id, what, isLateArrival ? Math.max(at, shippedAt) : at);
    });
    return causes.length === 0 ? [] : [{ releaseId, causes }];
  });
  return { marks, lateIds: [...late], lateArrivals: [...lateArrivals.values()] };
};

/** Stores when late deployments arrived. */
export const storeArrivals = async (access: Access, lateArrivals: readonly Deployment[]): Promise<void> => {
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

/** Notes on the deployments that they came late, so that what counts for no release is found without reading the others. */
export const noteLate = async (access: Access, lateIds: readonly string[]): Promise<void> => {
  if (lateIds.length === 0) return;
  const { among, list } = access.dialect;
  await access.write(`update deployments set late = 1 where ${among('id', 'id')}`, [list(lateIds.toSorted())]);
};
