import { join, resolve } from 'node:path';
import { isTarget } from '@shipworthy/adapters/hook-sender';
import { nearestNames } from '@shipworthy/domain';
import { isBearerToken } from './http/credential.js';
import { LOG_LEVELS, type LogLevel } from './observability/log.js';
import { baseUrlOf } from './settings/base-url.js';
import { type DatabaseConfig, databaseOf } from './settings/database.js';
import { type Environment, SettingsReader, unknownSettings } from './settings/reader.js';
import { type RepositoryHosts, repositoryHostsOf } from './settings/repository-hosts.js';
import { formerVerdictKeysOf, type SecretKeySource, secretKeyOf } from './settings/secret-key.js';
import { SETTINGS } from './settings/setting.js';

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
  readonly logLevel: LogLevel;
  /** Beyond the internet. */
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

/** What the reading depends on beside the environment. */
export interface Surroundings {
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

const webhookTargetsOf = (reader: SettingsReader): readonly string[] => {
  const targets = (reader.text('SHIPWORTHY_WEBHOOK_TARGETS') ?? '').split(',').map((target) => target.trim());
  const named = targets.filter((target) => target !== '');
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

const dataDirOf = (reader: SettingsReader, { workingDirectory, homeDirectory, checkout }: Surroundings): string => {
  const given = reader.text('SHIPWORTHY_DATA_DIR');
  if (given !== undefined) return resolve(workingDirectory, given);
  if (checkout) return join(workingDirectory, 'data');
  return join(reader.environment.XDG_DATA_HOME || join(homeDirectory, '.local', 'share'), 'shipworthy');
};

/** Reads the settings from an environment: the whole configuration, or everything that is wrong with it. */
export const readConfig = (environment: Environment, surroundings: Surroundings): ConfigReading => {
  const reader = new SettingsReader(environment);
  const names = SETTINGS.map(({ name }) => name);
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
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    webhookTargets: webhookTargetsOf(reader),
    keepRecordsDays: reader.number('SHIPWORTHY_KEEP_RECORDS_DAYS', 30, 36_500, null),
    metricsPort: reader.number('METRICS_PORT', 0, 65_535, null),
    metricsToken: metricsTokenOf(reader),
    ...repositoryHostsOf(reader),
  };
  return { config: reader.faults.length === 0 ? config : null, faults: reader.faults, warnings };
};
