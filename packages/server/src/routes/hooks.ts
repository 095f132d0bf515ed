import { receiveHook } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';

const receive: Route<OperationOf<'receiveHook'>> = async (_, { ports, delivery }) => {
  const { links, repeated } = await receiveHook(ports)(delivery);
  return { status: 200, body: { data: { accepted: links > 0, repeated } } };
};

/** What the repository host sends. */
export const hookRoutes = { receiveHook: receive } as const satisfies Partial<Routes>;
