import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Outcome, runIn, type StandIn, standIn } from '../../stand-in.js';
import { type Certificates, makeCertificates } from './certificates.js';
import { type GitHost, startGitHost } from './git-host.js';
import { type LinkedService, startLinkedService } from './linked-service.js';

/** What all laptops of a test file share. */
export interface Office {
  readonly certificates: Certificates;
  readonly host: GitHost;
  readonly service: LinkedService;
  readonly key: string;
  close(): Promise<void>;
}

/** A host with acme/shop and acme/empty, and a service whose project `checkout` is linked to acme/shop. */
export const openOffice = async (): Promise<Office> => {
  const certificates = makeCertificates();
  const host = await startGitHost(certificates.valid);
  host.addRepository('acme/shop');
  host.addRepository('acme/empty', true);
  const service = await startLinkedService(host.url);
  await service.connect();
  await service.link();
  return {
    certificates,
    host,
    service,
    key: await service.key('read', 'deployments:write', 'test-runs:write'),
    close: async () => {
      await service.stop();
      await host.close();
      certificates.remove();
    },
  };
};

/** A laptop with a clone of acme/shop, whose git trusts the host's authority. */
export interface Laptop extends StandIn {
  readonly git: (...words: readonly string[]) => string;
  /** The commit git itself reads at the host, which answers from this very process. */
  readonly remoteHead: () => Promise<string>;
  /** A setting of the user's git. */
  readonly set: (name: string, value: string) => void;
  /** Has git's own `store` helper keep a credential for the host. */
  readonly store: (username: string, password: string) => void;
}

export interface LaptopOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly remote?: string;
  readonly now?: () => number;
}

export const openLaptop = async (office: Office, options: LaptopOptions = {}): Promise<Laptop> => {
  const { host, service, certificates } = office;
  const bare = await standIn({
    env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: office.key },
    stdin: options.stdin ?? '',
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const env = { ...bare.env, HOME: bare.home, GIT_CONFIG_NOSYSTEM: '1', ...options.env };
  mkdirSync(bare.home, { recursive: true });
  const folder = join(bare.folder, 'shop');
  mkdirSync(folder);
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: folder, env, stdio: 'pipe' }).toString();
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', options.remote ?? `${host.url}/acme/shop.git`);
  writeFileSync(join(folder, 'README.md'), '# shop\n');
  const set = (name: string, value: string) => {
    git('config', '--global', name, value);
  };
  set('http.sslCAInfo', certificates.authority);
  const kept = join(bare.home, '.git-credentials');
  return {
    ...bare,
    env,
    folder,
    git,
    remoteHead: async () => {
      const reading = promisify(execFile)('git', ['ls-remote', 'origin', 'HEAD'], {
        cwd: folder,
        env,
      });
      return (await reading).stdout.split('\t', 1)[0] ?? '';
    },
    set,
    store: (username, password) => {
      set('credential.helper', 'store');
      writeFileSync(kept, `https://${username}:${encodeURIComponent(password)}@localhost%3a${host.port}\n`, {
        mode: 0o600,
      });
    },
  };
};

/** A step as `doctor --json` tells it. */
export interface ToldStep {
  readonly id: string;
  readonly state: string;
  readonly counted: boolean;
  readonly what: string;
  readonly fix: string | null;
  readonly source: string | null;
}

/** What `doctor --json` says. */
export interface Diagnosis extends Outcome {
  readonly state: string;
  readonly groups: readonly { readonly id: string; readonly state: string; readonly steps: readonly ToldStep[] }[];
  readonly step: (id: string) => ToldStep;
}

export const doctor = async (laptop: Laptop, ...words: readonly string[]): Promise<Diagnosis> => {
  const outcome = await runIn(laptop, 'doctor', ...words, '--json');
  const { data } = outcome.json() as { readonly data: Pick<Diagnosis, 'state' | 'groups'> };
  expect(data, outcome.out + outcome.err).to.be.an('object');
  const steps = data.groups.flatMap((group) => group.steps);
  const step = (id: string) => steps.find((one) => one.id === id) ?? expect.fail(`no step ${id}: ${outcome.out}`);
  return { ...outcome, ...data, step };
};
