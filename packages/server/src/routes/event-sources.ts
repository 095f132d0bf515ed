import { setEventSources } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { actorOf } from './actor.js';

const read: Route<OperationOf<'readEventSources'>> = async (_, { ports, place }) => ({
  status: 200,
  body: { data: { sources: await ports.stores.eventSources.ofProject(place.projectId) } },
});

const replace: Route<OperationOf<'replaceEventSources'>> = async ({ body: { sources } }, context) => {
  const { teamId, projectId } = context.place;
  const set = await setEventSources(context.ports)({ by: actorOf(context), teamId, projectId, sources });
  return { status: 200, body: { data: { sources: set } } };
};

/** Which CDEvents are those of a project. */
export const eventSourceRoutes = {
  readEventSources: read,
  replaceEventSources: replace,
} as const satisfies Partial<Routes>;
