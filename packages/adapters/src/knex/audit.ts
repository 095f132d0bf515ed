import type { AuditEntry, PageKey } from '@shipworthy/domain';
import type { AuditFilter, AuditStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import { query, type TableOf } from './query.js';
import { type Access, keysetPage, type Listing } from './sql.js';

interface AuditRow {
  readonly id: string;
  readonly team_id: string | null;
  readonly at: number;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly actor_kind: AuditEntry['actor']['kind'];
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly address: string;
  readonly request_id: string;
  readonly detail: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    audit: TableOf<AuditRow, 'at'>;
  }
}

const entryOf = (row: AuditRow): AuditEntry => ({
  id: row.id,
  teamId: row.team_id,
  at: row.at,
  // The column takes no null.
  actor: { userId: row.actor_id || null, name: row.actor_name, kind: row.actor_kind },
  action: row.action,
  resource: { type: row.resource_type, id: row.resource_id },
  address: row.address,
  requestId: row.request_id,
  detail: JSON.parse(row.detail) as Readonly<Record<string, unknown>>,
});

const append = async (access: Access, entry: AuditEntry): Promise<void> => {
  await query(access)
    .from('audit')
    .insert({
      id: entry.id,
      team_id: entry.teamId,
      at: access.dialect.moment(entry.at),
      actor_id: entry.actor.userId ?? '',
      actor_name: entry.actor.name,
      actor_kind: entry.actor.kind,
      action: entry.action,
      resource_type: entry.resource.type,
      resource_id: entry.resource.id,
      address: entry.address,
      request_id: entry.requestId,
      detail: asJson(entry.detail),
    });
};

const listing = (
  access: Access,
  { teamId, userId, action, at }: AuditFilter,
  after: PageKey | null,
  descending: boolean,
): Listing => {
  const { from = null, to = null } = at ?? {};
  const rows = query(access).from('audit').where('team_id', teamId).select('*');
  if (userId !== undefined) rows.where('actor_id', userId);
  // Texts are compared by their bytes: what begins with a noun and a point lies before the noun and a slash, the next byte.
  if (action !== undefined)
    rows.where((either) =>
      either
        .where('action', action)
        .orWhere((of) => of.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)),
    );
  // A later page of the oldest first begins behind its key: with both limits, a database may well begin at the other one.
  if (from !== null && (descending || after === null)) rows.where('at', '>=', access.dialect.moment(from));
  if (to !== null && !descending) rows.where('at', '<', access.dialect.moment(to));
  return {
    rows,
    before: descending ? to : null,
    sort: [
      { name: 'at', kind: 'moment' },
      { name: 'id', kind: 'text' },
    ],
    descending,
  };
};

export const auditStore = (access: Access): AuditStore => ({
  append: (entry) => append(access, entry),
  page: (filter, page, order = 'newest-first') =>
    keysetPage(access, listing(access, filter, page.after, order === 'newest-first'), page, entryOf, ({ at, id }) => [
      at,
      id,
    ]),
});
