import { DomainError } from '../errors.js';
import type { Instant } from '../instant.js';
import type { ChecklistItem, Removal, RemovedItem } from './checklist-item.js';

/** How long a removed item can be restored, in milliseconds. */
export const RESTORABLE_MS = 30 * 24 * 3_600_000;

/** The first moment at which a removed item can no longer be restored. */
export const restorableUntil = ({ removedAt }: Removal): Instant => removedAt + RESTORABLE_MS;

/** Demands that an item was added by hand: those of the template stay. @throws DomainError `template-item` */
export const requireAdded = ({ title, origin }: ChecklistItem): void => {
  if (origin === 'added') return;
  const instead = 'mark it as not applicable, with a reason, instead';
  throw new DomainError('template-item', `${title} comes from the project's checklist template; ${instead}.`);
};

/** Demands that a removed item can still be restored. @throws DomainError `not-restorable` */
export const requireRestorable = ({ title, removal }: RemovedItem, now: Instant): void => {
  if (now < restorableUntil(removal)) return;
  throw new DomainError('not-restorable', `${title} was removed 30 days ago or more; add it again instead.`);
};
