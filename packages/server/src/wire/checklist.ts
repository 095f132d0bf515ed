import type { Evidence as WireEvidence, ChecklistItem as WireItem } from '@shipworthy/client/contract';
import type { ChecklistItem, Evidence } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** A link that shows an item is really done. */
export const wireEvidence = ({ id, url, label, addedBy, addedAt }: Evidence): WireEvidence => ({
  id,
  url,
  label,
  added_by: addedBy,
  added_at: wireMoment(addedAt),
});

/** One line of a launch checklist. */
export const wireChecklistItem = (item: ChecklistItem): WireItem => ({
  id: item.id,
  key: item.key,
  title: item.title,
  state: item.state,
  evidence: item.evidence.map(wireEvidence),
  version: item.version,
  updated_at: wireMoment(item.updatedAt),
  updated_by: item.updatedBy,
});
