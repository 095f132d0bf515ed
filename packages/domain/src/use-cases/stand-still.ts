import type { Ports } from '../ports.js';
import type { HostConnection } from '../repository/host-connection.js';

/**
 * Tells of every project read with the connection as of when its issues are known, since nobody reads them from now on. Done
 * before the connection changes: should that fail, the next import finds out the same, or that they are current after all;
 * and after it, since an import that goes through until then says that they are current.
 */
export const standStill = async (
  { stores, clock }: Pick<Ports, 'stores' | 'clock'>,
  connection: Pick<HostConnection, 'userId' | 'host'>,
): Promise<void> => {
  for (const { link, state } of await stores.repositoryLinks.ofConnection(connection))
    await stores.repositoryLinks.setStale(link.projectId, state.completedAt, clock());
};
