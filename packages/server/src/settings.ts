import { parsedUrl } from '@shipworthy/client/contract';

/** One environment variable the server reads. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** The default in words, as the help shows it. */
  readonly otherwise: string;
  /** Its value is never shown. */
  readonly secret?: true;
}

/** Every setting, in the order of the help. */
export const SERVER_SETTINGS = [
  { name: 'PORT', meaning: 'port to listen on', otherwise: '4400' },
  { name: 'HOST', meaning: 'address to listen on', otherwise: '127.0.0.1' },
  {
    name: 'DATABASE_URL',
    meaning:
      'sqlite:FILE, or postgres://... for teams and several instances; several hosts of one database are separated by commas',
    otherwise: 'sqlite file in the data folder',
    secret: true,
  },
  {
    name: 'DATABASE_DIRECT_URL',
    meaning: 'postgres://... past the pooler that DATABASE_URL leads through, to listen for events',
    otherwise: 'none: behind a pooler events are looked for once a second',
    secret: true,
  },
  {
    name: 'DATABASE_READ_URL',
    meaning: 'postgres://... of a streaming replica, for reads that it can answer as new as the primary',
    otherwise: 'none: the primary answers all',
    secret: true,
  },
  {
    name: 'SHIPWORTHY_COPY_TO_URL',
    meaning: 'postgres://... of the empty database that copy-to fills',
    otherwise: 'none',
    secret: true,
  },
  { name: 'SHIPWORTHY_DATA_DIR', meaning: 'data folder', otherwise: './data in a checkout, else the XDG data folder' },
  {
    name: 'SHIPWORTHY_BASE_URL',
    meaning: 'public address, below a path too: links, cookies, OAuth redirect',
    otherwise: 'the listening address',
  },
  {
    name: 'SHIPWORTHY_SECRET_KEY',
    meaning:
      '32 characters or more that cannot be guessed (openssl rand -base64 48); seals tokens, signs cursors and verdicts; required with PostgreSQL',
    otherwise: 'made and kept beside the SQLite file',
    secret: true,
  },
  { name: 'SHIPWORTHY_SECRET_KEY_FILE', meaning: 'file that holds the secret key', otherwise: '-' },
  {
    name: 'SHIPWORTHY_FORMER_VERDICT_KEYS',
    meaning: 'public keys (x, separated by commas) of earlier secret keys, whose verdicts stay verifiable',
    otherwise: 'none',
  },
  {
    name: 'SHIPWORTHY_SETUP_TOKEN',
    meaning: '8-200 characters; lets the first administrator in',
    otherwise: 'random, printed while there is no account',
    secret: true,
  },
  {
    name: 'SHIPWORTHY_INSECURE_HTTP',
    meaning: 'true: plain http beyond the loopback is wanted',
    otherwise: 'false',
  },
  {
    name: 'SHIPWORTHY_RATE_LIMIT',
    meaning: 'requests per minute and key or session, or off',
    otherwise: '6000',
  },
  {
    name: 'SHIPWORTHY_MOST_CONNECTIONS',
    meaning: 'connections open at once, 100 or more, a quarter of them from one network; one more is closed at once',
    otherwise: '10000',
  },
  {
    name: 'SHIPWORTHY_MOST_BODY_MIB',
    meaning: 'MiB of request bodies kept at once, 4 or more, of one caller half of what others leave; more is refused',
    otherwise: '32',
  },
  { name: 'TRUST_PROXY', meaning: 'how many proxies are in front of the server (true is 1)', otherwise: 'false' },
  {
    name: 'SHIPWORTHY_CORS_ORIGINS',
    meaning: 'origins whose pages may call with an API key, such as https://portal.acme.dev, separated by commas',
    otherwise: 'none',
  },
  { name: 'LOG_LEVEL', meaning: 'debug, info, warn, error or silent', otherwise: 'info' },
  { name: 'METRICS_PORT', meaning: 'port of its own for /metrics, on HOST', otherwise: 'none' },
  {
    name: 'SHIPWORTHY_METRICS_TOKEN',
    meaning: '16-200 visible ASCII characters, no spaces; bearer token for /metrics on the main port',
    otherwise: 'none: not served there',
    secret: true,
  },
  {
    name: 'SHIPWORTHY_WEBHOOK_TARGETS',
    meaning: 'host names, addresses, networks (CIDR) beyond the internet that webhooks may reach, separated by commas',
    otherwise: 'none',
  },
  {
    name: 'SHIPWORTHY_KEEP_RECORDS_DAYS',
    meaning:
      '30-36500; deployments, test runs and reports of own axes older than so many days are removed, but for those of open releases',
    otherwise: 'kept for ever',
  },
  { name: 'GITHUB_CLIENT_ID', meaning: 'OAuth application of the repository host', otherwise: 'not set up' },
  { name: 'GITHUB_CLIENT_SECRET', meaning: 'its secret', otherwise: 'not set up', secret: true },
  { name: 'GITHUB_API_URL', meaning: 'API of the repository host', otherwise: 'https://api.github.com' },
  { name: 'GITHUB_WEB_URL', meaning: 'pages of the repository host', otherwise: 'https://github.com' },
  { name: 'GITLAB_CLIENT_ID', meaning: 'OAuth application at GitLab, instead of GitHub', otherwise: 'not set up' },
  { name: 'GITLAB_CLIENT_SECRET', meaning: 'its secret', otherwise: 'not set up', secret: true },
  { name: 'GITLAB_URL', meaning: 'address of GitLab', otherwise: 'https://gitlab.com' },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SERVER_SETTINGS)[number]['name'];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one and gathers what is wrong with them, so that all faults are named at once. */
export class SettingsReader {
  readonly faults: string[] = [];
  constructor(readonly environment: Environment) {}

  /** The value; undefined when it is unset or empty. */
  text(name: SettingName): string | undefined {
    const value = this.environment[name];
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  }

  fault(name: SettingName, sentence: string): void {
    this.faults.push(`${name} ${sentence}`);
  }

  /** A whole number within the range, ends included; `otherwise` when it is unset or wrong. */
  number<Otherwise>(name: SettingName, least: number, most: number, otherwise: Otherwise): number | Otherwise {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    this.fault(name, `must be a whole number from ${least} to ${most}.`);
    return otherwise;
  }

  flag(name: SettingName): boolean {
    const value = this.text(name);
    if (value !== undefined && value !== 'true' && value !== 'false') this.fault(name, 'must be true or false.');
    return value === 'true';
  }

  choice<Value extends string>(name: SettingName, values: readonly Value[], otherwise: Value): Value {
    const value = this.text(name);
    const chosen = values.find((each) => each === value);
    if (value !== undefined && chosen === undefined) this.fault(name, `must be one of ${values.join(', ')}.`);
    return chosen ?? otherwise;
  }

  /** An http or https address. */
  address(name: SettingName, otherwise: string): URL {
    const value = this.text(name);
    if (value === undefined) return new URL(otherwise);
    const url = parsedUrl(value);
    const bare = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === '';
    if (bare && /^https?:$/.test(url.protocol)) return url;
    this.fault(name, 'must be an http or https address without user, query and fragment.');
    return new URL(otherwise);
  }

  /** A secret of this many characters; null when it is unset. Its value is never part of the fault. */
  secret(name: SettingName, least: number, most: number): string | null {
    const value = this.text(name);
    if (value === undefined) return null;
    if (value.length < least || value.length > most) this.fault(name, `must have ${least}-${most} characters.`);
    return value;
  }
}

/** The variables of the environment that have our prefix and are no setting. */
export const unknownSettings = (environment: Environment): readonly string[] => {
  const known: ReadonlySet<string> = new Set(SERVER_SETTINGS.map(({ name }) => name));
  return Object.keys(environment).filter((name) => name.startsWith('SHIPWORTHY_') && !known.has(name));
};
