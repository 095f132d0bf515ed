import { type Badge, badgeOf, NO_RELEASE_BADGE } from '../badge.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { requireName, slugOf } from '../names.js';
import type { Ports, Stores } from '../ports.js';
import { MOST_PROJECT_NAMES, type Project } from '../project.js';
import { liveReport } from '../release/facts.js';
import {
  type ChangeOfProject,
  type ChangePorts,
  type InProject,
  type InTeam,
  requireVersion,
  runProjectChange,
  runTeamChange,
  versionMismatch,
} from './change.js';

interface CreateProject extends InTeam {
  readonly name: string;
}

/** @throws DomainError `invalid` when the projects in the person's teams have 2,000 names already */
const requireRoomForName = async ({ projects }: Pick<Stores, 'projects'>, userId: string): Promise<void> => {
  if ((await projects.countNames(userId)) < MOST_PROJECT_NAMES) return;
  const message = `The projects in a person's teams have ${MOST_PROJECT_NAMES} names at most, former ones included.`;
  throw invalid([{ pointer: '/name', code: 'too-many', message }]);
};

/**
 * Creates a project with the default policy; not in a demo, since it would be removed with the demo. @throws DomainError
 * `not-found`, `forbidden`, `invalid`, `name-taken`
 */
export function createProject(ports: ChangePorts, command: CreateProject): Promise<Project> {
  return runTeamChange(ports, command, async ({ stores, team, now, newId, by, note }) => {
    if (team.demo) throw new DomainError('forbidden', 'The demo takes no project: it would be removed with it.');
    const { name } = command;
    requireName(name);
    await requireRoomForName(stores, by.principal.userId);
    const slug = slugOf(name, 'project');
    const stored = await stores.projects.create({
      id: newId(),
      teamId: team.id,
      name,
      slug,
      version: 1,
      createdAt: now,
    });
    const resource = { type: 'project', id: stored.id };
    await note({ teamId: team.id, action: 'project.create', resource, detail: { name } });
    return stored;
  });
}

interface RenameProject extends InProject {
  readonly name: string;
  /** The version the caller saw; null: any. */
  readonly version: number | null;
}

/**
 * Renames a project; records stay where they are, its slug too, and reports under the old name are refused from now on.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`, `invalid`, `name-taken`
 */
export function renameProject(ports: ChangePorts, command: RenameProject): Promise<Project> {
  return runProjectChange(ports, command, async ({ stores, project, now, by, note }) => {
    requireVersion(project, command.version);
    requireName(command.name, project.name);
    if (command.name !== project.name) await requireRoomForName(stores, by.principal.userId);
    const next = { ...project, name: command.name, version: project.version + 1 };
    if (!(await stores.projects.replace(next, now))) throw versionMismatch(await stores.projects.byId(project.id));
    const detail = { from: project.name, to: next.name };
    const resource = { type: 'project', id: project.id };
    await note({ teamId: project.teamId, action: 'project.rename', resource, detail });
    return next;
  });
}

/**
 * Leaves a project out of the portfolio; everything else goes on, reports to it count, and it can be restored. One that is archived
 * stays as it is. @throws DomainError `not-found`, `forbidden`
 */
export function archiveProject(ports: ChangePorts, command: InProject): Promise<Project> {
  return runProjectChange(ports, command, async (changing) => {
    const { project, now } = changing;
    return project.archivedAt === undefined
      ? replace(changing, 'project.archive', { ...project, archivedAt: now })
      : project;
  });
}

/** Takes an archived project back into the portfolio; another one stays as it is. @throws DomainError `not-found`, `forbidden` */
export function restoreProject(ports: ChangePorts, command: InProject): Promise<Project> {
  return runProjectChange(ports, command, async (changing) => {
    const { archivedAt, ...restored } = changing.project;
    return archivedAt === undefined ? changing.project : replace(changing, 'project.restore', restored);
  });
}

const replace = async (
  { stores, now, note }: ChangeOfProject,
  action: 'project.archive' | 'project.restore',
  changed: Project,
): Promise<Project> => {
  const next = { ...changed, version: changed.version + 1 };
  if (!(await stores.projects.replace(next, now))) throw versionMismatch(await stores.projects.byId(next.id));
  await note({ teamId: next.teamId, action, resource: { type: 'project', id: next.id }, detail: { name: next.name } });
  return next;
};

/**
 * Publishes a project's badge under a new token, which is returned once and not stored; a former token stops working. @throws
 * DomainError `not-found`, `forbidden`
 */
export function showBadge(
  { secrets, ...ports }: Pick<Ports, 'stores' | 'clock' | 'newId' | 'secrets'>,
  command: InProject,
): Promise<string> {
  return runProjectChange(ports, command, async ({ stores, project, now, by, note }) => {
    const token = secrets.newToken();
    const whose = { projectId: project.id, createdAt: now, createdBy: by.principal.name };
    await stores.badges.put({ ...whose, tokenHash: secrets.hash(token) });
    await note({ teamId: project.teamId, action: 'badge.show', resource: { type: 'project', id: project.id } });
    return token;
  });
}

/** Withdraws a project's badge. @throws DomainError `not-found`, `forbidden` */
export function hideBadge(ports: ChangePorts, command: InProject): Promise<void> {
  return runProjectChange(ports, command, async ({ stores, project, note }) => {
    if (!(await stores.badges.remove(project.id))) return;
    await note({ teamId: project.teamId, action: 'badge.hide', resource: { type: 'project', id: project.id } });
  });
}

interface ReadBadge {
  readonly teamId: string;
  readonly projectId: string;
  /** null: none was shown. */
  readonly token: string | null;
}

/**
 * The badge of a project's active release, for anybody who has the token.
 * @throws DomainError `not-found`, the same for a project that is unknown, shows no badge, or has another token
 */
export async function readBadge(
  { stores, clock, secrets }: Pick<Ports, 'stores' | 'clock' | 'secrets'>,
  { teamId, projectId, token }: ReadBadge,
): Promise<Badge> {
  const optIn = token === null ? undefined : await stores.badges.ofProject(projectId);
  if (token === null || optIn?.tokenHash !== secrets.hash(token)) throw notFound('project');
  const project = await stores.projects.byId(projectId);
  if (project?.teamId !== teamId) throw notFound('project');
  const active = await stores.releases.activeOf(projectId);
  const [inputs] = active === undefined ? [] : await stores.facts.factsFor([active.id]);
  if (inputs === undefined) return NO_RELEASE_BADGE;
  return badgeOf(inputs.release.name, liveReport(inputs, clock()));
}
