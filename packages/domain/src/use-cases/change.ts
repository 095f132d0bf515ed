import { type Actor, auditEntry, type Deed } from '../access/actor.js';
import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { Ports, Stores } from '../ports.js';

/** What every use case that changes something needs. */
export type ChangePorts = Pick<Ports, 'stores' | 'clock' | 'newId'>;

/** A change under way: its stores share one transaction. */
export interface Change {
  readonly stores: Stores;
  /** The one moment of the change. */
  readonly now: Instant;
  readonly newId: () => string;
  readonly by: Actor;
  /** Appends to the audit log in the same transaction. */
  note(deed: Deed): Promise<void>;
}

/** Runs a change in one transaction: all of it and its audit entries, or nothing. */
export const change = <Result>(
  { stores, clock, newId }: ChangePorts,
  by: Actor,
  work: (change: Change) => Promise<Result>,
): Promise<Result> =>
  stores.transaction((inside) => {
    const now = clock();
    const note = (deed: Deed) => inside.audit.append(auditEntry(newId(), now, by, deed));
    return work({ stores: inside, now, newId, by, note });
  });

/** The refusal of a change that was made to an older state than the stored one. */
export const versionMismatch = (current: unknown): DomainError =>
  new DomainError('version-mismatch', 'It was changed by somebody else in the meantime.', { current });

/** Demands that the state the caller saw is the stored one; `seen: null` asks for nothing. @throws DomainError `version-mismatch` with `current` */
export const requireVersion = (current: { readonly version: number }, seen: number | null): void => {
  if (seen !== null && seen !== current.version) throw versionMismatch(current);
};
