import {
  type Actor,
  type AuditedActionDetails,
  auditEntry,
  authorOf,
  type Principal,
  requireInSight,
  requireRole,
  type TeamActor,
  type TeamCaller,
} from '../access/principal.js';
import { DomainError, notFound } from '../errors.js';
import type { Ports, Stores } from '../ports.js';
import type { Project } from '../project.js';
import { type Release, requireOpen } from '../release/release.js';
import type { Role, Team } from '../team.js';
import type { Instant } from '../time.js';

/** What every use case that changes something needs. */
export type ChangePorts = Pick<Ports, 'stores' | 'clock' | 'newId'>;

/** A change under way: its stores share one transaction. */
export interface Change {
  readonly stores: Stores;
  /**
   * The moment of the change, read once its lock is held, so that it is not before the moment of an earlier change by
   * the same clock. Clocks of several instances may differ.
   */
  readonly now: Instant;
  readonly newId: () => string;
  readonly by: Actor;
  /** Appends to the audit log in the same transaction. */
  note(action: AuditedActionDetails): Promise<void>;
}

const holdNothing = async (): Promise<void> => undefined;

/**
 * Runs a change in one transaction: all of it and its audit entries, or nothing.
 * @param hold takes the lock of the change, before its moment is read
 */
export function change<Result>(
  { stores, clock, newId }: ChangePorts,
  by: Actor,
  work: (change: Change) => Promise<Result>,
  hold: (stores: Stores) => Promise<unknown> = holdNothing,
): Promise<Result> {
  return stores.transaction(async (inside) => {
    await hold(inside);
    const now = clock();
    const note = (action: AuditedActionDetails) => inside.audit.append(auditEntry(newId(), now, by, action));
    return work({ stores: inside, now, newId, by, note });
  }, authorOf(by.principal));
}

/** The refusal of a change that was made to an older state than the stored one. */
export function versionMismatch(current: unknown): DomainError {
  return new DomainError('version-mismatch', 'It was changed by someone else in the meantime.', { current });
}

/** Demands that the state the caller saw is the stored one; `seen: null` asks for nothing. @throws DomainError `version-mismatch` with `current` */
export function requireVersion(current: { readonly version: number }, seen: number | null): void {
  if (seen !== null && seen !== current.version) throw versionMismatch(current);
}

/** A command that concerns one team. */
export interface InTeam {
  readonly by: TeamActor;
  readonly teamId: string;
}

interface TeamChange extends Change {
  readonly team: Team;
}

/**
 * The caller's role as it is stored: the principal's roles may be a second old, and a change made in that second stays. For a
 * person without an account here (an embedder's own authentication) the principal's role counts.
 */
export async function storedRole(
  { teams, users }: Pick<Stores, 'teams' | 'users'>,
  { principal }: Actor,
  teamId: string,
): Promise<Role | undefined> {
  const { userId } = principal;
  const member = (await teams.members(teamId)).find((one) => one.userId === userId);
  if (member === undefined && (await users.byId(userId)) === undefined) return principal.roles.get(teamId);
  return member === undefined || member.disabled ? undefined : member.role;
}

/** Demands the role that the command needs, as it is stored. @throws DomainError `not-found`, `forbidden` */
export async function requireStoredRole(
  stores: Pick<Stores, 'teams' | 'users'>,
  by: TeamActor,
  teamId: string,
): Promise<void> {
  const role = await storedRole(stores, by, teamId);
  const roles = new Map(role === undefined ? [] : [[teamId, role]]);
  requireRole({ ...by.principal, roles }, teamId, by.needs);
}

/**
 * Runs a change of a team with its membership locked.
 * @throws DomainError `not-found` when the team is out of sight, `forbidden` when the role is too weak
 */
export async function runTeamChange<Result>(
  ports: ChangePorts,
  { by, teamId }: InTeam,
  work: (change: TeamChange) => Promise<Result>,
): Promise<Result> {
  requireRole(by.principal, teamId, by.needs);
  const changeTeam = async (changing: Change): Promise<Result> => {
    const team = await changing.stores.teams.byId(teamId);
    if (team === undefined) throw notFound('team');
    await requireStoredRole(changing.stores, by, teamId);
    return work({ ...changing, team });
  };
  return change(ports, by, changeTeam, ({ teams }) => teams.lock(teamId));
}

/** A command that concerns one project of a team. */
export interface InProject extends InTeam {
  readonly projectId: string;
}

export interface ChangeOfProject extends Change {
  readonly project: Project;
}

/** A project as a path names it, and the principal who asks. */
export interface ProjectPath {
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
}

/** A project as a path names it, the principal who asks, and the role that is needed. */
export interface GuardedProjectPath extends ProjectPath, TeamCaller {}

/** The project, if it is in that team, the team is in sight and the role there suffices. @throws DomainError `not-found`, `forbidden` */
export function findGuardedProject(
  stores: Pick<Stores, 'projects'>,
  { needs, ...path }: GuardedProjectPath,
): Promise<Project> {
  requireRole(path.principal, path.teamId, needs);
  return findProject(stores, path);
}

/** The project, if it is in that team and the team is in sight. @throws DomainError `not-found` */
export async function findProject(
  { projects }: Pick<Stores, 'projects'>,
  { principal, teamId, projectId }: ProjectPath,
): Promise<Project> {
  requireInSight(principal, teamId);
  const project = await projects.byId(projectId);
  if (project?.teamId !== teamId) throw notFound('project');
  return project;
}

/**
 * Runs a change of a project with its releases, windows, name and policy locked.
 * @throws DomainError `not-found`, `forbidden`
 */
export async function runProjectChange<Result>(
  ports: ChangePorts,
  { by, teamId, projectId }: InProject,
  work: (change: ChangeOfProject) => Promise<Result>,
): Promise<Result> {
  requireRole(by.principal, teamId, by.needs);
  const changeProject = async (changing: Change): Promise<Result> => {
    const project = await findProject(changing.stores, { principal: by.principal, teamId, projectId });
    // Checked again: since the first check, the request may have waited for a database connection and for the lock.
    await requireStoredRole(changing.stores, by, teamId);
    return work({ ...changing, project });
  };
  return change(ports, by, changeProject, ({ projects }) => projects.lock(projectId));
}

/** A command that concerns one release of a project. */
export interface InRelease extends InProject {
  readonly releaseId: string;
}

export interface ChangeOfRelease extends ChangeOfProject {
  readonly release: Release;
}

/** A release as a path names it. */
export interface ReleasePath extends ProjectPath {
  readonly releaseId: string;
}

/** The release of that project. @throws DomainError `not-found` */
const releaseOf = async (
  { releases }: Pick<Stores, 'releases'>,
  projectId: string,
  releaseId: string,
): Promise<Release> => {
  const release = await releases.byId(releaseId);
  if (release?.projectId !== projectId) throw notFound('release');
  return release;
};

/** The release a path names, if it is in sight. @throws DomainError `not-found` */
export async function findRelease(stores: Pick<Stores, 'projects' | 'releases'>, path: ReleasePath): Promise<Release> {
  await findProject(stores, path);
  return releaseOf(stores, path.projectId, path.releaseId);
}

/** Runs a change of a release with its project locked. @throws DomainError `not-found`, `forbidden` */
export function runReleaseChange<Result>(
  ports: ChangePorts,
  command: InRelease,
  work: (change: ChangeOfRelease) => Promise<Result>,
): Promise<Result> {
  return runProjectChange(ports, command, async (changing) =>
    work({ ...changing, release: await releaseOf(changing.stores, command.projectId, command.releaseId) }),
  );
}

/**
 * Like `runReleaseChange`, for what is read-only once the release is shipped or canceled.
 * @throws DomainError `release-closed` too
 */
export function runOpenReleaseChange<Result>(
  ports: ChangePorts,
  command: InRelease,
  work: (change: ChangeOfRelease) => Promise<Result>,
): Promise<Result> {
  return runReleaseChange(ports, command, async (changing) => {
    requireOpen(changing.release);
    return work(changing);
  });
}

/**
 * Stores the release's next state. @throws DomainError `version-mismatch` when another change came first, `name-taken`,
 * `release-active`
 */
export async function storeRelease({ stores, now }: ChangeOfRelease, next: Release): Promise<Release> {
  if (await stores.releases.replace(next, now)) return next;
  throw await staleRelease(stores, next.id);
}

const staleRelease = async (stores: Stores, releaseId: string): Promise<DomainError> =>
  versionMismatch(await stores.releases.byId(releaseId));

/** Notes an action on the release in the audit log. */
export function noteRelease(
  { project, release, note }: ChangeOfRelease,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return note({
    teamId: project.teamId,
    action,
    resource: { type: 'release', id: release.id },
    detail: { name: release.name, ...detail },
  });
}
