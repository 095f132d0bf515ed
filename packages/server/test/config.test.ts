import { INTERNAL_HOSTS, NO_ADDRESSES, OTHER_SCHEMES, WITH_USER } from '@shipworthy/adapters/test-addresses';
import { expect } from 'chai';
import { readConfig } from '../src/config.js';
import { SERVER_SETTINGS } from '../src/settings.js';

const AT = { workingDirectory: '/srv/app', homeDirectory: '/home/ada', checkout: false };
const KEY = 'k'.repeat(32);

describe('readConfig', () => {
  const read = (environment: Record<string, string>, at: Partial<typeof AT> = {}) =>
    readConfig(environment, { ...AT, ...at });
  const faultsOf = (environment: Record<string, string>) => read(environment).faults;

  it('has a default for everything', () => {
    const { config, faults, warnings } = read({ PATH: '/bin', HOME: '/home/ada' });
    expect([...faults, ...warnings]).to.deep.equal([]);
    expect(config).to.deep.equal({
      port: 4400,
      host: '127.0.0.1',
      database: { kind: 'sqlite', file: '/home/ada/.local/share/shipworthy/shipworthy.sqlite' },
      dataDir: '/home/ada/.local/share/shipworthy',
      baseUrl: null,
      secretKey: { kind: 'kept', path: '/home/ada/.local/share/shipworthy/shipworthy.sqlite.key' },
      formerVerdictKeys: [],
      setupToken: null,
      requestsPerMinute: 6000,
      mostConnections: 10_000,
      mostBodyBytes: 33_554_432,
      trustedProxies: 0,
      corsOrigins: [],
      logLevel: 'info',
      webhookTargets: [],
      keepRecordsDays: null,
      metricsPort: null,
      metricsToken: null,
      github: null,
      gitlab: null,
    });
    expect(read({}, { checkout: true }).config?.dataDir).to.equal('/srv/app/data');
    expect(read({ XDG_DATA_HOME: '/var/x' }).config?.dataDir).to.equal('/var/x/shipworthy');
  });

  it('reads every setting', () => {
    const { config, faults } = read({
      PORT: '0',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://u:p@db/x',
      DATABASE_DIRECT_URL: 'postgres://u:p@past/x',
      DATABASE_READ_URL: 'postgres://u:p@copy/x',
      SHIPWORTHY_DATA_DIR: 'store',
      SHIPWORTHY_BASE_URL: 'https://ship.acme.dev',
      SHIPWORTHY_SECRET_KEY_FILE: '/run/secrets/key',
      SHIPWORTHY_FORMER_VERDICT_KEYS: `${'A'.repeat(43)}, ${'_'.repeat(42)}8`,
      SHIPWORTHY_SETUP_TOKEN: 'token-token',
      SHIPWORTHY_RATE_LIMIT: 'off',
      SHIPWORTHY_MOST_CONNECTIONS: '20000',
      SHIPWORTHY_MOST_BODY_MIB: '64',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'warn',
      SHIPWORTHY_WEBHOOK_TARGETS: 'hooks.internal, 10.2.0.0/16,::1',
      SHIPWORTHY_CORS_ORIGINS: 'https://portal.acme.dev, http://localhost:5173',
      SHIPWORTHY_KEEP_RECORDS_DAYS: '365',
      METRICS_PORT: '9100',
      SHIPWORTHY_METRICS_TOKEN: 'm'.repeat(16),
      GITHUB_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'secret',
      GITHUB_API_URL: 'https://git.acme.dev/api/v3',
    });
    expect(faults).to.deep.equal([]);
    expect(config).to.deep.include({
      port: 0,
      database: {
        kind: 'postgres',
        url: 'postgres://u:p@db/x',
        directUrl: 'postgres://u:p@past/x',
        readUrl: 'postgres://u:p@copy/x',
      },
      dataDir: '/srv/app/store',
      secretKey: { kind: 'file', path: '/run/secrets/key' },
      formerVerdictKeys: ['A'.repeat(43), `${'_'.repeat(42)}8`],
      requestsPerMinute: null,
      mostConnections: 20_000,
      mostBodyBytes: 67_108_864,
      trustedProxies: 1,
      corsOrigins: ['https://portal.acme.dev', 'http://localhost:5173'],
      webhookTargets: ['hooks.internal', '10.2.0.0/16', '::1'],
      keepRecordsDays: 365,
      metricsPort: 9100,
    });
    expect(config?.github?.apiUrl.href).to.equal('https://git.acme.dev/api/v3');
    expect(config?.github?.webUrl.href).to.equal('https://github.com/');
  });

  it('names everything that is wrong at once, and never a secret', () => {
    const faults = faultsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://u:hunter2@db',
      SHIPWORTHY_BASE_URL: 'ship.acme.dev',
      SHIPWORTHY_SECRET_KEY: 'hunter2',
      SHIPWORTHY_SETUP_TOKEN: 'hunter2',
      SHIPWORTHY_FORMER_VERDICT_KEYS: `${'A'.repeat(43)},hunter2`,
      SHIPWORTHY_INSECURE_HTTP: 'yes',
      SHIPWORTHY_RATE_LIMIT: '-1',
      SHIPWORTHY_MOST_CONNECTIONS: '0',
      SHIPWORTHY_MOST_BODY_MIB: 'much',
      TRUST_PROXY: 'always',
      LOG_LEVEL: 'loud',
      SHIPWORTHY_WEBHOOK_TARGETS: 'http://hooks.internal',
      SHIPWORTHY_CORS_ORIGINS: 'https://portal.acme.dev/',
      SHIPWORTHY_KEEP_RECORDS_DAYS: '29',
      METRICS_PORT: '1.5',
      GITHUB_CLIENT_ID: 'id',
    });
    const named = faults.map((fault) => fault.split(' ')[0]);
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'SHIPWORTHY_BASE_URL',
      'SHIPWORTHY_SECRET_KEY',
      'SHIPWORTHY_SETUP_TOKEN',
      'SHIPWORTHY_FORMER_VERDICT_KEYS',
      'SHIPWORTHY_INSECURE_HTTP',
      'SHIPWORTHY_RATE_LIMIT',
      'SHIPWORTHY_MOST_CONNECTIONS',
      'SHIPWORTHY_MOST_BODY_MIB',
      'TRUST_PROXY',
      'LOG_LEVEL',
      'SHIPWORTHY_WEBHOOK_TARGETS',
      'SHIPWORTHY_CORS_ORIGINS',
      'SHIPWORTHY_KEEP_RECORDS_DAYS',
      'METRICS_PORT',
      'GITHUB_CLIENT_SECRET',
    ])
      expect(named, name).to.include(name);
    expect(faults.join()).to.not.contain('hunter2');
  });

  it('reads GitLab as repository host, and refuses both hosts at once by naming them', () => {
    const gitlab = { GITLAB_CLIENT_ID: 'id', GITLAB_CLIENT_SECRET: 'hunter2' };
    const { config } = read(gitlab);
    expect(config?.github).to.equal(null);
    expect(config?.gitlab).to.deep.equal({
      clientId: 'id',
      clientSecret: 'hunter2',
      url: new URL('https://gitlab.com'),
    });
    expect(read({ ...gitlab, GITLAB_URL: 'https://git.acme.dev' }).config?.gitlab?.url.host).to.equal('git.acme.dev');
    expect(faultsOf({ GITLAB_CLIENT_SECRET: 'hunter2' })).to.deep.equal([
      'GITLAB_CLIENT_ID is needed beside GITLAB_CLIENT_SECRET.',
    ]);
    expect(faultsOf({ ...gitlab, GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'hunter2' })).to.deep.equal([
      'GITLAB_CLIENT_ID excludes GITHUB_CLIENT_ID: one repository host can be set up.',
    ]);
    expect(read({ GITLAB_URL: 'https://git.acme.dev' }).config?.gitlab).to.equal(null);
  });

  it('lets the operator alone name the host, by an address that is one and holds no user', () => {
    const settings = ['GITHUB_API_URL', 'GITHUB_WEB_URL', 'GITLAB_URL', 'SHIPWORTHY_BASE_URL'];
    for (const name of settings) {
      // An empty value means the default.
      const wrong = [...NO_ADDRESSES.filter((text) => text !== ''), ...OTHER_SCHEMES, ...WITH_USER];
      for (const address of wrong) expect(faultsOf({ [name]: address }).join(), address).to.contain(name);
    }
    const inside = INTERNAL_HOSTS['private networks']?.[0];
    const apiUrl = `http://${inside}/api/v3`;
    const github = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'hunter2', GITHUB_API_URL: apiUrl };
    expect(read(github).config?.github?.apiUrl.href).to.equal(apiUrl);
  });

  it('refuses a metrics token that no request can show, without telling it', () => {
    for (const token of [
      'hunter2 hunter2 hunter2',
      'hunter2\thunter2-hunter2',
      'hünter2hünter2hünter2',
      'hunter2hunter2\u00a0hunter2',
    ]) {
      const [fault = '', ...others] = faultsOf({ SHIPWORTHY_METRICS_TOKEN: token });
      expect(fault, token).to.match(/^SHIPWORTHY_METRICS_TOKEN must be visible ASCII characters without spaces/);
      expect(others.concat(fault).join()).to.equal(fault).and.not.to.contain('nter2');
    }
    for (const token of ['a1B2-._~+/=a1B2-._~', ' surrounded-by-blanks ', '!"#$%&()*,:;<>?@[]^`{|}'])
      expect(read({ SHIPWORTHY_METRICS_TOKEN: token }).config?.metricsToken).to.equal(token.trim());
  });

  it('demands a secret key with PostgreSQL, and one source of it', () => {
    expect(faultsOf({ DATABASE_URL: 'postgresql://db/x' })).to.deep.equal([
      'SHIPWORTHY_SECRET_KEY is required with PostgreSQL.',
    ]);
    expect(faultsOf({ DATABASE_URL: 'postgresql://db/x', SHIPWORTHY_SECRET_KEY: KEY })).to.deep.equal([]);
    expect(faultsOf({ SHIPWORTHY_SECRET_KEY: KEY, SHIPWORTHY_SECRET_KEY_FILE: 'x' })).to.have.length(1);
  });

  it('refuses plain http beyond the loopback unless that is wanted', () => {
    const http = { SHIPWORTHY_BASE_URL: 'http://ship.acme.dev' };
    expect(faultsOf(http)).to.have.length(1);
    expect(faultsOf({ ...http, SHIPWORTHY_INSECURE_HTTP: 'true' })).to.deep.equal([]);
    expect(faultsOf({ HOST: '192.168.0.7' })).to.have.length(1);
    for (const HOST of ['localhost', '127.0.0.1', '0.0.0.0', '::']) expect(faultsOf({ HOST }), HOST).to.deep.equal([]);
    expect(faultsOf({ SHIPWORTHY_BASE_URL: 'http://localhost:8080' })).to.deep.equal([]);
    expect(faultsOf({ SHIPWORTHY_BASE_URL: 'https://acme.dev/ship/' })).to.deep.equal([]);
    for (const path of ['/a//b', '/a%20b', '/api'])
      expect(faultsOf({ SHIPWORTHY_BASE_URL: `https://acme.dev${path}` }), path).to.have.length(1);
  });

  it('takes a replica and a way past the pooler of a PostgreSQL only, and never shows where they are', () => {
    const postgres = { DATABASE_URL: 'postgres://db/x', SHIPWORTHY_SECRET_KEY: KEY };
    const url = 'postgres://db/x';
    expect(read(postgres).config?.database).to.deep.equal({ kind: 'postgres', url, directUrl: null, readUrl: null });
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
      expect(faultsOf({ ...postgres, [name]: 'sqlite:hunter2' })).to.deep.equal([
        `${name} must begin with postgres://.`,
      ]);
      for (const DATABASE_URL of ['', 'sqlite:x.db'])
        expect(faultsOf({ DATABASE_URL, [name]: 'postgres://u:hunter2@copy/x' })).to.deep.equal([
          `${name} needs a DATABASE_URL that begins with postgres://.`,
        ]);
    }
  });

  it('reads the places of SQLite files', () => {
    const fileOf = (DATABASE_URL: string) => read({ DATABASE_URL }).config?.database;
    expect(fileOf('sqlite:/var/s.db')).to.deep.equal({ kind: 'sqlite', file: '/var/s.db' });
    expect(fileOf('sqlite:///var/s.db')).to.deep.equal({ kind: 'sqlite', file: '/var/s.db' });
    expect(fileOf('sqlite:s.db')).to.deep.equal({ kind: 'sqlite', file: '/srv/app/s.db' });
    expect(faultsOf({ DATABASE_URL: 'sqlite::memory:' })).to.deep.equal([
      'DATABASE_URL needs a file: SQLite in memory is not supported.',
    ]);
  });

  it('warns of names that are no settings, with the nearest', () => {
    const { warnings } = read({ SHIPWORTHY_RATELIMIT: '5', SHIPWORTHY_BASEURL: 'x', OTHER: 'x' });
    expect(warnings).to.deep.equal([
      'SHIPWORTHY_RATELIMIT is not a setting; the nearest is SHIPWORTHY_RATE_LIMIT.',
      'SHIPWORTHY_BASEURL is not a setting; the nearest is SHIPWORTHY_BASE_URL.',
    ]);
  });

  it('treats an empty value as none', () => {
    const empty = Object.fromEntries(SERVER_SETTINGS.map(({ name }) => [name, ' ']));
    expect(read(empty)).to.deep.equal(read({}));
  });
});
