import { createShipworthyOn, type Shipworthy, type ShipworthyOptions } from './composition/service.js';
import { allRoutes } from './routes/index.js';

export type { Shipworthy, ShipworthyOptions } from './composition/service.js';
export { type Config, type ConfigReading, readConfig, type ServerSurroundings } from './config.js';
export type { Authenticate, AuthenticationRequest } from './http/authentication.js';
export { createLog, type Log, type LogLevel, type WriteText } from './observability/log.js';
export { SERVER_VERSION } from './version.js';
export { type ApplicationFiles, readApplicationFiles } from './web-files.js';

/**
 * Makes the service on the given stores, for a program that embeds it with its own stores, authentication, clock or log; the server
 * itself is made by it, too. Nothing listens and nothing runs before `listen`.
 */
export const createShipworthy: (options: ShipworthyOptions) => Shipworthy = createShipworthyOn(allRoutes);
