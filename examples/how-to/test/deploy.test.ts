import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { root } from './documents.js';

const SETTLED_SECONDS = 20;
const CHART = 'deploy/helm/shipworthy';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The settings of the server, as the table in its source lists them. */
const SETTINGS = new Set(
  [...read('packages/server/src/settings.ts').matchAll(/name: '([A-Z_]+)'/g)].map(([, name]) => name),
);
const ours = (name: string): boolean => /^(SHIPWORTHY_|DATABASE_|GITHUB_|GITLAB_|TRUST_|METRICS_|LOG_)/.test(name);
const expectSettings = (names: readonly string[], where: string): void => {
  expect(names.filter(ours), where).to.be.not.empty;
  for (const name of names.filter(ours)) expect(SETTINGS, where).to.include(name);
};

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
}

describe('the composition of containers', () => {
  const { services, secrets } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  };
  const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'));

  it('has two instances that end in time, write nothing and know their proxy', () => {
    expect(servers).to.have.lengthOf(2);
    for (const [name, server] of servers) {
      expect(Number.parseInt(server.stop_grace_period ?? '', 10), name).to.be.above(SETTLED_SECONDS);
      expect(server).to.deep.include({ read_only: true });
      expect(server.environment).to.include({ TRUST_PROXY: '1' });
      const exported = server.command?.join(' ').match(/\b[A-Z_]+(?==)/g) ?? [];
      expectSettings([...Object.keys(server.environment ?? {}), ...exported], name);
      expect(server.command?.at(-1)).to.contain('exec node packages/server/dist/src/main.js start');
    }
  });

  it('takes every secret from a file and never prints one', () => {
    for (const [name, { secrets: used = [], command = [], environment = {} }] of Object.entries(services)) {
      for (const secret of used) expect(secrets, name).to.have.property(secret);
      for (const [, secret = ''] of `${command} ${Object.values(environment)}`.matchAll(/run\/secrets\/(\w+)/g))
        expect(used, name).to.include(secret);
    }
    for (const { file } of Object.values(secrets)) expect(file).to.match(/^\.\/secrets\//);
  });

  it('opens nothing but its proxy, which asks the instances', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).to.deep.equal(['proxy']);
    const asked = [...read('deploy/proxy.conf').matchAll(/^ {2}server ([\w-]+):4400/gm)].map(([, name]) => name);
    expect(asked).to.deep.equal(servers.map(([name]) => name));
  });
});

describe('the container', () => {
  const lines = read('deploy/Containerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('holds every package the server is made of', () => {
    const { dependencies } = JSON.parse(read('packages/server/package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const parts = Object.keys(dependencies).filter((name) => name.startsWith('@shipworthy/'));
    for (const part of [...parts, '@shipworthy/server'])
      expect(lines.join('\n'), part).to.match(new RegExp(`\\b${part.replace('@shipworthy/', '')}\\b`));
  });

  it('runs one process as an unprivileged user, without build tools', () => {
    expect(last[0]).to.equal('FROM node:20-slim');
    expect(last).to.include('USER 10001:10001').and.include('STOPSIGNAL SIGTERM');
    expect(last).to.include('CMD ["node", "packages/server/dist/src/main.js", "start"]');
    expect(last.filter((line) => /apt-get|npm (ci|install)/.test(line))).to.deep.equal([]);
    expect(last.join('\n')).to.contain('/livez');
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/shipworthy.service');

  it('waits for the end and sets what there is to set', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).to.be.above(SETTLED_SECONDS);
    expectSettings(/^Environment=(.*)$/m.exec(unit)?.[1]?.match(/\b[A-Z_]+(?==)/g) ?? [], 'Environment');
    const script = /^ExecStart=\S+ (\S+) start$/m.exec(unit)?.[1] ?? '';
    expect(existsSync(join(root, script.replace('/dist/', '/').replace(/\.js$/, '.ts'))), script).to.equal(true);
  });
});

describe('the chart', () => {
  const values = parse(read(`${CHART}/values.yaml`)) as Readonly<Record<string, unknown>>;
  const templates = readdirSync(join(root, CHART, 'templates')).map((name) => ({
    name,
    text: read(`${CHART}/templates/${name}`),
  }));
  const all = templates.map(({ text }) => text).join('\n');

  it('is of the version of all packages', () => {
    const { version } = JSON.parse(read('lerna.json')) as { readonly version: string };
    expect(parse(read(`${CHART}/Chart.yaml`))).to.include({ name: 'shipworthy', version, appVersion: version });
  });

  it('uses only values that are defined, and defines only values that are used', () => {
    const asked = [...all.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
    for (const path of asked) {
      const found = path.split('.').reduce<unknown>((at, key) => Object(at)[key], values);
      expect(found, path).to.not.equal(undefined);
    }
    for (const name of Object.keys(values))
      expect(
        asked.some((path) => path.split('.')[0] === name),
        name,
      ).to.equal(true);
  });

  it('closes what it opens and includes what is defined', () => {
    for (const { name, text } of templates) {
      const opened = text.match(/\{\{-? (if|with|range|define) /g)?.length ?? 0;
      expect(text.match(/\{\{-? end -?\}\}/g)?.length ?? 0, name).to.equal(opened);
      for (const [, part = ''] of text.matchAll(/include "([\w.]+)"/g)) expect(all).to.contain(`define "${part}"`);
    }
  });

  it('sets what there is to set, and keeps secrets in Secrets', () => {
    const named = [...all.matchAll(/^ *- name: ([A-Z_]+)\n(.*)/gm)];
    expectSettings(
      named.map(([, name = '']) => name),
      'templates',
    );
    for (const [, name = '', next = ''] of named)
      if (/SECRET|TOKEN|DATABASE_URL/.test(name)) expect(next.trim(), name).to.equal('valueFrom:');
  });

  it('gives an instance the time it takes to end', () => {
    const { terminationGracePeriodSeconds, drainSeconds } = values;
    expect(terminationGracePeriodSeconds).to.be.above(SETTLED_SECONDS + Number(drainSeconds));
  });

  it('restarts by livez, which never asks the database, and routes by readyz', () => {
    const probes = [...all.matchAll(/(\w+)Probe:\s+httpGet:\s+path: (\S+)/g)].map(([, kind, path]) => [kind, path]);
    expect(probes).to.deep.equal([
      ['startup', '/livez'],
      ['liveness', '/livez'],
      ['readiness', '/readyz'],
    ]);
  });
});
