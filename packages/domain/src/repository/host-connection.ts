import type { Instant } from '../instant.js';
import type { Grant, HostAccount } from './host-account.js';

/** `rejected`: the host refused the grant, the person must approve again; `revoking`: disconnected, not yet ended at the host. */
export type ConnectionState = 'ok' | 'rejected' | 'revoking';

/** A person's connection to the repository host. */
export interface HostConnection {
  readonly userId: string;
  /** Name of the host. */
  readonly host: string;
  readonly account: HostAccount;
  readonly grant: Grant;
  readonly state: ConnectionState;
  /** Until then no background work is done with it: the host asked for it, or little of its budget is left. */
  readonly pausedUntil: Instant | null;
  readonly connectedAt: Instant;
  readonly version: number;
}

/** A connection with background work to do, claimed by one worker until the lease ends. */
export interface ClaimedConnection {
  readonly connection: HostConnection;
  /** Names this claim: whatever is stored under it is refused once somebody else has claimed the connection. */
  readonly lease: string;
}

/** A grant that no connection holds any more and that has not been ended at the host yet. */
export type EndingGrant = Pick<HostConnection, 'userId' | 'host' | 'grant'>;

/** An approval under way. */
export interface PendingApproval {
  readonly stateHash: string;
  /** Of the session that began it; only that one may end it. */
  readonly sessionId: string;
  readonly userId: string;
  readonly host: string;
  readonly sealedVerifier: string;
  readonly redirectUrl: string;
  readonly expiresAt: Instant;
}
