import type { Instant } from '@shipworthy/domain';
import type { Access } from './access.js';

/**
 * One moment of each project, in the order asked; undefined where there is none.
 * @param moment selects it for the project `v.project_id`
 */
export const lastMoments = async (
  access: Access,
  moment: string,
  projectIds: readonly string[],
): Promise<readonly (Instant | undefined)[]> => {
  const asked = access.dialect.rowset('v', { project_id: 'id' });
  const rows = await access.read<{ readonly project_id: string; readonly at: number | null }>(
    `select v.project_id, (${moment}) as at from ${asked.table}`,
    asked.bindings([...new Set(projectIds)].map((id) => [id])),
  );
  const byId = new Map(rows.map(({ project_id, at }) => [project_id, at ?? undefined]));
  return projectIds.map((id) => byId.get(id));
};
