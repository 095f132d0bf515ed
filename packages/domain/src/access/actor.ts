import type { Instant } from '../instant.js';
import type { AuditEntry } from './audit-store.js';
import type { Principal } from './principal.js';

/** Who gives a command, and from where. */
export interface Actor {
  readonly principal: Principal;
  /** Network address of the caller. */
  readonly address: string;
  readonly requestId: string;
}

/** What was done, without who and when. */
export interface Deed {
  readonly teamId: string | null;
  /** Noun and verb: `release.ship`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The audit log's entry of a deed. Its detail must hold no secret. */
export const auditEntry = (id: string, at: Instant, by: Actor, deed: Deed): AuditEntry => ({
  id,
  teamId: deed.teamId,
  at,
  actor: { userId: by.principal.userId, name: by.principal.name, kind: by.principal.kind },
  action: deed.action,
  resource: deed.resource,
  address: by.address,
  requestId: by.requestId,
  detail: deed.detail ?? {},
});
