import type { AuditEntry } from '@shipworthy/domain';
import type { AuditStore } from '@shipworthy/domain/ports';
import { asJson } from './dialect.js';
import { type Access, insert, keysetPage } from './sql.js';

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

const COLUMNS = `id, team_id, at, actor_id, actor_name, actor_kind, action, resource_type, resource_id, address, request_id,
  detail`;

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

export const auditStore = (access: Access): AuditStore => ({
  append: (entry) =>
    insert(access, 'audit', {
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
    }),
  page: (teamId, page) => {
    const listing = {
      select: `select ${COLUMNS} from audit`,
      conditions: ['team_id = ?'],
      bindings: [teamId],
      sort: [
        { name: 'at', kind: 'moment' },
        { name: 'id', kind: 'text' },
      ],
      descending: true,
    } as const;
    return keysetPage(access, listing, page, entryOf, ({ at, id }) => [at, id]);
  },
});
