import type { Server } from 'node:http';
import { verdictSigner } from '@shipworthy/adapters/crypto';
import { tendPartitions } from '@shipworthy/adapters/knex';
import { type ApplicationFiles, readApplicationFiles } from '../application/application-files.js';
import { createShipworthyOn, type Shipworthy } from '../composition/service.js';
import type { Config } from '../config.js';
import { createLog, type Log } from '../observability/log.js';
import { VERSION } from '../version.js';
import { greet } from './greet.js';
import { serveMetrics } from './metrics-server.js';
import { type OpenedStores, openStores } from './open-stores.js';
import { EXIT, type Outside } from './outside.js';
import { readSettings } from './read-settings.js';
import { repositoryHostOf } from './repository-host.js';
import { requireDatabaseOfKey, settleSecretKey } from './secret-key.js';
import { newSetupToken } from './setup-token.js';
import { startFault } from './start-fault.js';

const makeService = async (
  config: Config,
  { database, stores, replica }: OpenedStores,
  setupToken: string,
  log: Log,
  outside: Outside,
  { demo, application }: { readonly demo: boolean; readonly application: ApplicationFiles | null },
): Promise<Shipworthy> => {
  const hasUsers = (): Promise<boolean> => stores.users.any();
  const { secretKey, formerVerdictKeys } = await settleSecretKey(config, database, hasUsers, outside.complain);
  const repositoryHost = await repositoryHostOf(config, secretKey);
  return createShipworthyOn(outside.createRoutes)({
    stores,
    ...(replica === null ? {} : { replica }),
    checkStores: () => database.ready(),
    tendStores: () => tendPartitions(database),
    closeStores: () => database.close(),
    secretKey,
    verdicts: verdictSigner({ secretKey, formerKeys: [...config.formerVerdictKeys, ...formerVerdictKeys] }),
    setupToken,
    requestsPerMinute: config.requestsPerMinute,
    mostBodyBytes: config.mostBodyBytes,
    trustedProxies: config.trustedProxies,
    webhookTargets: config.webhookTargets,
    keepRecordsDays: config.keepRecordsDays,
    log,
    demo,
    ...(config.baseUrl ? { baseUrl: config.baseUrl } : {}),
    ...(config.metricsToken ? { metricsToken: config.metricsToken } : {}),
    ...(application === null ? {} : { application }),
    ...(repositoryHost === null ? {} : { repositoryHost }),
  });
};

const serve = async (config: Config, opened: OpenedStores, outside: Outside, demo: boolean): Promise<void> => {
  const log = createLog(config.logLevel, outside.writeLog, Date.now);
  const setupToken = config.setupToken ?? newSetupToken();
  const application = await readApplicationFiles();
  if (application === null)
    outside.complain('The application in the browser is not built: only the interface is served.');
  const shipworthy = await makeService(config, opened, setupToken, log, outside, { demo, application });
  const ending = new AbortController();
  let greeted: Promise<void> | undefined;
  let metricsServer: Server | undefined;
  try {
    const url = await shipworthy.listen({
      host: config.host,
      port: config.port,
      mostConnections: config.mostConnections,
    });
    if (config.metricsPort !== null)
      metricsServer = await serveMetrics(config.host, config.metricsPort, shipworthy.metrics);
    log.info('listening', { url: url.origin, version: VERSION, database: config.database.kind });
    const madeToken = config.setupToken === null ? setupToken : null;
    const greeting = { url: config.baseUrl ?? url, madeToken, application: application !== null };
    greeted = greet(greeting, opened.stores, outside, ending.signal);
    log.info('closing', { signal: await outside.asked() });
  } finally {
    ending.abort();
    await greeted;
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await shipworthy.close();
  }
};

/** Runs the server until it is asked to end, with a demo if one is wanted; answers the exit code. */
export const start = async (outside: Outside, demo: boolean): Promise<number> => {
  const config = readSettings(outside);
  if (config === null) return EXIT.usage;
  try {
    await requireDatabaseOfKey(config);
    await serve(config, await openStores(config.database, outside.complain), outside, demo);
    return EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${startFault(error, config)}`);
    return EXIT.failed;
  }
};
