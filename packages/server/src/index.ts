export { type ApplicationFiles, readApplicationFiles } from './application/application-files.js';
export type { ShipworthyOptions } from './composition/options.js';
export type { Shipworthy } from './composition/service.js';
export { type Config, type ConfigReading, readConfig, type Surroundings } from './config.js';
export { createShipworthy } from './create-shipworthy.js';
export type { Authenticate, AuthenticationRequest } from './http/authentication.js';
export { createLog, type Log, type LogLevel, type WriteText } from './observability/log.js';
export { VERSION } from './version.js';
