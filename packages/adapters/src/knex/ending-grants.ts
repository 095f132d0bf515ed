import type { EndingGrant, HostConnectionStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { insert, momentOrNull, remove } from './sql.js';

interface EndingRow {
  readonly user_id: string;
  readonly host: string;
  readonly sealed: string;
  readonly grant_expires_at: number | null;
}

const endingOf = (row: EndingRow): EndingGrant => ({
  userId: row.user_id,
  host: row.host,
  grant: { sealed: row.sealed, expiresAt: row.grant_expires_at },
});

/** One statement claims; no two grants are sealed alike. */
const CLAIM = (skipLocked: string): string => `
  update host_endings set due_at = ? where sealed =
    (select sealed from host_endings where host = ? and due_at <= ? order by due_at, sealed limit 1 ${skipLocked})
  returning user_id, host, sealed, grant_expires_at`;

/** The grants that are to be ended at the host. */
export const endingGrants = (
  access: Access,
): Pick<HostConnectionStore, 'keepEnding' | 'claimEnding' | 'removeEnding'> => ({
  keepEnding: ({ userId, host, grant: { sealed, expiresAt } }, dueAt) =>
    insert(access, 'host_endings', {
      ...{ user_id: userId, host, sealed, grant_expires_at: momentOrNull(access, expiresAt) },
      due_at: access.dialect.moment(dueAt),
    }),
  claimEnding: async (host, now, leaseMs) => {
    const { moment, skipLocked } = access.dialect;
    const bindings = [moment(now + leaseMs), host, moment(now)];
    const [row] = await access.write<EndingRow>(CLAIM(skipLocked), bindings);
    return row && endingOf(row);
  },
  removeEnding: async ({ userId, host, grant }) =>
    (await remove(access, 'host_endings', 'user_id = ? and host = ? and sealed = ?', [userId, host, grant.sealed])) > 0,
});
