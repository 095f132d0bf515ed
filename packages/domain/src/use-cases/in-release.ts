import type { DomainError } from '../errors.js';
import { notFound } from '../errors.js';
import type { Stores } from '../ports.js';
import type { Release } from '../release/release.js';
import { requireOpen } from '../release/release-transition.js';
import type { Role } from '../team/team.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeProject, findProject, type InProject, type ProjectChange, type ProjectPath } from './in-project.js';

/** A command that concerns one release of a project. */
export interface InRelease extends InProject {
  readonly releaseId: string;
}

export interface ReleaseChange extends ProjectChange {
  readonly release: Release;
}

/** A release as a path names it. */
export interface ReleasePath extends ProjectPath {
  readonly releaseId: string;
}

/** The release of that project. @throws DomainError `not-found` */
export const releaseOf = async (
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
  releaseId: string,
): Promise<Release> => {
  const release = await releases.byId(releaseId);
  if (release?.projectId !== projectId) throw notFound('release');
  return release;
};

/** The release a path names, if it is in sight and the role suffices. @throws DomainError `not-found`, `forbidden` */
export const findRelease = async (
  stores: Pick<Stores, 'projects' | 'releases'>,
  path: ReleasePath,
  needed: Role = 'viewer',
): Promise<Release> => {
  await findProject(stores, path, needed);
  return releaseOf(stores, path.projectId, path.releaseId);
};

/** Runs a change of a release with its project held still. @throws DomainError `not-found`, `forbidden` */
export const changeRelease = <Result>(
  ports: ChangePorts,
  command: InRelease,
  needed: Role,
  work: (change: ReleaseChange) => Promise<Result>,
): Promise<Result> =>
  changeProject(ports, command, needed, async (changing) =>
    work({ ...changing, release: await releaseOf(changing.stores, command.projectId, command.releaseId) }),
  );

/** Like `changeRelease`, for what is read-only once the release is shipped or canceled. @throws DomainError `release-closed` too */
export const changeOpenRelease = <Result>(
  ports: ChangePorts,
  command: InRelease,
  needed: Role,
  work: (change: ReleaseChange) => Promise<Result>,
): Promise<Result> =>
  changeRelease(ports, command, needed, async (changing) => {
    requireOpen(changing.release);
    return work(changing);
  });

/** Stores the release's next state. @throws DomainError `version-mismatch` when somebody was faster, `name-taken`, `release-active` */
export const storeRelease = async ({ stores, now }: ReleaseChange, next: Release): Promise<Release> => {
  if (await stores.releases.replace(next, now)) return next;
  throw await staleRelease(stores, next.id);
};

const staleRelease = async (stores: Stores, releaseId: string): Promise<DomainError> =>
  versionMismatch(await stores.releases.byId(releaseId));

/** Notes a deed on the release in the audit log. */
export const noteRelease = (
  { project, release, note }: ReleaseChange,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  note({
    teamId: project.teamId,
    action,
    resource: { type: 'release', id: release.id },
    detail: { name: release.name, ...detail },
  });
