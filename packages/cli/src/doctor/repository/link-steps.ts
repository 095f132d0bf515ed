import { ProblemError } from '@shipworthy/client';
import { EXIT } from '../../exit-code.js';
import { Failure } from '../../failure.js';
import { httpsUrlOf, readRemoteUrl, samePlace } from '../../git/remote-url.js';
import type { Examination } from '../examination.js';
import { type Finding, needsAction, ready } from '../finding.js';
import type { Step } from '../step.js';

/** The project the settings name is there. */
export const checkProject: Step['check'] = async ({ repository, server }) => {
  try {
    const { name, teamName } = await repository.project();
    const { app } = await server.settings();
    return ready(`The project is ${name} of team ${teamName}.`, {
      source: app?.source.name ?? 'the only one the key sees',
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.usage) throw error;
    return needsAction(error.message, error.fixes[0] ?? 'Correct app in the settings.');
  }
};

/** Whether the host itself leads from the remote's address to the linked one, as it does after a renaming. */
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
  return needsAction(
    `The project ${name} is linked to no repository.`,
    `In the application open ${name}, pick a repository, and choose ${place.path}.`,
  );
};

/** A remote here is the repository the project is linked to. */
export const checkLinked: Step['check'] = async (examination) => {
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
  if (same) return ready(`The remote ${same.name} is ${path}, which ${project} is linked to.`);
  const setUrl = `git remote set-url ${remote.name} ${linked === undefined ? url : httpsUrlOf(linked)}`;
  if (await isFormerName(examination, url))
    return ready(`The remote ${remote.name} is the former name of ${path}, which ${project} is linked to.`, {
      fix: setUrl,
    });
  return needsAction(
    `The remote ${remote.name} is ${remote.place.path} at ${remote.place.host}; ${project} is linked to ${path} at ${linked?.host ?? url}.`,
    `Name the project of this repository with --app, link it in the application, or: ${setUrl}`,
  );
};
