import { hideBadge, type Ports, readBadge, showBadge } from '@shipworthy/domain';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { badgeImage } from '../service/badge-image.js';
import { wireBadge, wireBadgeState } from '../wire/badge.js';
import { actorOf } from './actor.js';

interface Asked {
  readonly path: { readonly team_id: string; readonly project_id: string };
  readonly query: { readonly token?: string };
}

const badgeAsked = async ({ path, query }: Asked, { ports }: { readonly ports: Ports }) =>
  wireBadge(await readBadge(ports)({ teamId: path.team_id, projectId: path.project_id, token: query.token ?? null }));

const read: Route<OperationOf<'readBadge'>> = async (input, context) => ({
  status: 200,
  body: await badgeAsked(input, context),
});

const readImage: Route<OperationOf<'readBadgeImage'>> = async (input, context) => ({
  status: 200,
  text: badgeImage(await badgeAsked(input, context)),
});

const readState: Route<OperationOf<'readBadgeState'>> = async (_, { ports, place }) => ({
  status: 200,
  body: { data: wireBadgeState(await ports.stores.badges.ofProject(place.projectId)) },
});

const hide: Route<OperationOf<'hideBadge'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  await hideBadge(context.ports)({ by: actorOf(context), teamId, projectId });
  return { status: 204 };
};

/** A project's badge, for whoever has its token. `baseUrl` is where it is found. */
export const badgeRoutes = (baseUrl: URL) => {
  const show: Route<OperationOf<'showBadge'>> = async (_, context) => {
    const { teamId, projectId } = context.place;
    const token = await showBadge(context.ports)({ by: actorOf(context), teamId, projectId });
    const at = (name: string): string =>
      publicAddress(baseUrl, `/api/teams/${teamId}/projects/${projectId}/${name}?token=${token}`);
    return { status: 200, body: { data: { token, svg_url: at('badge.svg'), json_url: at('badge.json') } } };
  };
  return {
    readBadgeState: readState,
    showBadge: show,
    hideBadge: hide,
    readBadge: read,
    readBadgeImage: readImage,
  } as const satisfies Partial<Routes>;
};
