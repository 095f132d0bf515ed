import type { AuditEntry } from '@shipworthy/domain';
import type { AuditStore } from '@shipworthy/domain/ports';
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

const listing = (access: Access, teamId: string): Listing => ({
  rows: query(access).from('audit').where('team_id', teamId).select('*'),
  sort: [
    { name: 'at', kind: 'moment' },
    { name: 'id', kind: 'text' },
  ],
  descending: true,
});

export const auditStore = (access: Access): AuditStore => ({
  append: (entry) => append(access, entry),
  page: (teamId, page) => keysetPage(access, listing(access, teamId), page, entryOf, ({ at, id }) => [at, id]),
});
