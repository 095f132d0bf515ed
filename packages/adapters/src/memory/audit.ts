import type { AuditStore } from '@shipworthy/domain';
import { pageDown } from './order.js';
import type { TableAccess } from './table-access.js';

export const auditStore = ({ read, change }: TableAccess): AuditStore => ({
  append: (entry) => change(({ audit }) => audit.put(entry.id, entry)),
  page: (teamId, page) => read(({ audit }) => pageDown(audit.where('team', teamId), ({ at, id }) => [at, id], page)),
});
