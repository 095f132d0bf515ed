import type { Instant } from '../instant.js';
import type { Grant, HostAccess, HostAccount } from './host-account.js';

/** An approval that has begun: the person goes to `url`, and comes back with `state` and a code. */
export interface Approval {
  /** The host's page on which the person approves read access. */
  readonly url: string;
  /** Unguessable, for one use. */
  readonly state: string;
  /** The PKCE verifier (RFC 7636), sealed for the owner. */
  readonly sealedVerifier: string;
}

export interface ApprovalRequest {
  /** Who will own the grant. */
  readonly ownerId: string;
  /** Where the host sends the person back to, exactly. */
  readonly redirectUrl: string;
}

export interface RedeemRequest extends ApprovalRequest {
  readonly code: string;
  readonly sealedVerifier: string;
  readonly deadline: Instant;
}

/** A token that a person made at the host, for chosen repositories. */
export interface AdoptRequest {
  /** Who will own the grant. */
  readonly ownerId: string;
  readonly token: string;
  readonly deadline: Instant;
}

/**
 * How a person lets the service read at the repository host: OAuth 2 authorization code with PKCE, or a token
 * that the person made there.
 * Every method but `begin` throws DomainError `host-rejected` only when the host itself refused the code or the grant, and
 * `host-unavailable` (details: `cause`, `retryAt?`) for everything that says nothing about them.
 */
export interface HostAuthorization {
  begin(request: ApprovalRequest): Approval;
  /** Exchanges the code for a grant and asks whose it is. */
  redeem(request: RedeemRequest): Promise<{ readonly grant: Grant; readonly account: HostAccount }>;
  /** Makes a grant of a person's own token, once the host said whose it is. It is never renewed, nor ended at the host. */
  adopt(request: AdoptRequest): Promise<{ readonly grant: Grant; readonly account: HostAccount }>;
  /** A new grant for one that ends; the old one is spent. */
  refresh(access: HostAccess): Promise<Grant>;
  /** Ends the grant at the host; one that is not valid any more, or a person's own token, counts as ended. */
  revoke(access: HostAccess): Promise<void>;
}
