import {
  addChecklistItem,
  addEvidence,
  editChecklistItem,
  removeChecklistItem,
  removeEvidence,
} from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireChecklistItem, wireEvidence } from '../wire/checklist.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listChecklist'>> = async (_, { ports, place }) => {
  const items = await ports.stores.checklists.ofRelease(place.releaseId);
  return { status: 200, body: { data: items.map(wireChecklistItem) } };
};

const add: Route<OperationOf<'addChecklistItem'>> = async ({ body: { title } }, context) => {
  const { teamId, projectId, releaseId } = context.place;
  const item = await addChecklistItem(context.ports)({ by: actorOf(context), teamId, projectId, releaseId, title });
  return { status: 201, body: { data: wireChecklistItem(item) } };
};

const change: Route<OperationOf<'changeChecklistItem'>> = async ({ body: edit, ifMatch: version }, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const edited = editChecklistItem(context.ports)({ by: actorOf(context), ...path, edit, version });
  return { status: 200, body: { data: wireChecklistItem(await withCurrent(wireChecklistItem, edited)) } };
};

const remove: Route<OperationOf<'removeChecklistItem'>> = async (_, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  await removeChecklistItem(context.ports)({ by: actorOf(context), teamId, projectId, releaseId, itemId: item.id });
  return { status: 204 };
};

const link: Route<OperationOf<'addEvidence'>> = async ({ body: { url, label } }, context) => {
  const { teamId, projectId, releaseId, item } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id };
  const { evidence } = await addEvidence(context.ports)({ by: actorOf(context), ...path, url, label });
  return { status: 201, body: { data: wireEvidence(evidence) } };
};

const unlink: Route<OperationOf<'removeEvidence'>> = async (_, context) => {
  const { teamId, projectId, releaseId, item, evidence } = context.place;
  const path = { teamId, projectId, releaseId, itemId: item.id, evidenceId: evidence.id };
  await removeEvidence(context.ports)({ by: actorOf(context), ...path });
  return { status: 204 };
};

/** The launch checklist of a release. */
export const checklistRoutes = {
  listChecklist: list,
  addChecklistItem: add,
  changeChecklistItem: change,
  removeChecklistItem: remove,
  addEvidence: link,
  removeEvidence: unlink,
} as const satisfies Partial<Routes>;
