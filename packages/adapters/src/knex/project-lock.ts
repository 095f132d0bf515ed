import type { Access } from './access.js';

/** Holds the project until the transaction ends. */
export const lockProject = async (access: Access, projectId: string): Promise<void> => {
  await access.write(`select id from projects where id = ? ${access.dialect.forUpdate}`, [projectId]);
};
