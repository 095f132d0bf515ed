import type { BodyOf, Operations, Release as WireRelease } from '@shipworthy/client/contract';
import {
  notFound,
  type Release,
  type ReleaseEdit,
  type ReleaseOrder,
  type Role,
  searchTextOf,
} from '@shipworthy/domain';
import type { ReleaseFilter } from '@shipworthy/domain/ports';
import {
  activateRelease,
  cancelRelease,
  createRelease,
  editRelease,
  type InRelease,
  parkRelease,
  shipRelease,
} from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { requireTogether, sentMoment, sentMomentOrNull, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { type AskedBy, actorOf, pageReply } from './replies.js';

export const wireRelease = (release: Release): WireRelease => ({
  id: release.id,
  project_id: release.projectId,
  name: release.name,
  state: release.state,
  starts_at: wireMomentOrNull(release.startsAt),
  target_at: wireMomentOrNull(release.targetAt),
  shipped_at: wireMomentOrNull(release.shippedAt),
  canceled_at: wireMomentOrNull(release.canceledAt),
  note: release.note,
  external_id: release.externalId,
  version: release.version,
  created_at: wireMoment(release.createdAt),
});

/** The edit of a release; members that were not sent are left out. */
export const releaseEdit = (sent: BodyOf<Operations['changeRelease']>): ReleaseEdit => ({
  ...(sent.name === undefined ? {} : { name: sent.name }),
  ...(sent.starts_at === undefined ? {} : { startsAt: sentMoment(sent.starts_at) }),
  ...(sent.target_at === undefined ? {} : { targetAt: sentMomentOrNull(sent.target_at) }),
});

type ListQuery = RouteInput<OperationOf<'exportReleases'>>['query'];

const filterOf = (projectId: string, { q, state }: ListQuery): ReleaseFilter => ({
  projectId,
  ...(q === undefined ? {} : { text: searchTextOf(q) }),
  ...(state === undefined ? {} : { states: [state] }),
});

/** @throws DomainError `invalid` for an order without a sort */
const orderOf = (query: ListQuery): ReleaseOrder => {
  requireTogether(query, [['order', 'sort']]);
  const { sort: by = 'created', order = by === 'created' ? 'desc' : 'asc' } = query;
  return { by, descending: order === 'desc' };
};

const list: RouteHandler<OperationOf<'listReleases'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.releases.page(filterOf(place.projectId, query), page, orderOf(query));
  return pageReply(rows.map(wireRelease), sealCursor(next));
};

const COLUMNS: TableColumns<WireRelease> = {
  name: ({ name }) => name,
  state: ({ state }) => state,
  starts_at: ({ starts_at }) => starts_at,
  target_at: ({ target_at }) => target_at,
  shipped_at: ({ shipped_at }) => shipped_at,
  canceled_at: ({ canceled_at }) => canceled_at,
  note: ({ note }) => note,
  created_at: ({ created_at }) => created_at,
  external_id: ({ external_id }) => external_id,
  id: ({ id }) => id,
};

const exportTable: RouteHandler<OperationOf<'exportReleases'>> = async ({ query }, { ports, place }) => {
  const { slices, stores } = ports;
  const [filter, order] = [filterOf(place.projectId, query), orderOf(query)];
  return exportList({
    name: 'releases',
    columns: COLUMNS,
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.releases.page(filter, page, order);
      return { rows: await slices.map(rows, wireRelease), next };
    },
  });
};

const create: RouteHandler<OperationOf<'createRelease'>> = async ({ body }, context) => {
  const { name, starts_at, target_at } = body;
  const { teamId, projectId } = context.place;
  const plan = { name, startsAt: sentMomentOrNull(starts_at), targetAt: sentMomentOrNull(target_at) };
  const release = await createRelease(context.ports, { by: actorOf(context), teamId, projectId, ...plan });
  return { status: 201, body: { data: wireRelease(release) } };
};

const read: RouteHandler<OperationOf<'readRelease'>> = async (_, { ports, place }) => {
  const release = await ports.stores.releases.byId(place.releaseId);
  if (release === undefined) throw notFound('release');
  return { status: 200, body: { data: wireRelease(release) } };
};

const change: RouteHandler<OperationOf<'changeRelease'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId, releaseId } = context.place;
  const command = { by: actorOf(context), teamId, projectId, releaseId, edit: releaseEdit(body), version };
  const release = await withCurrent(wireRelease, editRelease(context.ports, command));
  return { status: 200, body: { data: wireRelease(release) } };
};

export const releaseRoutes = {
  listReleases: list,
  exportReleases: exportTable,
  createRelease: create,
  readRelease: read,
  changeRelease: change,
} as const satisfies Partial<Routes>;

type ReleaseContext = AskedBy<Role> & { readonly place: Omit<InRelease, 'by'> };

const commandOf = ({ place, ...request }: ReleaseContext): InRelease => {
  const { teamId, projectId, releaseId } = place;
  return { by: actorOf(request), teamId, projectId, releaseId };
};

const activate: RouteHandler<OperationOf<'activateRelease'>> = async ({ body }, context) => {
  const current = { current: body?.current ?? null, currentReleaseId: body?.current_release_id };
  const release = await activateRelease(context.ports, { ...commandOf(context), ...current });
  return { status: 200, body: { data: wireRelease(release) } };
};

const park: RouteHandler<OperationOf<'parkRelease'>> = async (_, context) => {
  const release = await parkRelease(context.ports, commandOf(context));
  return { status: 200, body: { data: wireRelease(release) } };
};

const ship: RouteHandler<OperationOf<'shipRelease'>> = async ({ body }, context) => {
  const { release } = await shipRelease(context.ports, { ...commandOf(context), note: body?.note ?? null });
  return { status: 200, body: { data: wireRelease(release) } };
};

const cancel: RouteHandler<OperationOf<'cancelRelease'>> = async (_, context) => {
  const release = await cancelRelease(context.ports, commandOf(context));
  return { status: 200, body: { data: wireRelease(release) } };
};

/** The routes that change a release's state. */
export const releaseTransitionRoutes = {
  activateRelease: activate,
  parkRelease: park,
  shipRelease: ship,
  cancelRelease: cancel,
} as const satisfies Partial<Routes>;
