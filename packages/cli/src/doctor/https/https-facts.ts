import { parsedUrl } from '@shipworthy/client/contract';
import { httpsUrlOf, type RemotePlace, readRemoteUrl } from '../../git/remote-url.js';
import { askGit } from '../../git/run-git.js';
import { ask, type RawAnswer } from '../../network/ask.js';
import { CERTIFICATE_FAULTS, NetworkFault } from '../../network/network-fault.js';
import { proxyFor, readProxy } from '../../network/proxy.js';
import { Unmet } from '../finding.js';
import { once } from '../once.js';
import type { RepositoryFacts } from '../repository/repository-facts.js';
import type { Surroundings } from '../surroundings.js';
import { type GitTrust, gitTrust, systemTrust } from './git-trust.js';
import type { GitService } from './judge-answer.js';

/** What is known of the repository's address over HTTPS. */
export interface HttpsFacts {
  /** Where git goes for the linked repository, else for the remote, over HTTPS; without user and password. */
  readonly url: () => Promise<string>;
  readonly place: () => Promise<RemotePlace>;
  /** Where git really goes for that address: `insteadOf` may lead it to SSH. */
  readonly effective: () => Promise<RemotePlace>;
  readonly trust: () => Promise<GitTrust>;
  /** git's first request, without or with credentials; follows redirects within the host. NetworkFault. */
  readonly probe: (url: string, service: GitService, authorization?: string) => Promise<RawAnswer>;
  /** Any address of the host, through the proxy and with the trust git has there. NetworkFault. */
  readonly ask: (url: URL, authorization?: string) => Promise<RawAnswer>;
  /** Without credentials, for reading. */
  readonly answer: () => Promise<RawAnswer>;
}

const GIT_PROXIES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
const MOST_REDIRECTS = 3;

export const httpsFacts = (where: Surroundings, repository: RepositoryFacts): HttpsFacts => {
  const { world, screen, callMs } = where;
  const folder = () => repository.root().catch(() => world.folder);
  const named = once(async () => {
    const link = await repository.link().catch(() => undefined);
    const linked = link && readRemoteUrl(link.repository.url);
    return httpsUrlOf(linked?.kind === 'https' ? linked : (await repository.remote()).place);
  });
  const effective = once(async () => {
    const text = await askGit(world, ['ls-remote', '--get-url', await named()], { folder: await folder() });
    const place = readRemoteUrl(text ?? '') ?? readRemoteUrl(await named());
    if (place === undefined) throw new Unmet('repository.remote');
    screen.hide(place.secret ?? '');
    return place;
  });
  // A rewriting to SSH is told of as such; one to a mirror is where everything has to be looked at.
  const url = once(async () => {
    const place = await effective();
    return place.kind === 'https' ? httpsUrlOf(place) : named();
  });
  const trust = once(async () => gitTrust(world, await folder(), await url()));
  const proxy = once(async () => {
    const [at, value] = [await folder(), await url()];
    const configured = await askGit(world, ['config', '--get-urlmatch', 'http.proxy', value], { folder: at });
    if (configured !== undefined) return readProxy('http.proxy of git', configured);
    return proxyFor(new URL(value), world.env, GIT_PROXIES);
  });

  const single = async (at: URL, authorization?: string): Promise<RawAnswer> => {
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
      const answer = await single(at, authorization);
      const { status, headers } = answer;
      if (status < 300 || status >= 400 || headers.location === undefined) return answer;
      const next = parsedUrl(headers.location, at);
      // Credentials go to no other place, and neither does the question.
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
    ask: single,
    answer: once(async () => probe(await url(), 'git-upload-pack')),
    effective,
  };
};
