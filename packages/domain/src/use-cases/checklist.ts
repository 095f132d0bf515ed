import {
  awaitsConfirmation,
  type ChecklistItem,
  type ChecklistTemplate,
  confirmedItem,
  type Evidence,
  editedItem,
  editFaults,
  type ItemEdit,
  MOST_CHECKLIST_ITEMS,
  MOST_EVIDENCE,
  MOST_EVIDENCE_OF_RELEASE,
  openItem,
  requireAdded,
  requireRestorable,
} from '../checklist.js';
import { invalid, notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import { requireOpen } from '../release/release.js';
import {
  type ChangeOfRelease,
  type ChangePorts,
  type InProject,
  type InRelease,
  requireVersion,
  runOpenReleaseChange,
  runProjectChange,
  runReleaseChange,
  storedRole,
  versionMismatch,
} from './change.js';

/** A command that concerns one checklist item of a release. */
interface InItem extends InRelease {
  readonly itemId: string;
  /** The version of the item the caller saw; null or left out: any. */
  readonly version?: number | null;
}

interface ItemChange extends ChangeOfRelease {
  readonly item: ChecklistItem;
}

/** The item of that release, whether removed or not. @throws DomainError `not-found` */
const findItem = async (
  stores: Pick<Stores, 'checklists'>,
  { itemId, releaseId }: Pick<InItem, 'itemId' | 'releaseId'>,
): Promise<ChecklistItem> => {
  const item = await storedItem(stores, itemId);
  if (item.releaseId !== releaseId) throw notFound('checklist item');
  return item;
};

/** Runs a change of an item on the checklist of an open release. @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed` */
const changeItem = <Result>(
  ports: ChangePorts,
  command: InItem,
  work: (change: ItemChange) => Promise<Result>,
): Promise<Result> =>
  runReleaseChange(ports, command, async (changing) => {
    const item = await findItem(changing.stores, command);
    if (item.removal !== null) throw notFound('checklist item');
    requireVersion(item, command.version ?? null);
    requireOpen(changing.release);
    return work({ ...changing, item });
  });

/** The item as stored. @throws DomainError `not-found` */
const storedItem = async ({ checklists }: Pick<Stores, 'checklists'>, itemId: string): Promise<ChecklistItem> => {
  const item = await checklists.byId(itemId);
  if (item === undefined) throw notFound('checklist item');
  return item;
};

/** Notes an action on the item in the audit log. */
const noteItem = (
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

interface AddChecklistItem extends InRelease {
  readonly title: string;
}

/**
 * Adds an open item at the end of the checklist of a release that has fewer than 500.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `invalid`
 */
export function addChecklistItem(ports: ChangePorts, command: AddChecklistItem): Promise<ChecklistItem> {
  return runOpenReleaseChange(ports, command, async (changing) => {
    const { stores, release, now, newId, by } = changing;
    const { title } = command;
    if ((await stores.checklists.count(release.id)) >= MOST_CHECKLIST_ITEMS) {
      const message = `A release has ${MOST_CHECKLIST_ITEMS} checklist items at most, those that were removed included.`;
      throw invalid([{ pointer: '/title', code: 'too-many', message }]);
    }
    const made = {
      id: newId(),
      releaseId: release.id,
      title,
      origin: 'added',
      at: now,
      by: by.principal.name,
    } as const;
    const item = await stores.checklists.add(openItem(made));
    await noteItem({ ...changing, item }, 'checklist_item.add', {});
    return item;
  });
}

export interface EditChecklistItem extends InItem {
  readonly edit: ItemEdit;
}

/**
 * Ticks, unticks, renames an item or marks it as not applicable with a reason, which counts once an owner made or confirmed
 * it. The audit keeps what the item was before, its mark included.
 * @throws DomainError `not-found`, `forbidden`, `invalid`, `release-closed`, `version-mismatch`
 */
export async function editChecklistItem(ports: ChangePorts, command: EditChecklistItem): Promise<ChecklistItem> {
  const faults = editFaults(command.edit);
  if (faults.length > 0) throw invalid(faults);
  return changeItem(ports, command, async (changing) => {
    const { stores, item, now, by, project } = changing;
    const wasOwner = by.principal.roles.get(project.teamId) === 'owner';
    const isOwner = wasOwner && (await storedRole(stores, by, project.teamId)) === 'owner';
    const next = editedItem(item, command.edit, { name: by.principal.name, isOwner, at: now });
    if (!(await stores.checklists.replace(next))) throw versionMismatch(await stores.checklists.byId(item.id));
    const { title, state, mark } = item;
    await noteItem(changing, 'checklist_item.edit', {
      ...command.edit,
      awaits_confirmation: awaitsConfirmation(next),
      before: { title, state, reason: mark?.reason ?? null, confirmed_by: mark?.confirmedBy ?? null },
    });
    return next;
  });
}

type RemoveChecklistItem = InItem;

/**
 * Takes an item that was added by hand off the checklist; it can be restored for 30 days.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `template-item`
 */
export function removeChecklistItem(ports: ChangePorts, command: RemoveChecklistItem): Promise<void> {
  return changeItem(ports, command, async (changing) => {
    const { stores, item, now, by } = changing;
    requireAdded(item);
    const removal = { removedAt: now, removedBy: by.principal.name };
    if (!(await stores.checklists.remove(item.id, removal))) throw notFound('checklist item');
    await noteItem(changing, 'checklist_item.remove', { state: item.state });
  });
}

interface AddEvidence extends InItem {
  readonly url: string;
  readonly label: string;
}

interface EvidenceAdded {
  readonly item: ChecklistItem;
  readonly evidence: Evidence;
}

/** @throws DomainError `invalid` when the item, or all items of its release, have as many links as they may */
const requireRoomForEvidence = async ({ stores, item, release }: ItemChange): Promise<void> => {
  const tooMany = (message: string) => invalid([{ pointer: '/url', code: 'too-many', message }]);
  if (item.evidence.length >= MOST_EVIDENCE)
    throw tooMany(`A checklist item has ${MOST_EVIDENCE} links as evidence at most.`);
  if ((await stores.checklists.countEvidence(release.id)) < MOST_EVIDENCE_OF_RELEASE) return;
  throw tooMany(
    `The checklist of a release has ${MOST_EVIDENCE_OF_RELEASE} links as evidence at most, those of removed items included.`,
  );
};

/**
 * Links evidence to an item that has fewer than 20 links, of a release that has fewer than 500.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `invalid`
 */
export function addEvidence(ports: ChangePorts, command: AddEvidence): Promise<EvidenceAdded> {
  return changeItem(ports, command, async (changing) => {
    const { stores, item, now, newId, by } = changing;
    const { url, label } = command;
    await requireRoomForEvidence(changing);
    const evidence = { id: newId(), url, label, addedBy: by.principal.name, addedAt: now };
    if (!(await stores.checklists.addEvidence(item.id, evidence))) throw notFound('checklist item');
    await noteItem(changing, 'evidence.add', { url, label });
    return { item: await storedItem(stores, item.id), evidence };
  });
}

interface RemoveEvidence extends InItem {
  readonly evidenceId: string;
}

/** Takes evidence off an item. @throws DomainError `not-found`, `forbidden`, `release-closed` */
export function removeEvidence(ports: ChangePorts, command: RemoveEvidence): Promise<ChecklistItem> {
  return changeItem(ports, command, async (changing) => {
    const { stores, item, now, by } = changing;
    const removed = await stores.checklists.removeEvidence(item.id, command.evidenceId, now, by.principal.name);
    if (!removed) throw notFound('evidence');
    await noteItem(changing, 'evidence.remove', { id: command.evidenceId });
    return storedItem(stores, item.id);
  });
}

interface ChangeChecklistTemplate extends InProject {
  /** The titles in list order, each once. */
  readonly titles: readonly string[];
  /** The version the caller saw. */
  readonly version: number;
}

/**
 * Gives the project another checklist template, with which releases start from then on; existing releases keep their
 * items.
 * @throws DomainError `invalid` for titles that are there already, `not-found`, `forbidden`, `version-mismatch`
 */
export async function changeChecklistTemplate(
  ports: ChangePorts,
  command: ChangeChecklistTemplate,
): Promise<ChecklistTemplate> {
  const repeated = command.titles.flatMap((title, place, all) =>
    all.indexOf(title) < place
      ? [{ pointer: `/items/${place}/title`, code: 'duplicate', message: `The title ${title} is there already.` }]
      : [],
  );
  if (repeated.length > 0) throw invalid(repeated);
  return runProjectChange(ports, command, async ({ stores, project, now, by, note }) => {
    const { titles } = command;
    const before = await stores.checklists.template(project.id);
    const next = { titles, version: command.version + 1, changedAt: now, changedBy: by.principal.name };
    if (!(await stores.checklists.replaceTemplate(project.id, next))) throw versionMismatch(before);
    const resource = { type: 'project', id: project.id };
    const detail = { version: next.version, titles, before: before.titles };
    await note({ teamId: project.teamId, action: 'checklist_template.change', resource, detail });
    return next;
  });
}

interface ConfirmChecklistItem extends InItem {
  /** The version of the item the owner saw: what is confirmed is the reason it had then. */
  readonly version: number;
}

/**
 * Confirms that an item does not apply, so that it no longer counts; one that is confirmed already stays as it is.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `release-closed`, `not-marked`
 */
export function confirmChecklistItem(ports: ChangePorts, command: ConfirmChecklistItem): Promise<ChecklistItem> {
  return changeItem(ports, command, async (changing) => {
    const { stores, item, now, by } = changing;
    const next = confirmedItem(item, { name: by.principal.name, at: now });
    if (next === item) return item;
    if (!(await stores.checklists.replace(next))) throw versionMismatch(await stores.checklists.byId(item.id));
    const { reason, markedBy } = item.mark ?? { reason: null, markedBy: null };
    await noteItem(changing, 'checklist_item.confirm', { reason, marked_by: markedBy });
    return next;
  });
}

type RestoreChecklistItem = Omit<InItem, 'version'>;

/**
 * Puts an item that was removed less than 30 days ago back to its place, as it was; one that is on the checklist stays as it
 * is.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `not-restorable`
 */
export function restoreChecklistItem(ports: ChangePorts, command: RestoreChecklistItem): Promise<ChecklistItem> {
  return runReleaseChange(ports, command, async (changing) => {
    const { stores, now, by } = changing;
    const item = await findItem(stores, command);
    requireOpen(changing.release);
    const { removal } = item;
    if (removal === null) return item;
    requireRestorable({ ...item, removal }, now);
    await stores.checklists.restore(item.id, now, by.principal.name);
    await noteItem({ ...changing, item }, 'checklist_item.restore', { state: item.state });
    return storedItem(stores, item.id);
  });
}
