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
  isClosed,
  type RemovedItem,
  restorableUntil,
} from '@shipworthy/domain';
import {
  addChecklistItem,
  addEvidence,
  changeChecklistTemplate,
  confirmChecklistItem,
  editChecklistItem,
  removeChecklistItem,
  removeEvidence,
  restoreChecklistItem,
} from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment } from '../wire.js';
import { exportWhole, type TableColumns } from './csv.js';
import { actorOf } from './replies.js';

/** A link that shows an item is really done. */
const wireEvidence = ({ id, url, label, addedBy, addedAt }: Evidence): WireEvidence => ({
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

/** An item that was removed from a release; it cannot be restored once the release is closed. */
const wireRemovedItem = ({ id, key, title, state, removal }: RemovedItem, isClosed: boolean): WireRemovedItem => ({
  id,
  key,
  title,
  state,
  removed_by: removal.removedBy,
  removed_at: wireMoment(removal.removedAt),
  restorable_until: isClosed ? null : wireMoment(restorableUntil(removal)),
});

/** The checklist template of a project, in wire form. */
const wireChecklistTemplate = ({ titles, version }: ChecklistTemplate): WireTemplate => ({
  items: titles.map((title) => ({ title })),
  version,
});

const list: RouteHandler<OperationOf<'listChecklist'>> = async (_, { ports: { stores }, place }) => {
  const [items, removed] = await Promise.all([
    stores.checklists.ofRelease(place.releaseId),
    stores.checklists.removedOf(place.releaseId),
  ]);
  const release = removed.length === 0 ? undefined : await stores.releases.byId(place.releaseId);
  const closed = release !== undefined && isClosed(release);
  const gone = removed.map((item) => wireRemovedItem(item, closed));
  return { status: 200, body: { data: items.map(wireChecklistItem), removed: gone } };
};

const COLUMNS: TableColumns<ChecklistItem> = {
  title: ({ title }) => title,
  key: ({ key }) => key,
  origin: ({ origin }) => origin,
  state: ({ state }) => state,
  reason: ({ mark }) => mark?.reason ?? null,
  marked_by: ({ mark }) => mark?.markedBy ?? null,
  marked_at: ({ mark }) => momentOrNull(mark?.markedAt),
  confirmed_by: ({ mark }) => mark?.confirmedBy ?? null,
  confirmed_at: ({ mark }) => momentOrNull(mark?.confirmedAt),
  evidence: ({ evidence }) => (evidence.length === 0 ? null : evidence.map(({ url }) => url).join(' ')),
  updated_by: ({ updatedBy }) => updatedBy,
  updated_at: ({ updatedAt }) => wireMoment(updatedAt),
  removed_by: ({ removal }) => removal?.removedBy ?? null,
  removed_at: ({ removal }) => momentOrNull(removal?.removedAt),
  id: ({ id }) => id,
};

const exportTable: RouteHandler<OperationOf<'exportChecklist'>> = async (_, { ports: { slices, stores }, place }) => {
  const [items, removed] = await Promise.all([
    stores.checklists.ofRelease(place.releaseId),
    stores.checklists.removedOf(place.releaseId),
  ]);
  return exportWhole([...items, ...removed], { name: 'checklist', columns: COLUMNS, slices });
};

const add: RouteHandler<OperationOf<'addChecklistItem'>> = async ({ body: { title } }, context) => {
  const { teamId, projectId, releaseId } = context.place;
  const item = await addChecklistItem(context.ports, { by: actorOf(context), teamId, projectId, releaseId, title });
  return { status: 201, body: { data: wireChecklistItem(item) } };
};

const change: RouteHandler<OperationOf<'changeChecklistItem'>> = async ({ body: edit, ifMatch: version }, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const edited = editChecklistItem(context.ports, { by: actorOf(context), ...path, edit, version });
  return { status: 200, body: { data: wireChecklistItem(await withCurrent(wireChecklistItem, edited)) } };
};

const remove: RouteHandler<OperationOf<'removeChecklistItem'>> = async (_, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  await removeChecklistItem(context.ports, { by: actorOf(context), teamId, projectId, releaseId, itemId: item.id });
  return { status: 204 };
};

const restore: RouteHandler<OperationOf<'restoreChecklistItem'>> = async (_, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const restored = await restoreChecklistItem(context.ports, { by: actorOf(context), ...path });
  return { status: 200, body: { data: wireChecklistItem(restored) } };
};

const confirm: RouteHandler<OperationOf<'confirmChecklistItem'>> = async ({ ifMatch: version }, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const confirmed = confirmChecklistItem(context.ports, { by: actorOf(context), ...path, version });
  return { status: 200, body: { data: wireChecklistItem(await withCurrent(wireChecklistItem, confirmed)) } };
};

const readTemplate: RouteHandler<OperationOf<'readChecklistTemplate'>> = async (_, { ports, place }) => {
  const template = await ports.stores.checklists.template(place.projectId);
  return { status: 200, body: { data: wireChecklistTemplate(template) } };
};

const replaceTemplate: RouteHandler<OperationOf<'replaceChecklistTemplate'>> = async (
  { body, ifMatch: version },
  context,
) => {
  const { teamId, projectId } = context.place;
  const titles = body.items.map(({ title }) => title);
  const changed = changeChecklistTemplate(context.ports, { by: actorOf(context), teamId, projectId, titles, version });
  return { status: 200, body: { data: wireChecklistTemplate(await withCurrent(wireChecklistTemplate, changed)) } };
};

const link: RouteHandler<OperationOf<'addEvidence'>> = async ({ body: { url, label } }, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const { evidence } = await addEvidence(context.ports, { by: actorOf(context), ...path, url, label });
  return { status: 201, body: { data: wireEvidence(evidence) } };
};

const unlink: RouteHandler<OperationOf<'removeEvidence'>> = async (_, context) => {
  const { teamId, projectId, releaseId, item, evidence } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id, evidenceId: evidence.id };
  await removeEvidence(context.ports, { by: actorOf(context), ...path });
  return { status: 204 };
};

/** The launch checklist of a release, and the template it starts with. */
export const checklistRoutes = {
  listChecklist: list,
  exportChecklist: exportTable,
  addChecklistItem: add,
  changeChecklistItem: change,
  removeChecklistItem: remove,
  restoreChecklistItem: restore,
  confirmChecklistItem: confirm,
  readChecklistTemplate: readTemplate,
  replaceChecklistTemplate: replaceTemplate,
  addEvidence: link,
  removeEvidence: unlink,
} as const satisfies Partial<Routes>;
