import type { AuditEntry as WireAuditEntry } from '@shipworthy/client/contract';
import type { AuditEntry } from '@shipworthy/domain';
import { wireDetail } from './detail.js';
import { wireMoment } from './moment.js';

/** Who did what to which resource, from where. */
export const wireAuditEntry = (entry: AuditEntry): WireAuditEntry => ({
  id: entry.id,
  at: wireMoment(entry.at),
  actor: { user_id: entry.actor.userId, name: entry.actor.name, kind: entry.actor.kind },
  action: entry.action,
  resource: { type: entry.resource.type, id: entry.resource.id },
  address: entry.address,
  request_id: entry.requestId,
  detail: wireDetail(entry.detail),
});
