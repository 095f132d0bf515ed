import {
  atHome,
  mayMatchOutsideHome,
  type Principal,
  seesProject,
  type TeamCaller,
  teamsInSight,
} from '../access/principal.js';
import { type Badge, badgeOf, NO_RELEASE_BADGE } from '../badge.js';
import { DomainError, invalid, notFound } from '../errors.js';
import { type AppName, matchAppName, unmatchedAmong } from '../match-app-name.js';
import { requireName, slugOf } from '../names.js';
import type { Ports, Stores } from '../ports.js';
import {
  MOST_PROJECT_NAMES,
  type NamedProject,
  type Project,
  type ProjectName,
  tooManyProjectNames,
} from '../project.js';
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
  throw invalid([tooManyProjectNames('/name')]);
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
 * Renames a project; its records and its slug stay, and reports under the old name are refused from now on.
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
 * Leaves a project out of the portfolio; everything else goes on, reports to it count, and it can be restored. A
 * project that is archived already stays as it is.
 * @throws DomainError `not-found`, `forbidden`
 */
export function archiveProject(ports: ChangePorts, command: InProject): Promise<Project> {
  return runProjectChange(ports, command, async (changing) => {
    const { project, now } = changing;
    return project.archivedAt === undefined
      ? replace(changing, 'project.archive', { ...project, archivedAt: now })
      : project;
  });
}

/**
 * Takes an archived project back into the portfolio; one that is not archived stays as it is.
 * @throws DomainError `not-found`, `forbidden`
 */
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
  /** null: the request has none. */
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

/** The project names in which the names of a request are looked up. */
interface NamesInSight {
  /** The refusal of a name that means no project. */
  readonly unmatched: (asked: AppName) => DomainError;
  /** Whether a project at the home of the key has or once had the name. */
  readonly isHomeName: (name: string) => boolean;
  /** Whether a project in sight has or once had the name or, where one is named by id, is that one. */
  readonly isKnown: (asked: AppName) => boolean;
}

const namesAmong = (seen: readonly ProjectName[], ofHome: readonly ProjectName[]): NamesInSight => {
  const [homeNames, seenNames] = [ofHome, seen].map((names) => new Set(names.map(({ name }) => name)));
  const [unmatched, unmatchedAtHome] = [unmatchedAmong(seen), unmatchedAmong(ofHome)];
  return {
    isHomeName: (name) => homeNames?.has(name) === true,
    isKnown: ({ appName, projectId: asked }) =>
      asked === null ? seenNames?.has(appName) === true : seen.some(({ projectId }) => projectId === asked),
    unmatched: (asked) => {
      if (asked.projectId !== null) return unmatched(asked);
      if (homeNames?.has(asked.appName) || !seenNames?.has(asked.appName)) return unmatchedAtHome(asked);
      const detail = `No project at the key's home is named ${asked.appName}; name one of another team by project_id.`;
      return new DomainError('unknown-app-name', detail, { nearest: [] });
    },
  };
};

/** The names for a request in which every name `isNamedAtHome`, so that none must be read. */
export const NO_NAMES: NamesInSight = namesAmong([], []);

const namesSeen = async ({ projects }: Pick<Stores, 'projects'>, principal: Principal) => {
  const names = await projects.names(teamsInSight(principal));
  const only = principal.home?.projectId ?? null;
  return only === null ? names : names.filter(({ projectId }) => projectId === only);
};

/** Reads every current and former name in sight: one query, and one more for a key that sees teams beyond its home. */
export async function readNames(stores: Pick<Stores, 'projects'>, principal: Principal): Promise<NamesInSight> {
  const home = atHome(principal);
  const seen = await namesSeen(stores, principal);
  return namesAmong(seen, home.roles.size === principal.roles.size ? seen : await namesSeen(stores, home));
}

/** The names in sight, read when first needed and once for all reports of a request. */
export type NamesOnce = () => Promise<NamesInSight>;

/**
 * Returns a function that reads the names in sight of the principal on its first call and remembers them. After a failed read
 * the next call reads again.
 */
export function namesOnce(stores: Pick<Stores, 'projects'>, principal: Principal): NamesOnce {
  let read: Promise<NamesInSight> | undefined;
  return () => {
    read ??= readNames(stores, principal).catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}

const placeOfNames = (principal: Principal, { projectId }: AppName): Principal =>
  projectId === null ? atHome(principal) : principal;

/**
 * Checks whether a project at the home of the key has the name, or the project that is named by id has it: then no
 * other names need to be read.
 */
export function isNamedAtHome(principal: Principal, asked: AppName, named: readonly NamedProject[]): boolean {
  const place = placeOfNames(principal, asked);
  return named.some(
    ({ project }) => seesProject(place, project) && (asked.projectId === null || asked.projectId === project.id),
  );
}

/**
 * The one project of that name: at the home of the key, and in other teams in sight only where no project at home has
 * or once had the name, so that no other team can draw a report to itself or make its name ambiguous.
 * @param names the names in sight; `NO_NAMES` is enough where the name `isNamedAtHome`
 * @throws DomainError `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `invalid`, `forbidden`
 */
export function requireNamedAmong(
  { principal, needs }: TeamCaller,
  asked: AppName,
  named: readonly NamedProject[],
  names: NamesInSight,
): NamedProject {
  const known = matchAppName({ principal: placeOfNames(principal, asked), needs }, asked, named);
  if (known !== undefined) return known;
  const beyond = asked.projectId === null && mayMatchOutsideHome(principal) && !names.isHomeName(asked.appName);
  const match = beyond ? matchAppName({ principal, needs }, asked, named) : undefined;
  if (match === undefined) throw names.unmatched(asked);
  return match;
}

/** Like `requireNamedAmong`, but reads the names in sight only when they are needed. */
export async function findNamedProject(
  caller: TeamCaller,
  asked: AppName,
  named: readonly NamedProject[],
  names: NamesOnce,
): Promise<NamedProject> {
  const isKnown = isNamedAtHome(caller.principal, asked, named);
  return requireNamedAmong(caller, asked, named, isKnown ? NO_NAMES : await names());
}
