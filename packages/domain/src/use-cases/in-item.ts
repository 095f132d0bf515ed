import type { ChecklistItem } from '../checklist/checklist-item.js';
import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import { requireOpen } from '../release/release-transition.js';
import type { Role } from '../team/team.js';
import { type ChangePorts, requireVersion } from './change.js';
import { changeRelease, type InRelease, type ReleaseChange } from './in-release.js';

/** A command that concerns one checklist item of a release. */
export interface InItem extends InRelease {
  readonly itemId: string;
  /** The version of the item the caller saw; null or left out: any. */
  readonly version?: number | null;
}

export interface ItemChange extends ReleaseChange {
  readonly item: ChecklistItem;
}

/** The item of that release, whether removed or not. @throws DomainError `not-found` */
export const findItem = async (
  stores: Pick<Stores, 'checklists'>,
  { itemId, releaseId }: Pick<InItem, 'itemId' | 'releaseId'>,
): Promise<ChecklistItem> => {
  const item = await storedItem(stores, itemId);
  if (item.releaseId !== releaseId) throw notFound('checklist item');
  return item;
};

/** Runs a change of an item on the checklist of an open release. Role member, unless another is needed. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed` */
export const changeItem = <Result>(
  ports: ChangePorts,
  command: InItem,
  work: (change: ItemChange) => Promise<Result>,
  needed: Role = 'member',
): Promise<Result> =>
  changeRelease(ports, command, needed, async (changing) => {
    const item = await findItem(changing.stores, command);
    if (item.removal !== null) throw notFound('checklist item');
    requireVersion(item, command.version ?? null);
    requireOpen(changing.release);
    return work({ ...changing, item });
  });

/** The item as stored. @throws DomainError `not-found` */
export const storedItem = async (
  { checklists }: Pick<Stores, 'checklists'>,
  itemId: string,
): Promise<ChecklistItem> => {
  const item = await checklists.byId(itemId);
  if (item === undefined) throw notFound('checklist item');
  return item;
};

/** Notes a deed on the item in the audit log. */
export const noteItem = (
  { project, item, note }: ItemChange,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  note({
    teamId: project.teamId,
    action,
    resource: { type: 'checklist_item', id: item.id },
    detail: { title: item.title, ...detail },
  });
