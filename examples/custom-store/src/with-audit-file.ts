import type { AuditEntry, Stores, StoresWithFeed } from '@shipworthy/domain';
import type { AuditFile } from './audit-file.js';
import { auditPage } from './audit-page.js';

/** Holds back the entries that the work appends until the rest of the transaction is done, then writes them. */
const inTransaction = async <Result>(
  inside: Stores,
  file: AuditFile,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> => {
  const pending: AuditEntry[] = [];
  let failure: { readonly error: unknown } | undefined;
  const audit: Stores['audit'] = {
    append: async (entry) => void pending.push(entry),
    page: async (filter, request, order) =>
      auditPage([...(await file.ofTeam(filter.teamId)), ...pending], filter, request, order),
  };
  const joined = (stores: Stores): Stores => ({
    ...stores,
    audit,
    transaction: async (nested, by) => {
      try {
        return await stores.transaction((same) => nested(joined(same)), by);
      } catch (error) {
        // An error in a joined transaction rolls back the whole, even if the surrounding work goes on.
        failure ??= { error };
        throw error;
      }
    },
  });
  const result = await joined(inside).transaction(work);
  if (failure !== undefined) throw failure.error;
  // Before the commit: a change without its entry is worse than an entry whose change a failed commit took back.
  if (pending.length > 0) await file.append(pending);
  return result;
};

/** Returns the stores with their audit log in the file. A transaction whose entries cannot be written is undone. */
export const withAuditFile = (stores: StoresWithFeed, file: AuditFile): StoresWithFeed => ({
  ...stores,
  audit: {
    append: (entry) => file.append([entry]),
    page: async (filter, request, order) => auditPage(await file.ofTeam(filter.teamId), filter, request, order),
  },
  transaction: (work, by) => stores.transaction((inside) => inTransaction(inside, file, work), by),
});
