import { teamsInSight } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireCaller } from '../wire/caller.js';

const whoAmI: Route<OperationOf<'whoAmI'>> = async (_, { ports, principal }) => {
  const teams = await ports.stores.teams.overview(teamsInSight(principal));
  return { status: 200, body: { data: wireCaller(principal, teams) } };
};

/** Who a key or session is. */
export const whoAmIRoutes = { whoAmI } as const satisfies Partial<Routes>;
