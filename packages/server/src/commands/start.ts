import type { Server } from 'node:http';
import { verdictSigner } from '@shipworthy/adapters/crypto';
import { readApplicationFiles } from '../application/application-files.js';
import { createShipworthyOn, type Shipworthy } from '../composition/service.js';
import type { Config } from '../config.js';
import { createLog, type Log } from '../observability/log.js';
import { VERSION } from '../version.js';
import { serveMetrics } from './metrics-server.js';
import { type OpenedStores, openStores } from './open-stores.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';
import { repositoryHostOf } from './repository-host.js';
import { loadSecretKey } from './secret-key.js';
import { newSetupToken } from './setup-token.js';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const makeService = async (
  config: Config,
  { database, stores }: OpenedStores,
  setupToken: string,
  log: Log,
  outside: Outside,
): Promise<Shipworthy> => {
  const secretKey = await loadSecretKey(config.secretKey);
  const repositoryHost = repositoryHostOf(config, secretKey);
  const application = await readApplicationFiles();
  if (application === null)
    outside.complain('The application in the browser is not built: only the interface is served.');
  return createShipworthyOn(outside.createRoutes)({
    stores,
    checkStores: () => database.ready(),
    closeStores: () => database.close(),
    secretKey,
    verdicts: verdictSigner({ secretKey, formerKeys: config.formerVerdictKeys }),
    setupToken,
    requestsPerMinute: config.requestsPerMinute,
    trustedProxies: config.trustedProxies,
    webhookTargets: config.webhookTargets,
    log,
    ...(config.baseUrl ? { baseUrl: config.baseUrl } : {}),
    ...(config.metricsToken ? { metricsToken: config.metricsToken } : {}),
    ...(application === null ? {} : { application }),
    ...(repositoryHost === null ? {} : { repositoryHost }),
  });
};

/**
 * Says where the service is, and, while nobody is set up, the token that lets the first administrator in. A token that was
 * given is known to who gave it: it does not go to where the output is kept.
 */
const greet = async (
  url: URL,
  { stores }: OpenedStores,
  madeToken: string | null,
  { print }: Outside,
): Promise<void> => {
  print(`Shipworthy ${VERSION} listens on ${url.origin}`);
  const token = madeToken ?? 'as given in SHIPWORTHY_SETUP_TOKEN';
  try {
    if (!(await stores.users.any())) print(`Nobody is set up yet. One-time setup token: ${token}`);
  } catch {
    print('The database does not answer yet: /readyz says when it does.');
  }
};

const serve = async (config: Config, opened: OpenedStores, outside: Outside): Promise<void> => {
  const log = createLog(config.logLevel, outside.writeLog, Date.now);
  const setupToken = config.setupToken ?? newSetupToken();
  const shipworthy = await makeService(config, opened, setupToken, log, outside);
  let metricsServer: Server | undefined;
  try {
    const url = await shipworthy.listen({ host: config.host, port: config.port });
    if (config.metricsPort !== null)
      metricsServer = await serveMetrics(config.host, config.metricsPort, shipworthy.metrics);
    log.info('listening', { url: url.origin, version: VERSION, database: config.database.kind });
    await greet(config.baseUrl ?? url, opened, config.setupToken === null ? setupToken : null, outside);
    log.info('closing', { signal: await outside.asked() });
  } finally {
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await shipworthy.close();
  }
};

/** Runs the server until it is asked to end; answers the exit code. */
export const start = async (outside: Outside): Promise<number> => {
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  try {
    await serve(config, await openStores(config.database), outside);
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${wordsOf(error)}`);
    return EXIT.failed;
  }
};
