import type { Instant } from '../instant.js';
import type { ClaimedConnection, EndingGrant, HostConnection, PendingApproval } from './host-connection.js';

export interface HostConnectionStore {
  /** Stores the connection in place of whatever that person had at that host, claims included. */
  put(connection: HostConnection): Promise<void>;
  of(userId: string, host: string): Promise<HostConnection | undefined>;
  /** Stores `next` if the stored version is `next.version - 1`; claims stay as they are. */
  replace(next: HostConnection): Promise<boolean>;
  /** Removes the connection if it still has that version. */
  remove(connection: Pick<HostConnection, 'userId' | 'host' | 'version'>): Promise<boolean>;
  /**
   * Lets one of many refresh the grant: true for the first until `now + leaseMs`, or until the connection is put, or
   * replaced with another grant or state.
   */
  claimRefresh(userId: string, host: string, now: Instant, leaseMs: number): Promise<boolean>;
  /** Gives back the claim of a refresh that would have ended at `until`; nothing happens when there is another one by now. */
  releaseRefresh(userId: string, host: string, until: Instant): Promise<void>;
  /**
   * One connection of the host that is not paused and has work due: it is `revoking`, or it is `ok` and a repository linked
   * with it is due (`RepositoryLinkStore`). Hidden from other claimers until `now + leaseMs`; the one waiting longest first.
   */
  claimWork(host: string, now: Instant, leaseMs: number, lease: string): Promise<ClaimedConnection | undefined>;
  /** Holds a claim until `until`; false when it is somebody else's by now. `until` in the past gives it back. */
  keepWork(claim: ClaimedConnection, until: Instant): Promise<boolean>;

  /** Keeps a grant until it is ended at the host; others look at it from `dueAt` on. */
  keepEnding(ending: EndingGrant, dueAt: Instant): Promise<void>;
  /** One due grant of the host that is to be ended, the one due longest first; due again at `now + leaseMs`. */
  claimEnding(host: string, now: Instant, leaseMs: number): Promise<EndingGrant | undefined>;
  /** Forgets a grant that has ended; false: it was not kept. */
  removeEnding(ending: EndingGrant): Promise<boolean>;

  /** Remembers an approval that began. */
  begin(approval: PendingApproval): Promise<void>;
  /** The approval of that state, once: whoever asks first takes it away. Expired ones too, for the caller to refuse. */
  take(stateHash: string): Promise<PendingApproval | undefined>;
  /** Forgets approvals that expired before; answers how many. */
  removeExpired(before: Instant): Promise<number>;
}
