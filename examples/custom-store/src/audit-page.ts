import {
  type AuditEntry,
  type ListOrder,
  type Page,
  type PageKey,
  type PageRequest,
  passesAuditFilter,
} from '@shipworthy/domain';
import type { AuditFilter } from '@shipworthy/domain/ports';

const keyOf = ({ at, id }: AuditEntry): PageKey => [at, id];

/** Below zero where the first key is the older one. */
const compared = ([at, id]: PageKey, [otherAt, otherId]: PageKey): number =>
  Number(at) - Number(otherAt) || (String(id) < String(otherId) ? -1 : Number(id !== otherId));

/** Returns the page behind the key `after`, of the entries that pass the filter, in the order. */
export const auditPage = (
  entries: readonly AuditEntry[],
  filter: AuditFilter,
  { limit, after }: PageRequest,
  order: ListOrder = 'newest-first',
): Page<AuditEntry> => {
  const sign = order === 'oldest-first' ? 1 : -1;
  const sorted = entries
    .filter((entry) => passesAuditFilter(entry, filter) && (after === null || sign * compared(keyOf(entry), after) > 0))
    .toSorted((a, b) => sign * compared(keyOf(a), keyOf(b)));
  const rows = sorted.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: sorted.length > limit && last !== undefined ? keyOf(last) : null };
};
