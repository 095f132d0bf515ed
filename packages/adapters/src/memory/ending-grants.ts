import type { EndingGrant, HostConnectionStore } from '@shipworthy/domain';
import { ascending } from './order.js';
import type { TableAccess } from './table-access.js';
import { keyOf } from './tables.js';

const endingKey = ({ userId, host, grant }: EndingGrant): string => keyOf(userId, host, grant.sealed);

/** The grants that are to be ended at the host. */
export const endingGrants = ({
  change,
}: Pick<TableAccess, 'change'>): Pick<HostConnectionStore, 'keepEnding' | 'claimEnding' | 'removeEnding'> => ({
  keepEnding: (ending, dueAt) => change(({ endings }) => endings.put(endingKey(ending), { ending, dueAt })),
  claimEnding: (host, now, leaseMs) =>
    change(({ endings }) => {
      const due = endings.all().filter(({ ending, dueAt }) => ending.host === host && dueAt <= now);
      const first = ascending(due, ({ ending, dueAt }) => [dueAt, endingKey(ending)])[0];
      if (first !== undefined) endings.put(endingKey(first.ending), { ...first, dueAt: now + leaseMs });
      return first?.ending;
    }),
  removeEnding: (ending) => change(({ endings }) => endings.remove(endingKey(ending))),
});
