import { waiveReason, withdrawWaiver } from '@shipworthy/domain/use-cases';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { sentMoment, wireWaiver } from '../wire.js';
import { actorOf } from './replies.js';

const list: RouteHandler<OperationOf<'listWaivers'>> = async (_, { ports, place }) => {
  const waivers = await ports.stores.waivers.ofRelease(place.releaseId);
  return { status: 200, body: { data: waivers.map(wireWaiver) } };
};

const waive: RouteHandler<OperationOf<'waiveReason'>> = async ({ body }, context) => {
  const { code, axis = null, text, expires_at } = body;
  const { teamId, projectId, releaseId } = context.place;
  const reason = { code, axis, text, expiresAt: sentMoment(expires_at) };
  const waiver = await waiveReason(context.ports, { by: actorOf(context), teamId, projectId, releaseId, ...reason });
  return { status: 201, body: { data: wireWaiver(waiver) } };
};

const withdraw: RouteHandler<OperationOf<'withdrawWaiver'>> = async (_, context) => {
  const { teamId, projectId, releaseId, waiver } = context.place;
  await withdrawWaiver(context.ports, { by: actorOf(context), teamId, projectId, releaseId, waiverId: waiver.id });
  return { status: 204 };
};

/** Hold reasons that people accept. */
export const waiverRoutes = {
  listWaivers: list,
  waiveReason: waive,
  withdrawWaiver: withdraw,
} as const satisfies Partial<Routes>;
