import { createShipworthyOn, type Shipworthy, type ShipworthyOptions } from './composition/service.js';
import { allRoutes } from './routes/index.js';

export type { Shipworthy, ShipworthyOptions } from './composition/service.js';
export { type Config, type ConfigReading, readConfig, type ServerSurroundings } from './config.js';
export type { Authenticate, AuthenticationRequest } from './http/authentication.js';
export { createLog, type Log, type LogLevel, type WriteText } from './observability/log.js';
export { SERVER_VERSION } from './version.js';
export { type ApplicationFiles, readApplicationFiles } from './web-files.js';

/**
 * Makes an instance of the service on the given stores: the same root the server itself starts from, for programs that embed it
 * with stores, authentication, clock or log of their own. Nothing listens and nothing runs before `listen`.
 */
export const createShipworthy: (options: ShipworthyOptions) => Shipworthy = createShipworthyOn(allRoutes);
