import type { Principal } from '../access/principal.js';
import type { Ports } from '../ports.js';
import type { HostAccount } from '../repository/host-account.js';
import { connectedOf } from './in-connection.js';

export interface HostConnectionStatus {
  /** false: the server is not set up to connect the repository host. */
  readonly configured: boolean;
  /** false: the caller's account is not connected. */
  readonly connected: boolean;
  /** Whose connection it is at the host; null: not connected. */
  readonly account: HostAccount | null;
}

/** Whether the caller is connected to the repository host; the host is not asked. */
export const readHostConnection =
  ({ stores, repositoryHost }: Pick<Ports, 'stores' | 'repositoryHost'>) =>
  async ({ principal }: { readonly principal: Principal }): Promise<HostConnectionStatus> => {
    if (repositoryHost === null) return { configured: false, connected: false, account: null };
    const connection = await connectedOf(stores, principal.userId, repositoryHost.name);
    return { configured: true, connected: connection !== undefined, account: connection?.account ?? null };
  };
