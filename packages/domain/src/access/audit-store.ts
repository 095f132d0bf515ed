import type { Instant } from '../instant.js';
import type { Page, PageRequest } from '../page.js';

/** Who did what to which resource, from where. Never holds a secret. */
export interface AuditEntry {
  readonly id: string;
  /** null: concerns no single team. */
  readonly teamId: string | null;
  readonly at: Instant;
  /** `service`: nobody, it is what the service does by itself. */
  readonly actor: {
    readonly userId: string | null;
    readonly name: string;
    readonly kind: 'session' | 'api_key' | 'service';
  };
  /** Noun and verb: `release.ship`. */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  /** Network address of the caller; empty, like the request's id, where nobody called. */
  readonly address: string;
  readonly requestId: string;
  /** What changed, in words or values fit to be read. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Append-only. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first: at, then id. */
  page(teamId: string, page: PageRequest): Promise<Page<AuditEntry>>;
}
