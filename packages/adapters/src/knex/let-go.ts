import type { Access } from './access.js';

/** Takes their names at the host from the project's rows; answers how many had one. */
export const letGo = async (access: Access, table: 'issues' | 'releases', projectId: string): Promise<number> => {
  const text = `update ${table} set external_id = null, version = version + 1
    where project_id = ? and external_id is not null returning 1 as changed`;
  return (await access.write(text, [projectId])).length;
};
