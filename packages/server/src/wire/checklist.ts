import type {
  Evidence as WireEvidence,
  ChecklistItem as WireItem,
  RemovedItem as WireRemovedItem,
  ChecklistTemplate as WireTemplate,
} from '@shipworthy/client/contract';
import {
  type ChecklistItem,
  type ChecklistTemplate,
  type Evidence,
  type Instant,
  type RemovedItem,
  restorableUntil,
} from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** A link that shows an item is really done. */
export const wireEvidence = ({ id, url, label, addedBy, addedAt }: Evidence): WireEvidence => ({
  id,
  url,
  label,
  added_by: addedBy,
  added_at: wireMoment(addedAt),
});

const momentOrNull = (at: Instant | null | undefined) => (at == null ? null : wireMoment(at));

/** One line of a launch checklist. */
export const wireChecklistItem = (item: ChecklistItem): WireItem => ({
  id: item.id,
  key: item.key,
  title: item.title,
  origin: item.origin,
  state: item.state,
  reason: item.mark?.reason ?? null,
  marked_by: item.mark?.markedBy ?? null,
  marked_at: momentOrNull(item.mark?.markedAt),
  confirmed_by: item.mark?.confirmedBy ?? null,
  confirmed_at: momentOrNull(item.mark?.confirmedAt),
  evidence: item.evidence.map(wireEvidence),
  version: item.version,
  updated_at: wireMoment(item.updatedAt),
  updated_by: item.updatedBy,
});

/** An item that was removed from a release; of a closed one it cannot be restored. */
export const wireRemovedItem = (
  { id, key, title, state, removal }: RemovedItem,
  isClosed: boolean,
): WireRemovedItem => ({
  id,
  key,
  title,
  state,
  removed_by: removal.removedBy,
  removed_at: wireMoment(removal.removedAt),
  restorable_until: isClosed ? null : wireMoment(restorableUntil(removal)),
});

/** What new releases of a project start with. */
export const wireChecklistTemplate = ({ titles, version }: ChecklistTemplate): WireTemplate => ({
  items: titles.map((title) => ({ title })),
  version,
});
