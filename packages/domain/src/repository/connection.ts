import type { Instant } from '../time.js';
import type { Grant, HostAccount } from './host.js';

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
  /** Until then no background work uses it: the host asked to wait, or little of its budget is left. */
  readonly pausedUntil: Instant | null;
  readonly connectedAt: Instant;
  readonly version: number;
}

/** A connection with background work to do, claimed by one worker until the lease ends. */
export interface ClaimedConnection {
  readonly connection: HostConnection;
  /** Identifies this claim: writes under it are refused once another worker has claimed the connection. */
  readonly lease: string;
}

/** A grant that no connection holds and that has not been ended at the host yet. */
export type FormerGrant = Pick<HostConnection, 'userId' | 'host' | 'grant'>;

/** An approval under way. */
export interface PendingApproval {
  readonly stateHash: string;
  /** The id of the session that began it; only that session may finish it. */
  readonly sessionId: string;
  readonly userId: string;
  readonly host: string;
  readonly sealedVerifier: string;
  readonly redirectUrl: string;
  readonly expiresAt: Instant;
}

export interface HostConnectionStore {
  /** Replaces the connection that person had at that host, claims included. */
  put(connection: HostConnection): Promise<void>;
  of(userId: string, host: string): Promise<HostConnection | undefined>;
  /** Stores `next` if the stored version is `next.version - 1`; claims stay as they are. */
  replace(next: HostConnection): Promise<boolean>;
  /** Removes the connection if it still has that version. */
  remove(connection: Pick<HostConnection, 'userId' | 'host' | 'version'>): Promise<boolean>;
  /**
   * Lets one of many callers refresh the grant: true for the first. The others get false until `now + leaseMs`, or until the
   * connection is put, or replaced with another grant or state.
   */
  claimRefresh(userId: string, host: string, now: Instant, leaseMs: number): Promise<boolean>;
  /** Gives back the claim of a refresh that ends at `until`; does nothing when another claim has replaced it. */
  releaseRefresh(userId: string, host: string, until: Instant): Promise<void>;
  /**
   * One connection of the host that is not paused and has work due: it is `revoking`, or it is `ok` and a repository linked
   * with it is due (`RepositoryLinkStore`). Hidden from other claimers until `now + leaseMs`; the one waiting longest first.
   */
  claimWork(host: string, now: Instant, leaseMs: number, lease: string): Promise<ClaimedConnection | undefined>;
  /** Extends a claim to `until`; false when another worker holds it now. An `until` in the past gives it back. */
  keepWork(claim: ClaimedConnection, until: Instant): Promise<boolean>;

  /** Stores a grant that is to be ended at the host; `claimFormerGrant` returns it from `dueAt` on. */
  putFormerGrant(former: FormerGrant, dueAt: Instant): Promise<void>;
  /** Returns the stored grant of the host that has been due longest, and makes it due again at `now + leaseMs`. */
  claimFormerGrant(host: string, now: Instant, leaseMs: number): Promise<FormerGrant | undefined>;
  /** Removes a grant that has ended; false: it was not stored. */
  removeFormerGrant(former: FormerGrant): Promise<boolean>;

  /** Remembers an approval that began. */
  begin(approval: PendingApproval): Promise<void>;
  /**
   * Returns and removes the approval of that state, so that each is used once. An approval that another session began
   * is neither returned nor removed. Returns expired ones too; the caller refuses them.
   */
  take(stateHash: string, sessionId: string): Promise<PendingApproval | undefined>;
  /** Removes approvals that expired before the moment; returns how many. */
  removeExpired(before: Instant): Promise<number>;
}
