import { createRelease, editRelease, notFound } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { momentOrNull } from '../wire/moment.js';
import { releaseEdit, wireRelease } from '../wire/release.js';
import { actorOf } from './actor.js';
import { pageReply } from './page-reply.js';

const list: Route<OperationOf<'listReleases'>> = async ({ query: { state } }, context) => {
  const { ports, place, page, sealCursor } = context;
  const states = state === undefined ? null : [state];
  const { rows, next } = await ports.stores.releases.ofProject(place.projectId, states, page);
  return pageReply(rows.map(wireRelease), sealCursor(next));
};

const create: Route<OperationOf<'createRelease'>> = async ({ body }, context) => {
  const { name, starts_at, target_at } = body;
  const { teamId, projectId } = context.place;
  const plan = { name, startsAt: momentOrNull(starts_at), targetAt: momentOrNull(target_at) };
  const release = await createRelease(context.ports)({ by: actorOf(context), teamId, projectId, ...plan });
  return { status: 201, body: { data: wireRelease(release) } };
};

const read: Route<OperationOf<'readRelease'>> = async (_, { ports, place }) => {
  const release = await ports.stores.releases.byId(place.releaseId);
  if (release === undefined) throw notFound('release');
  return { status: 200, body: { data: wireRelease(release) } };
};

const change: Route<OperationOf<'changeRelease'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId, releaseId } = context.place;
  const command = { by: actorOf(context), teamId, projectId, releaseId, edit: releaseEdit(body), version };
  const release = await withCurrent(wireRelease, editRelease(context.ports)(command));
  return { status: 200, body: { data: wireRelease(release) } };
};

/** What may ship. */
export const releaseRoutes = {
  listReleases: list,
  createRelease: create,
  readRelease: read,
  changeRelease: change,
} as const satisfies Partial<Routes>;
