import type { RepositoryLink } from '@shipworthy/client';
import { type RemotePlace, readRemoteUrl, withoutUserinfo } from '../git/remote-url.js';
import { type HostSettings, readGitOutput, readHostSettings, runGit } from '../git/run-git.js';
import { pathOf, resolveProject, type VisibleProject } from '../project.js';
import { dataEnvelope, objectWith, requireUsed, TEXT } from '../schema.js';
import { listed, Unmet } from './finding.js';
import type { ServerFacts } from './server-facts.js';
import { once, type Surroundings } from './surroundings.js';

/** A remote of the repository. */
export interface Remote {
  readonly name: string;
  /** The address as it is written in the configuration; may hold a secret. */
  readonly url: string;
  /** undefined: a folder, or anything else that is no host. */
  readonly place: RemotePlace | undefined;
}

/** The facts about the repository here and its project. */
export interface RepositoryFacts {
  /** The top folder of the work tree. */
  readonly root: () => Promise<string>;
  readonly remotes: () => Promise<readonly Remote[]>;
  /** Whether git's configuration rewrites addresses to one that holds a secret. */
  readonly rewritesToSecret: () => Promise<boolean>;
  /** The remote the branch follows, else `origin`, else the first; only remotes at a host. */
  readonly remote: () => Promise<Remote & { readonly place: RemotePlace }>;
  /** Reads git's settings about hosts: the user's own, and those of the repository, which are only reported. */
  readonly hostSettings: () => Promise<HostSettings>;
  readonly project: () => Promise<VisibleProject>;
  readonly link: () => Promise<RepositoryLink>;
}

const readRemotes = async ({ world, screen }: Surroundings, folder: string): Promise<readonly Remote[]> => {
  const { stdout } = await runGit(world, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'], { folder });
  return stdout.split('\0').flatMap((entry) => {
    const [key = '', url = ''] = entry.split('\n', 2);
    if (url === '') return [];
    const place = readRemoteUrl(url);
    screen.hide(place?.secret ?? '');
    return [{ name: key.slice('remote.'.length, -'.url'.length), url, place }];
  });
};

const findRewriting = async ({ world, screen }: Surroundings, folder: string): Promise<boolean> => {
  const { stdout } = await runGit(
    world,
    ['config', '-z', '--name-only', '--get-regexp', '^url\\..*\\.(push)?insteadof$'],
    {
      folder,
    },
  );
  const secrets = stdout
    .split('\0')
    .flatMap((key) => readRemoteUrl(key.replace(/^url\.(.*)\.\w+$/, '$1'))?.secret ?? []);
  for (const secret of secrets) screen.hide(secret);
  return secrets.length > 0;
};

const LINK = dataEnvelope(objectWith({ repository: objectWith({ path: TEXT, url: TEXT }) }));

export const repositoryFacts = (where: Surroundings, server: ServerFacts): RepositoryFacts => {
  const { world } = where;
  const root = once(async () => {
    const found = await readGitOutput(world, ['rev-parse', '--show-toplevel']);
    if (found === undefined) throw new Unmet('repository.folder');
    return found;
  });
  const remotes = once(async () => readRemotes(where, await root()));
  const project = once(async () => resolveProject(await server.client(), await server.settings()));
  return {
    root,
    remotes,
    rewritesToSecret: once(async () => findRewriting(where, await root())),
    hostSettings: once(async () => readHostSettings(world, await root().catch(() => world.folder))),
    project,
    remote: once(async () => {
      const all = (await remotes()).flatMap((one) => (one.place === undefined ? [] : [{ ...one, place: one.place }]));
      const folder = await root();
      const branch = await readGitOutput(world, ['symbolic-ref', '--short', 'HEAD'], { folder });
      const followed =
        branch && (await readGitOutput(world, ['config', '--get', `branch.${branch}.remote`], { folder }));
      const chosen = all.find(({ name }) => name === followed) ?? all.find(({ name }) => name === 'origin') ?? all[0];
      if (chosen === undefined) throw new Unmet('repository.remote');
      return chosen;
    }),
    link: once(async () => {
      const { body } = await (await server.client()).readRepositoryLink({ path: pathOf(await project()) });
      requireUsed('GET P/repository', LINK, body);
      return body.data;
    }),
  };
};

/** Settings that send a credential to another server, or to a server whose certificate is not checked. */
const DECIDING =
  /^(http\.(.*\.)?(proxy|ssl|schannel)\w*|http\.(.*\.)?(pinnedpubkey|curloptresolve|followredirects|cookiefile|savecookies|delegation)|url\..*\.(push)?insteadof|credential\.(.*\.)?helper|core\.(sshcommand|gitproxy|askpass)|protocol\..*|remote\..*)$/s;

/** Says which settings of the repository decide where git takes credentials; undefined where none does. */
export const foreignSettings = ({ ofRepository }: HostSettings): string | undefined => {
  const names = new Set(ofRepository.map(([name]) => withoutUserinfo(name)).filter((name) => DECIDING.test(name)));
  if (names.size === 0) return undefined;
  return `Settings of git in the repository itself decide where credentials go: ${listed([...names].sort())}. They are left aside here; git follows them.`;
};
