import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireAuditEntry } from '../wire/audit.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listAuditEntries'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.audit.page(place.teamId, page);
  return pageReply(rows.map(wireAuditEntry), sealCursor(next));
};

/** A team's audit log. */
export const auditRoutes = { listAuditEntries: list } as const satisfies Partial<Routes>;
