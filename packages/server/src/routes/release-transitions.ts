import { activateRelease, cancelRelease, type InRelease, parkRelease, shipRelease } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireRelease } from '../wire/release.js';
import { actorOf } from './actor.js';

type Asked = Parameters<typeof actorOf>[0] & { readonly place: Omit<InRelease, 'by'> };

const commandOf = ({ place, ...request }: Asked): InRelease => {
  const { teamId, projectId, releaseId } = place;
  return { by: actorOf(request), teamId, projectId, releaseId };
};

const activate: Route<OperationOf<'activateRelease'>> = async ({ body }, context) => {
  const release = await activateRelease(context.ports)({ ...commandOf(context), current: body?.current ?? null });
  return { status: 200, body: { data: wireRelease(release) } };
};

const park: Route<OperationOf<'parkRelease'>> = async (_, context) => {
  const release = await parkRelease(context.ports)(commandOf(context));
  return { status: 200, body: { data: wireRelease(release) } };
};

const ship: Route<OperationOf<'shipRelease'>> = async ({ body }, context) => {
  const { release } = await shipRelease(context.ports)({ ...commandOf(context), note: body?.note ?? null });
  return { status: 200, body: { data: wireRelease(release) } };
};

const cancel: Route<OperationOf<'cancelRelease'>> = async (_, context) => {
  const release = await cancelRelease(context.ports)(commandOf(context));
  return { status: 200, body: { data: wireRelease(release) } };
};

/** From one state of a release to another. */
export const releaseTransitionRoutes = {
  activateRelease: activate,
  parkRelease: park,
  shipRelease: ship,
  cancelRelease: cancel,
} as const satisfies Partial<Routes>;
