import type { Principal } from '../access/principal.js';
import type { HostAccount } from '../repository/host-account.js';
import type { HostRepository } from '../repository/host-records.js';
import type { RepositorySearch } from '../repository/repository-host.js';
import { HOST_ANSWERS_WITHIN, type HostPorts, requireHost, requireWorking } from './in-connection.js';
import { withAccess } from './with-access.js';

export interface ListRepositories {
  readonly principal: Principal;
  readonly search: RepositorySearch;
}

export interface ListedRepositories {
  readonly rows: readonly HostRepository[];
  readonly next: string | null;
  /** Whose repositories these are. */
  readonly account: HostAccount;
  /** Why there is none at all; null: there are some. */
  readonly empty: 'none_readable' | 'no_match' | null;
  /** The same for people, with what they can do. */
  readonly message: string | null;
}

/** The repositories the caller's account at the host can read. @throws DomainError `host-not-configured`, `host-not-connected`, `host-rejected`, `host-unavailable` */
export const listRepositories =
  (ports: HostPorts) =>
  async ({ principal, search }: ListRepositories): Promise<ListedRepositories> => {
    const host = requireHost(ports);
    const deadline = ports.clock() + HOST_ANSWERS_WITHIN;
    const connection = await requireWorking(ports.stores, principal.userId, host);
    const { rows, next } = await withAccess(ports, connection, deadline, (access) =>
      host.repositories.repositories(access, search),
    );
    const { account } = connection;
    const found = { rows, next, account };
    if (rows.length > 0 || next !== null || search.page !== null) return { ...found, empty: null, message: null };
    if (search.text !== null)
      return { ...found, empty: 'no_match', message: `${account.name} can read no repository with that in its name.` };
    const message = `${account.name} has no readable repositories at ${host.title}, or you are signed in there with another account than the one that has them.`;
    return { ...found, empty: 'none_readable', message };
  };
