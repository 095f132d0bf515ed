import type { ShipworthyOptions } from './composition/options.js';
import { createShipworthyOn, type Shipworthy } from './composition/service.js';
import { allRoutes } from './routes/all-routes.js';

/**
 * Makes an instance of the service on the given stores: the same root the server itself starts from, for whoever embeds it
 * with stores, authentication, clock or log of their own. Nothing listens and nothing runs before `listen`.
 */
export const createShipworthy: (options: ShipworthyOptions) => Shipworthy = createShipworthyOn(allRoutes);
