import type { AuditEntry, Page, PageKey, PageRequest } from '@shipworthy/domain';

const keyOf = ({ at, id }: AuditEntry): readonly [number, string] => [at, id];

const isAfter = (entry: AuditEntry, [at, id]: PageKey): boolean =>
  entry.at === at ? entry.id < String(id) : entry.at < Number(at);

const newerFirst = (a: AuditEntry, b: AuditEntry): number => b.at - a.at || (a.id < b.id ? 1 : -1);

/** The page of the entries, newest first, that follows the key of the last entry seen. */
export const newestFirst = (entries: readonly AuditEntry[], { limit, after }: PageRequest): Page<AuditEntry> => {
  const left = after === null ? entries : entries.filter((entry) => isAfter(entry, after));
  const sorted = left.toSorted(newerFirst);
  const rows = sorted.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: sorted.length > limit && last !== undefined ? keyOf(last) : null };
};
