import { join, resolve } from 'node:path';
import { isPublicKeyText } from '@shipworthy/adapters/crypto';
import { isTarget } from '@shipworthy/adapters/hook-sender';
import { nearestNames } from '@shipworthy/domain';
import { basePathFault } from './http/base-path.js';
import { isBearerToken } from './http/request.js';
import { LOG_LEVELS, type LogLevel } from './observability/log.js';
import { type Environment, SERVER_SETTINGS, type SettingName, SettingsReader, unknownSettings } from './settings.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/;
const ANYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** Reads the public address; null: the listening one. Plain http beyond the loopback needs a setting that wants it. */
const baseUrlOf = (reader: SettingsReader, host: string): URL | null => {
  const insecure = reader.flag('SHIPWORTHY_INSECURE_HTTP');
  const given = reader.text('SHIPWORTHY_BASE_URL') !== undefined;
  const url = given ? reader.address('SHIPWORTHY_BASE_URL', 'http://127.0.0.1') : null;
  const hostName = url?.hostname ?? (ANYWHERE.includes(host) ? '127.0.0.1' : host);
  const fault = url && basePathFault(url);
  if (fault !== null) reader.fault('SHIPWORTHY_BASE_URL', fault);
  if (url?.protocol !== 'https:' && !LOOPBACK.test(hostName) && !insecure)
    reader.fault(
      'SHIPWORTHY_BASE_URL',
      'must be https beyond the loopback, or SHIPWORTHY_INSECURE_HTTP=true says that plain http is wanted.',
    );
  return url;
};

/** Where everything is stored. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** Address that leads past the pooler of `url`; null: none, so `url` is used. */
      readonly directUrl: string | null;
      /** Address of a streaming replica; null: there is none. */
      readonly readUrl: string | null;
    };

const POSTGRES = /^postgres(ql)?:\/\/./;

/** Reads a setting that holds the address of a PostgreSQL; null: it is not set. */
const postgresOf = (reader: SettingsReader, name: SettingName): string | null => {
  const url = reader.text(name);
  if (url === undefined) return null;
  if (!POSTGRES.test(url)) reader.fault(name, 'must begin with postgres://.');
  return url;
};

/** The database the settings name; a SQLite file in the data folder unless they name one. */
const databaseOf = (reader: SettingsReader, dataDir: string, workingDirectory: string): DatabaseConfig => {
  const url = reader.text('DATABASE_URL');
  if (url !== undefined && POSTGRES.test(url))
    return {
      kind: 'postgres',
      url,
      directUrl: postgresOf(reader, 'DATABASE_DIRECT_URL'),
      readUrl: postgresOf(reader, 'DATABASE_READ_URL'),
    };
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
    if (reader.text(name) !== undefined) reader.fault(name, 'needs a DATABASE_URL that begins with postgres://.');
  if (url === undefined) return { kind: 'sqlite', file: join(dataDir, 'shipworthy.sqlite') };
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url) ?? [];
  if (file === undefined) reader.fault('DATABASE_URL', 'must begin with sqlite: or postgres://.');
  else if (file.startsWith(':')) reader.fault('DATABASE_URL', 'needs a file: SQLite in memory is not supported.');
  return { kind: 'sqlite', file: resolve(workingDirectory, file ?? '') };
};

/** How the repository host is reached; one at most is set up. */
interface RepositoryHosts {
  /** null: GitHub is not set up as repository host. */
  readonly github: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly apiUrl: URL;
    readonly webUrl: URL;
  } | null;
  /** null: GitLab is not set up as repository host. */
  readonly gitlab: { readonly clientId: string; readonly clientSecret: string; readonly url: URL } | null;
}

/** The OAuth application of a repository host; null: neither of its settings is there. */
const applicationOf = (reader: SettingsReader, host: 'GITHUB' | 'GITLAB') => {
  const clientId = reader.text(`${host}_CLIENT_ID`);
  const clientSecret = reader.text(`${host}_CLIENT_SECRET`);
  if (clientId === undefined && clientSecret === undefined) return null;
  if (clientId === undefined) reader.fault(`${host}_CLIENT_ID`, `is needed beside ${host}_CLIENT_SECRET.`);
  if (clientSecret === undefined) reader.fault(`${host}_CLIENT_SECRET`, `is needed beside ${host}_CLIENT_ID.`);
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
};

/** The repository host whose OAuth application the settings name. */
const repositoryHostsOf = (reader: SettingsReader): RepositoryHosts => {
  const apiUrl = reader.address('GITHUB_API_URL', 'https://api.github.com');
  const webUrl = reader.address('GITHUB_WEB_URL', 'https://github.com');
  const url = reader.address('GITLAB_URL', 'https://gitlab.com');
  const github = applicationOf(reader, 'GITHUB');
  const gitlab = applicationOf(reader, 'GITLAB');
  if (github && gitlab)
    reader.fault('GITLAB_CLIENT_ID', 'excludes GITHUB_CLIENT_ID: one repository host can be set up.');
  return { github: github && { ...github, apiUrl, webUrl }, gitlab: gitlab && { ...gitlab, url } };
};

/** Where the secret key comes from. */
export type SecretKeySource =
  | { readonly kind: 'given'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Made on the first run and kept there. */
  | { readonly kind: 'kept'; readonly path: string };

/** Reads the secret key; with SQLite one is made and stored beside the database unless it is given. */
const secretKeyOf = (reader: SettingsReader, database: DatabaseConfig, dataDir: string): SecretKeySource => {
  const text = reader.secret('SHIPWORTHY_SECRET_KEY', 32, 1000);
  const path = reader.text('SHIPWORTHY_SECRET_KEY_FILE');
  if (text !== null && path !== undefined)
    reader.fault('SHIPWORTHY_SECRET_KEY_FILE', 'excludes SHIPWORTHY_SECRET_KEY.');
  if (text !== null) return { kind: 'given', text };
  if (path !== undefined) return { kind: 'file', path };
  if (database.kind === 'postgres') reader.fault('SHIPWORTHY_SECRET_KEY', 'is required with PostgreSQL.');
  return { kind: 'kept', path: database.kind === 'sqlite' ? `${database.file}.key` : join(dataDir, 'secret.key') };
};

/** Public keys whose verdicts stay verifiable. */
const formerVerdictKeysOf = (reader: SettingsReader): readonly string[] => {
  const text = reader.text('SHIPWORTHY_FORMER_VERDICT_KEYS');
  const keys = text === undefined ? [] : text.split(',').map((key) => key.trim());
  if (!keys.every(isPublicKeyText))
    reader.fault(
      'SHIPWORTHY_FORMER_VERDICT_KEYS',
      'must be public keys of 43 base64url characters, separated by commas.',
    );
  return keys;
};

/** The server's settings, read and checked. */
export interface Config extends RepositoryHosts {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseConfig;
  readonly dataDir: string;
  /** null: the listening address. */
  readonly baseUrl: URL | null;
  readonly secretKey: SecretKeySource;
  /** Public keys of verdicts that were signed under another secret key. */
  readonly formerVerdictKeys: readonly string[];
  /** null: random. */
  readonly setupToken: string | null;
  readonly requestsPerMinute: number | null;
  readonly mostConnections: number;
  readonly mostBodyBytes: number;
  readonly trustedProxies: number;
  /** Origins whose pages may call with an API key. */
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** Webhook targets outside the public internet. */
  readonly webhookTargets: readonly string[];
  /** How many days deployments and test runs are kept; null: for ever. */
  readonly keepRecordsDays: number | null;
  readonly metricsPort: number | null;
  readonly metricsToken: string | null;
}

export interface ConfigReading {
  /** null when there are faults. */
  readonly config: Config | null;
  /** Everything wrong, as sentences that begin with the setting's name. Never holds a secret. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** The values besides the environment from which the configuration is read. */
export interface ServerSurroundings {
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  /** Whether the server runs from a checkout of its source. */
  readonly checkout: boolean;
}

const MIB = 1024 * 1024;

const trustedProxiesOf = (reader: SettingsReader): number => {
  const value = reader.text('TRUST_PROXY');
  if (value === undefined || value === 'false') return 0;
  return value === 'true' ? 1 : reader.number('TRUST_PROXY', 0, 10, 0);
};

const requestsPerMinuteOf = (reader: SettingsReader): number | null =>
  reader.text('SHIPWORTHY_RATE_LIMIT') === 'off' ? null : reader.number('SHIPWORTHY_RATE_LIMIT', 1, 10_000_000, 6000);

const listOf = (reader: SettingsReader, name: SettingName): readonly string[] =>
  (reader.text(name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const corsOriginsOf = (reader: SettingsReader): readonly string[] => {
  const origins = listOf(reader, 'SHIPWORTHY_CORS_ORIGINS');
  for (const origin of origins)
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      reader.fault(
        'SHIPWORTHY_CORS_ORIGINS',
        `names ${origin}, which is no origin: scheme, host and port as a browser writes them, such as https://portal.acme.dev.`,
      );
  return origins;
};

const webhookTargetsOf = (reader: SettingsReader): readonly string[] => {
  const named = listOf(reader, 'SHIPWORTHY_WEBHOOK_TARGETS');
  for (const target of named)
    if (!isTarget(target))
      reader.fault('SHIPWORTHY_WEBHOOK_TARGETS', `names ${target}, which is no host, address or network.`);
  return named;
};

const metricsTokenOf = (reader: SettingsReader): string | null => {
  const token = reader.secret('SHIPWORTHY_METRICS_TOKEN', 16, 200);
  if (token !== null && !isBearerToken(token))
    reader.fault(
      'SHIPWORTHY_METRICS_TOKEN',
      'must be visible ASCII characters without spaces: no bearer token could ever match another one.',
    );
  return token;
};

const dataDirOf = (
  reader: SettingsReader,
  { workingDirectory, homeDirectory, checkout }: ServerSurroundings,
): string => {
  const given = reader.text('SHIPWORTHY_DATA_DIR');
  if (given !== undefined) return resolve(workingDirectory, given);
  if (checkout) return join(workingDirectory, 'data');
  return join(reader.environment.XDG_DATA_HOME || join(homeDirectory, '.local', 'share'), 'shipworthy');
};

/** Reads the settings from an environment: the whole configuration, or everything that is wrong with it. */
export const readConfig = (environment: Environment, surroundings: ServerSurroundings): ConfigReading => {
  const reader = new SettingsReader(environment);
  const names = SERVER_SETTINGS.map(({ name }) => name);
  const warnings = unknownSettings(environment).map(
    (name) => `${name} is not a setting; the nearest is ${nearestNames(name, names)[0]}.`,
  );
  const dataDir = dataDirOf(reader, surroundings);
  const database = databaseOf(reader, dataDir, surroundings.workingDirectory);
  const host = reader.text('HOST') ?? '127.0.0.1';
  const config: Config = {
    port: reader.number('PORT', 0, 65_535, 4400),
    host,
    database,
    dataDir,
    baseUrl: baseUrlOf(reader, host),
    secretKey: secretKeyOf(reader, database, dataDir),
    formerVerdictKeys: formerVerdictKeysOf(reader),
    setupToken: reader.secret('SHIPWORTHY_SETUP_TOKEN', 8, 200),
    requestsPerMinute: requestsPerMinuteOf(reader),
    mostConnections: reader.number('SHIPWORTHY_MOST_CONNECTIONS', 100, 1_000_000, 10_000),
    mostBodyBytes: reader.number('SHIPWORTHY_MOST_BODY_MIB', 4, 100_000, 32) * MIB,
    trustedProxies: trustedProxiesOf(reader),
    corsOrigins: corsOriginsOf(reader),
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    webhookTargets: webhookTargetsOf(reader),
    keepRecordsDays: reader.number('SHIPWORTHY_KEEP_RECORDS_DAYS', 30, 36_500, null),
    metricsPort: reader.number('METRICS_PORT', 0, 65_535, null),
    metricsToken: metricsTokenOf(reader),
    ...repositoryHostsOf(reader),
  };
  return { config: reader.faults.length === 0 ? config : null, faults: reader.faults, warnings };
};
