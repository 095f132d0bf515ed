import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { verdictSigner } from '@shipworthy/adapters/crypto';
import { preparePartitions } from '@shipworthy/adapters/knex';
import { DomainError, type StoresWithFeed } from '@shipworthy/domain';
import type { ConfiguredHost } from '@shipworthy/domain/ports';
import { createShipworthyOn, type Shipworthy } from '../composition/service.js';
import type { Config } from '../config.js';
import { publicAddress } from '../http/base-path.js';
import { createLog, faultWords, type Log } from '../observability/log.js';
import { SERVER_VERSION } from '../version.js';
import { type ApplicationFiles, readApplicationFiles } from '../web-files.js';
import { isAway, type OpenedStores, openStores } from './database.js';
import { type Outside, readServerSettings, SERVER_EXIT } from './outside.js';
import { requireDatabaseOfKey, type SettledKey, settleSecretKey } from './secret-key.js';

/** The values that the greeting of a start needs. */
interface Greeting {
  /** Where people reach the service. */
  readonly url: URL;
  /** The token that was made up; null: the settings give one, which is not printed. */
  readonly madeToken: string | null;
  /** Whether the application in the browser is served. */
  readonly application: boolean;
}

/** How often a database that is away is asked again, in milliseconds. */
const AGAIN_MS = 1000;

const KEY_NOT_KNOWN_YET =
  'The secret key can be guessed, and the database does not answer yet: the server listens once it knows that the key may be used.';

/** Resolves, once the database answers, with whether there is an administrator; undefined when `ended` fires first. */
const whenKnown = async (any: () => Promise<boolean>, ended: AbortSignal): Promise<boolean | undefined> => {
  while (!ended.aborted) {
    await pause(AGAIN_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    const known = ended.aborted ? undefined : await any().catch(() => undefined);
    if (known !== undefined) return known;
  }
  return undefined;
};

/**
 * Prints where the service is and, while there is no administrator, the set-up token and an address that carries it
 * behind the hash, which no browser sends. A token from the settings is not printed. While the database is away, prints
 * that, and the rest once it answers, or never when `ended` fires first.
 */
export const greet = async (
  { url, madeToken, application }: Greeting,
  { users }: { readonly users: Pick<StoresWithFeed['users'], 'any'> },
  { print }: Pick<Outside, 'print'>,
  ended: AbortSignal,
): Promise<void> => {
  print(`Shipworthy ${SERVER_VERSION} listens on ${publicAddress(url, '')}`);
  let isSetUp = await users.any().catch(() => undefined);
  if (isSetUp === undefined) {
    print('The database does not answer yet: /readyz says when it does.');
    isSetUp = await whenKnown(() => users.any(), ended);
  }
  if (isSetUp !== false) return;
  print(`No account exists yet. One-time setup token: ${madeToken ?? 'as given in SHIPWORTHY_SETUP_TOKEN'}`);
  if (!application) return;
  const address = publicAddress(url, '/setup');
  print(madeToken === null ? `Open ${address} and enter the token.` : `Open ${address}#${madeToken}`);
};

/** The settings that name a port to listen on. */
type PortSetting = 'PORT' | 'METRICS_PORT';

/** Serves `/metrics` on a port of its own, without a token: anyone who reaches the port may read. */
const serveMetrics = async (host: string, port: number, text: () => string): Promise<Server> => {
  const server = createServer((request, response) => {
    const known = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(known ? text() : '');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { setting: 'METRICS_PORT' satisfies PortSetting })));
    server.listen({ host, port }, resolve);
  });
  return server;
};

/**
 * Returns the repository host that the settings name; null: none. `secretKey` seals the grants that people approve.
 * Only the named host's adapter is loaded, since its dependencies take a good part of the start time and memory.
 */
export const repositoryHostOf = async (
  { github, gitlab }: Pick<Config, 'github' | 'gitlab'>,
  secretKey: Uint8Array,
): Promise<ConfiguredHost | null> => {
  if (github !== null) {
    const { githubHost } = await import('@shipworthy/adapters/github');
    return githubHost({ ...github, secretKey });
  }
  if (gitlab === null) return null;
  const { gitlabHost } = await import('@shipworthy/adapters/gitlab');
  return gitlabHost({ ...gitlab, secretKey });
};

/** Letters and digits that are not confused when read aloud or typed. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A random token for the first setup, some 99 bits, in groups that can be typed. */
const newSetupToken = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
/** Failed reads or writes: SQLite reports them for a full disk as well, or for files that may not grow. */
const FILE_IO_CODES = new Set(['SQLITE_IOERR', 'EIO', 'EFBIG']);
const NOT_A_DATABASE_CODES = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);
const NOT_WRITABLE_CODES = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR'],
  ...['SQLITE_CANTOPEN', 'SQLITE_READONLY'],
]);

/** An error code of the operating system or of SQLite, with the path, system call and port it concerns. */
interface SystemFault {
  readonly code: string;
  readonly path: string | undefined;
  readonly syscall: string | undefined;
  readonly setting: PortSetting;
}

/** Returns the system fault that an error is or was caused by; undefined: none. */
const systemFaultOf = (error: unknown): SystemFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall, setting = 'PORT' } = error as NodeJS.ErrnoException & { setting?: PortSetting };
  const named = error instanceof DomainError ? error.details.reason : code;
  const isOfSystem = typeof named === 'string' && /^(E[A-Z]+|SQLITE_[A-Z]+)$/.test(named);
  return isOfSystem ? { code: named, path, syscall, setting } : undefined;
};

const ofListening = ({ code, setting }: SystemFault, config: Config): string | undefined => {
  const { host } = config;
  const port = setting === 'PORT' ? config.port : config.metricsPort;
  if (code === 'EADDRINUSE' && setting === 'METRICS_PORT' && port === config.port)
    return `${setting} is ${port}, as PORT is: the two must differ. Set ${setting} to another one.`;
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is taken by another program. End that program, or set ${setting} to another one (0: any).`;
  if (code === 'EACCES') return `This user may not open port ${port}. Set ${setting} to 1024 or more.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Set HOST to one it has.`;
  return undefined;
};

/** Whether the SQLite driver's native part is missing, or was made for another Node or machine. */
const isWithoutDriver = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file')) return true;
  return code === 'MODULE_NOT_FOUND' && error.message.includes("'sqlite3'");
};

/** Returns the message for a failed start: the cause, what it concerns, and how to go on. */
export const startFault = (error: unknown, config: Config): string => {
  const said = faultWords(error);
  if (isWithoutDriver(error))
    return `SQLite cannot be used: its driver, the package sqlite3, has no binary for Node ${process.versions.node} on this machine. Run "npm rebuild sqlite3" in the folder of the server (without a ready binary that needs python3, make and a C++ compiler), or set DATABASE_URL to a PostgreSQL database.`;
  const fault = systemFaultOf(error);
  if (fault === undefined) return said;
  const { code, syscall } = fault;
  if (syscall === 'listen') return ofListening(fault, config) ?? said;
  const { database, secretKey, dataDir } = config;
  const file = database.kind === 'sqlite' ? database.file : dataDir;
  if (secretKey.kind === 'file' && fault.path === secretKey.path)
    return `SHIPWORTHY_SECRET_KEY_FILE names ${secretKey.path}, which cannot be read (${code}). Put the key there, readable by this user.`;
  if (database.kind !== 'sqlite') return said;
  if (NOT_A_DATABASE_CODES.has(code))
    return `${file} is no intact SQLite database (${code}). Nothing was changed. Restore a copy: shipworthy-server restore COPY --replace.`;
  if (DISK_FULL_CODES.has(code))
    return `The disk that holds ${file} is full (${code}). Free some of it, or set SHIPWORTHY_DATA_DIR to a folder on another one; then start again.`;
  if (FILE_IO_CODES.has(code))
    return `${file} could not be read or written (${code}): its disk is full or fails, or files may not grow so large (ulimit -f). Make room or lift the limit, or set SHIPWORTHY_DATA_DIR to a folder on another disk; then start again.`;
  if (NOT_WRITABLE_CODES.has(code))
    return `${fault.path ?? file} cannot be opened or made (${code}). The data folder must be one that this user may write: set SHIPWORTHY_DATA_DIR to such a folder, or give this user the right.`;
  return said;
};

/**
 * Settles the secret key. A PostgreSQL that is away is waited for: of a key that can be guessed only its data say whether it
 * may be used, and with what salt it is stretched.
 */
const settleKeyOnceKnown = async (
  config: Config,
  { database, stores }: OpenedStores,
  { complain }: Outside,
): Promise<SettledKey> => {
  for (let isTold = false; ; isTold = true) {
    try {
      return await settleSecretKey(config, database, () => stores.users.any(), complain);
    } catch (error) {
      if (database.kind !== 'postgres' || !isAway(error)) throw error;
      if (!isTold) complain(KEY_NOT_KNOWN_YET);
      await pause(AGAIN_MS);
    }
  }
};

const makeService = async (
  config: Config,
  opened: OpenedStores,
  setupToken: string,
  log: Log,
  outside: Outside,
  { demo, application }: { readonly demo: boolean; readonly application: ApplicationFiles | null },
): Promise<Shipworthy> => {
  const { database, stores, replica } = opened;
  const { secretKey, formerVerdictKeys } = await settleKeyOnceKnown(config, opened, outside);
  const repositoryHost = await repositoryHostOf(config, secretKey);
  return createShipworthyOn(outside.createRoutes)({
    stores,
    ...(replica === null ? {} : { replica }),
    checkStores: () => database.ready(),
    tendStores: () => preparePartitions(database),
    closeStores: () => database.close(),
    secretKey,
    verdicts: verdictSigner({ secretKey, formerKeys: [...config.formerVerdictKeys, ...formerVerdictKeys] }),
    setupToken,
    requestsPerMinute: config.requestsPerMinute,
    mostBodyBytes: config.mostBodyBytes,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
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

const serve = async (config: Config, outside: Outside, demo: boolean): Promise<void> => {
  const log = createLog(config.logLevel, outside.writeLog, Date.now);
  const opened = await openStores(config.database, outside.complain, log);
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
    log.info('listening', { url: url.origin, version: SERVER_VERSION, database: config.database.kind });
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
  const config = readServerSettings(outside);
  if (config === null) return SERVER_EXIT.usage;
  try {
    await requireDatabaseOfKey(config);
    await serve(config, outside, demo);
    return SERVER_EXIT.done;
  } catch (error) {
    outside.complain(`Error: ${startFault(error, config)}`);
    return SERVER_EXIT.failed;
  }
};
