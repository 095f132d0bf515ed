import type { BadgeOptIn, BadgeStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { remove } from './sql.js';

interface BadgeRow {
  readonly project_id: string;
  readonly token_hash: string;
  readonly created_at: number;
  readonly created_by: string;
}

const optInOf = (row: BadgeRow): BadgeOptIn => ({
  projectId: row.project_id,
  tokenHash: row.token_hash,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

export const badgeStore = (access: Access): BadgeStore => ({
  put: async ({ projectId, tokenHash, createdAt, createdBy }) => {
    await access.write(
      `insert into badges (project_id, token_hash, created_at, created_by) values (?, ?, ?, ?)
        on conflict (project_id) do update set
          token_hash = excluded.token_hash, created_at = excluded.created_at, created_by = excluded.created_by`,
      [projectId, tokenHash, access.dialect.moment(createdAt), createdBy],
    );
  },
  ofProject: async (projectId) => {
    const text = 'select project_id, token_hash, created_at, created_by from badges where project_id = ?';
    const [row] = await access.read<BadgeRow>(text, [projectId]);
    return row && optInOf(row);
  },
  remove: async (projectId) => (await remove(access, 'badges', 'project_id = ?', [projectId])) === 1,
});
