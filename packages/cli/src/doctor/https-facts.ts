import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { rootCertificates } from 'node:tls';
import { parsedUrl } from '@shipworthy/client/contract';
import { httpsUrlOf, type RemotePlace, readRemoteUrl } from '../git/remote-url.js';
import { type GitSetting, runOwnGit, successfulOutput } from '../git/run-git.js';
import type { World } from '../world.js';
import { Unmet } from './finding.js';
import { ask, CERTIFICATE_FAULTS, NetworkFault, proxyFor, type RawAnswer, readProxy } from './network.js';
import type { RepositoryFacts } from './repository-facts.js';
import { once, type Surroundings } from './surroundings.js';

/** The facts about the repository's address over HTTPS. */
export interface HttpsFacts {
  /** Where git goes for the linked repository, else for the remote, over HTTPS; without user and password. */
  readonly url: () => Promise<string>;
  readonly place: () => Promise<RemotePlace>;
  /** Where git really goes for that address: the user's `insteadOf` may lead it to SSH. */
  readonly effective: () => Promise<RemotePlace>;
  readonly trust: () => Promise<GitTrust>;
  /** Sends git's first request, with or without credentials; follows redirects in one origin. Throws NetworkFault. */
  readonly probe: (url: string, service: GitService, authorization?: string) => Promise<RawAnswer>;
  /** Reads any address of the host, with git's proxy and the certificates git trusts. Throws NetworkFault. */
  readonly ask: (url: URL, authorization?: string) => Promise<RawAnswer>;
  /** The answer to git's first request for reading, without credentials. */
  readonly answer: () => Promise<RawAnswer>;
}

const GIT_PROXIES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
const MOST_REDIRECTS = 3;

export const httpsFacts = (where: Surroundings, repository: RepositoryFacts): HttpsFacts => {
  const { world, screen, callMs } = where;
  const own = async () => (await repository.hostSettings()).own;
  const named = once(async () => {
    const link = await repository.link().catch(() => undefined);
    const linked = link && readRemoteUrl(link.repository.url);
    return httpsUrlOf(linked?.kind === 'https' ? linked : (await repository.remote()).place);
  });
  const effective = once(async () => {
    const text = successfulOutput(await runOwnGit(world, await own(), ['ls-remote', '--get-url', '--', await named()]));
    const place = readRemoteUrl(text ?? '') ?? readRemoteUrl(await named());
    if (place === undefined) throw new Unmet('repository.remote');
    screen.hide(place.secret ?? '');
    return place;
  });
  // A rewriting to SSH is reported as such; after a rewriting to a mirror, the mirror is checked.
  const url = once(async () => {
    const place = await effective();
    return place.kind === 'https' ? httpsUrlOf(place) : named();
  });
  const trust = once(async () => gitTrust(world, await own(), await url()));
  const proxy = once(async () => {
    const value = await url();
    const configured = await ownSetting(world, await own(), 'http.proxy', value);
    if (configured !== undefined) return readProxy('http.proxy of git', configured);
    return proxyFor(new URL(value), world.env, GIT_PROXIES);
  });

  const askOnce = async (at: URL, authorization?: string): Promise<RawAnswer> => {
    const headers = {
      'user-agent': 'git/shipworthy',
      accept: '*/*',
      pragma: 'no-cache',
      ...(authorization ? { authorization } : {}),
    };
    const options = { headers, proxy: await proxy(), signal: AbortSignal.timeout(callMs) };
    const { ca } = await trust();
    try {
      return await ask(at, { ...options, ca });
    } catch (error) {
      const system = ca === undefined ? await systemTrust() : undefined;
      if (system === undefined || !(error instanceof NetworkFault && CERTIFICATE_FAULTS.has(error.kind))) throw error;
      // git asks the system's authorities, which Node does not.
      return ask(at, { ...options, ca: system });
    }
  };
  const probe: HttpsFacts['probe'] = async (address, service, authorization) => {
    let at = new URL(`${address}/info/refs?service=${service}`);
    for (let followed = 0; ; followed += 1) {
      const answer = await askOnce(at, authorization);
      const { status, headers } = answer;
      if (status < 300 || status >= 400 || headers.location === undefined) return answer;
      const next = parsedUrl(headers.location, at);
      // Neither the credentials nor the request are sent to another origin.
      if (next?.origin !== at.origin || followed >= MOST_REDIRECTS) return answer;
      at = next;
    }
  };
  const place = once(async () => {
    const found = readRemoteUrl(await url());
    if (found === undefined) throw new Unmet('repository.remote');
    return found;
  });
  return {
    url,
    place,
    trust,
    probe,
    ask: askOnce,
    answer: once(async () => probe(await url(), 'git-upload-pack')),
    effective,
  };
};

/** The two services of git over HTTPS: reading and writing. */
type GitService = 'git-upload-pack' | 'git-receive-pack';

/** The kind of an answer to the first request of git. */
export type AnswerKind =
  | 'refs'
  | 'credentials'
  | 'sign_in_page'
  | 'elsewhere'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'failing'
  | 'proxy'
  | 'other';

const mediaType = (answer: RawAnswer): string =>
  answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isLimited = ({ status, headers }: RawAnswer): boolean =>
  status === 429 ||
  (status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'));

/**
 * Judges by status and content type, never by the text: a page that asks to sign in comes with 200, and git takes it
 * for an empty repository.
 */
export const judgeAnswer = (answer: RawAnswer, service: GitService): AnswerKind => {
  const { status, headers } = answer;
  const type = mediaType(answer);
  if (status === 200) {
    if (type === `application/x-${service}-advertisement`) return 'refs';
    return type === 'text/html' ? 'sign_in_page' : 'other';
  }
  if (status === 401) return headers['www-authenticate'] === undefined ? 'sign_in_page' : 'credentials';
  if (status === 407) return 'proxy';
  if (status === 511) return 'sign_in_page';
  if (status >= 300 && status < 400) return 'elsewhere';
  if (isLimited(answer)) return 'limited';
  if (status === 403) return 'refused';
  if (status === 404 || status === 410) return 'missing';
  return status >= 500 ? 'failing' : 'other';
};

/** Which certificates git trusts at an address. */
interface GitTrust {
  /** Trusted authorities in PEM; undefined: the system's. */
  readonly ca: readonly string[] | undefined;
  /** Whether git was told not to look at certificates. */
  readonly off: boolean;
  /** Whether the certificates git trusts can be read here; false where the system keeps them to itself. */
  readonly known: boolean;
}

/** Files in which operating systems keep the certificates of all authorities they trust. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The authorities of the system beside Node's own; undefined where the system has no such file. */
export const systemTrust = async (): Promise<readonly string[] | undefined> => {
  for (const path of BUNDLES) {
    const bundle = await readFile(path, 'utf8').catch(() => undefined);
    if (bundle !== undefined) return [...rootCertificates, bundle];
  }
  return undefined;
};

/** The user's own setting of git that fits the address best. */
const ownSetting = async (
  world: World,
  own: readonly GitSetting[],
  name: string,
  url: string,
  ...words: readonly string[]
): Promise<string | undefined> =>
  successfulOutput(await runOwnGit(world, own, ['config', ...words, '--get-urlmatch', name, url]));

/** Reads what the environment and the user's own git settings say about certificates at the address. */
const gitTrust = async (world: World, own: readonly GitSetting[], url: string): Promise<GitTrust> => {
  const setting = (name: string, ...words: readonly string[]) => ownSetting(world, own, name, url, ...words);
  const named = world.env.GIT_SSL_CAINFO || (await setting('http.sslCAInfo', '--type=path'));
  // A relative path could name a file of the repository, which is not trusted.
  const pem = named && isAbsolute(named) ? await readFile(named, 'utf8').catch(() => undefined) : undefined;
  const off = Boolean(world.env.GIT_SSL_NO_VERIFY) || (await setting('http.sslVerify', '--type=bool')) === 'false';
  const known = pem !== undefined || (world.platform !== 'darwin' && world.platform !== 'win32');
  return { ca: pem === undefined ? undefined : [pem], off, known };
};
