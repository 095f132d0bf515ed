/** One environment variable the server reads. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** In words, as the help shows it. */
  readonly otherwise: string;
  /** Its value is never shown. */
  readonly secret?: true;
}

/** Every setting, in the order of the help. */
export const SETTINGS = [
  { name: 'PORT', meaning: 'port to listen on', otherwise: '4400' },
  { name: 'HOST', meaning: 'address to listen on', otherwise: '127.0.0.1' },
  {
    name: 'DATABASE_URL',
    meaning: 'sqlite:FILE, or postgres://... for teams and several instances',
    otherwise: 'sqlite file in the data folder',
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
    otherwise: 'random, printed while nobody is set up',
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
    meaning: 'MiB of request bodies kept at once, 4 or more, of one caller half; more is refused',
    otherwise: '32',
  },
  { name: 'TRUST_PROXY', meaning: 'how many proxies stand before the server (true is 1)', otherwise: 'false' },
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
    meaning: '30-36500; deployments and test runs older than so many days are removed, but for those of open releases',
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

export type SettingName = (typeof SETTINGS)[number]['name'];
