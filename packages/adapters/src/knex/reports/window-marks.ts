import { type Deployment, deploymentMove, type Move } from '@shipworthy/domain';
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
}

const span = (projectId: string, changes: readonly Changed[]): readonly [string, number, number] => {
  const starts = changes.map(({ deployment }) => deployment.startedAt);
  return [projectId, starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))];
};

/** The releases whose window holds the start of a deployment that changed. Must run after the rows are stored. */
export const marksOf = async (access: Access, changes: readonly Changed[]): Promise<readonly Mark[]> => {
  if (changes.length === 0) return [];
  const { moment, rowset } = access.dialect;
  const byProject = grouped(changes, ({ deployment }) => deployment.projectId);
  const asked = rowset('v', { project_id: 'id', earliest: 'moment', latest: 'moment' });
  const windows = await access.write<WindowRow>(
    `select r.id, r.project_id, r.starts_at, coalesce(r.shipped_at, r.canceled_at) as ends_at
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
  return windows.flatMap(({ id: releaseId, project_id, starts_at, ends_at }) => {
    const causes = (byProject.get(project_id) ?? []).flatMap(({ deployment: { id, startedAt }, what, at }): Move[] =>
      startedAt >= starts_at && (ends_at === null || startedAt < ends_at) ? [deploymentMove(id, what, at)] : [],
    );
    return causes.length === 0 ? [] : [{ releaseId, causes }];
  });
};
