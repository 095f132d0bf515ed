import { ProblemError } from '@shipworthy/client';
import { EXIT, Failure } from '../failure.js';
import { httpsUrlOf, readRemoteUrl, samePlace } from '../git/remote-url.js';
import { runGit } from '../git/run-git.js';
import { actionFinding, asWord, type Finding, readyFinding, Unmet, uncheckedFinding } from './finding.js';
import { foreignSettings } from './repository-facts.js';
import type { Examination, Step } from './step.js';

/** Checks that the project of the settings exists. */
const checkProject: Step['check'] = async ({ repository, server }) => {
  try {
    const { name, teamName } = await repository.project();
    const { app } = await server.settings();
    return readyFinding(`The project is ${name} of team ${teamName}.`, {
      source: app?.source.name ?? 'the only one the key sees',
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.usage) throw error;
    return actionFinding(error.message, error.fixes[0] ?? 'Correct app in the settings.');
  }
};

/** Whether the host redirects from the remote's address to the linked one, as it does after a renaming. */
const isFormerName = async ({ repository, https }: Examination, linkedUrl: string): Promise<boolean> => {
  const { place } = await repository.remote();
  const linked = readRemoteUrl(linkedUrl);
  if (linked === undefined || place.host !== linked.host) return false;
  const answer = await https.probe(httpsUrlOf(place), 'git-upload-pack').catch(() => undefined);
  const now = answer && readRemoteUrl(answer.url.href.replace(/\/info\/refs.*$/, ''));
  return now !== undefined && samePlace(now, linked);
};

const unlinked = async ({ repository }: Examination): Promise<Finding> => {
  const [{ name }, { place }] = await Promise.all([repository.project(), repository.remote()]);
  return actionFinding(
    `The project ${name} is linked to no repository.`,
    `In the application open ${name}, pick a repository, and choose ${place.path}.`,
  );
};

/** Checks that a remote here is the repository the project is linked to. */
const checkLinked: Step['check'] = async (examination) => {
  const { repository } = examination;
  const link = await repository.link().catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  });
  if (link === undefined) return unlinked(examination);
  const { path, url } = link.repository;
  const linked = readRemoteUrl(url);
  const [remote, { name: project }, remotes] = await Promise.all([
    repository.remote(),
    repository.project(),
    repository.remotes(),
  ]);
  const same = linked && remotes.find(({ place }) => place !== undefined && samePlace(place, linked));
  if (same) return readyFinding(`The remote ${same.name} is ${path}, which ${project} is linked to.`);
  const setUrl = `git remote set-url ${asWord(remote.name)} ${asWord(linked === undefined ? url : httpsUrlOf(linked))}`;
  if (await isFormerName(examination, url))
    return readyFinding(`The remote ${remote.name} is the former name of ${path}, which ${project} is linked to.`, {
      fix: setUrl,
    });
  return actionFinding(
    `The remote ${remote.name} is ${remote.place.path} at ${remote.place.host}; ${project} is linked to ${path} at ${linked?.host ?? url}.`,
    `Name the project of this repository with --app, link it in the application, or: ${setUrl}`,
  );
};

const INSTALL: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'xcode-select --install',
  win32: 'winget install --id Git.Git',
};

const checkGit = async ({ world }: Examination): Promise<Finding> => {
  const { exit, stdout, fault } = await runGit(world, ['--version']);
  const install = INSTALL[world.platform] ?? 'sudo apt-get install git, or as your system installs programs.';
  if (fault === 'ENOENT') return actionFinding('git is not installed.', install);
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(stdout) ?? [];
  if (exit !== 0 || major === undefined) return uncheckedFinding('git does not tell its version.', 'git --version');
  const version = `${major}.${minor}`;
  if (Number(major) > 2 || (major === '2' && Number(minor) >= 31)) return readyFinding(`git ${version} is installed.`);
  return actionFinding(
    `git ${version} is too old: since 2.31 it takes settings for one command, by which it is kept from asking.`,
    install,
  );
};

const checkFolder = async ({ world, repository }: Examination): Promise<Finding> => {
  try {
    return readyFinding(`${await repository.root()} is a repository.`);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const { stderr } = await runGit(world, ['rev-parse', '--show-toplevel']);
    if (stderr.includes('dubious ownership'))
      return actionFinding(
        'git refuses the repository here, because it belongs to another user.',
        `git config --global --add safe.directory ${asWord(world.folder)}`,
      );
    return actionFinding(
      `There is no git work tree in ${world.folder}.`,
      'Go to the folder of the linked repository, or clone it.',
    );
  }
};

const checkRemote = async ({ repository }: Examination): Promise<Finding> => {
  try {
    const { name, place } = await repository.remote();
    return readyFinding(`The remote ${name} is ${place.path} at ${place.host} over ${place.kind.toUpperCase()}.`);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const others = (await repository.remotes()).map(({ name }) => name);
    const what = others.length === 0 ? 'no remote' : `no remote at a host (${others.join(', ')})`;
    return actionFinding(`The repository has ${what}.`, 'git remote add origin https://host/owner/name.git');
  }
};

const checkSecret = async ({ repository }: Examination): Promise<Finding> => {
  const [exposed] = (await repository.remotes()).filter(({ place }) => place?.secret != null);
  if (exposed?.place === undefined) {
    if (!(await repository.rewritesToSecret())) return readyFinding('No address of a remote holds a secret.');
    return actionFinding(
      "git's configuration rewrites addresses to one that holds a password or token.",
      'git config --global --edit: take the section [url "https://...@..."] out, end that token at the host, and run: shipworthy doctor --store-token',
    );
  }
  return actionFinding(
    `The address of the remote ${exposed.name} holds a password or token, which every program here can read.`,
    `git remote set-url ${asWord(exposed.name)} ${asWord(httpsUrlOf(exposed.place))}, then end that token at the host and run: shipworthy doctor --store-token`,
  );
};

const checkSettings = async ({ repository }: Examination): Promise<Finding> => {
  const foreign = foreignSettings(await repository.hostSettings());
  if (foreign === undefined)
    return readyFinding('No setting of git in the repository itself decides where credentials go.');
  return uncheckedFinding(
    foreign,
    'git config --list --show-scope --show-origin says where they are set. Take out what is not yours; what is yours belongs into git config --global.',
  );
};

const local = { limitMs: 15_000 } as const;
const [folder, remote] = ['repository.folder', 'repository.remote'];

/** The repository here, and the project it is linked to. */
export const REPOSITORY_STEPS: readonly Step[] = [
  { id: 'repository.git', title: 'git installed', after: [], ...local, check: checkGit },
  { id: folder, title: 'Repository here', after: ['repository.git'], ...local, check: checkFolder },
  { id: remote, title: 'Remote', after: [folder], ...local, check: checkRemote },
  { id: 'repository.secret', title: 'No secret in its address', after: [folder], ...local, check: checkSecret },
  { id: 'repository.settings', title: 'No settings of its own', after: [folder], ...local, check: checkSettings },
  { id: 'repository.project', title: 'Project found', after: ['server.key'], limitMs: 15_000, check: checkProject },
  {
    id: 'repository.linked',
    title: 'Linked to the project',
    after: [remote, 'repository.project'],
    limitMs: 25_000,
    check: checkLinked,
  },
];
