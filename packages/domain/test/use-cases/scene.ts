import type { AuditEntry, TeamActor } from '../../src/access/principal.js';
import type { Project } from '../../src/project.js';
import type { Release } from '../../src/release/release.js';
import type { Role } from '../../src/team.js';
import { createProject } from '../../src/use-cases/project.js';
import { activateRelease, createRelease } from '../../src/use-cases/release.js';
import { createTeam } from '../../src/use-cases/team.js';
import { person, type World, withRoles, world } from './world.js';

/** A team with an owner, a member and a viewer, and a stranger who owns another team. */
export interface TeamScene extends World {
  readonly teamId: string;
  readonly owner: TeamActor;
  readonly member: TeamActor;
  readonly viewer: TeamActor;
  readonly stranger: TeamActor;
}

export const teamScene = async (): Promise<TeamScene> => {
  const here = world();
  const founder = await person(here, 'Ada');
  const team = await createTeam(here, { by: founder, name: 'Payments' });
  const joining = async (name: string, role: Role): Promise<TeamActor> => {
    const actor = await person(here, name, { [team.id]: role });
    const { userId } = actor.principal;
    await here.stores.teams.addMember({ teamId: team.id, userId, role, createdAt: here.time.now });
    return actor;
  };
  const outsider = await person(here, 'Sam');
  const other = await createTeam(here, { by: outsider, name: 'Search' });
  return {
    ...here,
    teamId: team.id,
    owner: withRoles(founder, { [team.id]: 'owner' }),
    member: await joining('Ben', 'member'),
    viewer: await joining('Eve', 'viewer'),
    stranger: withRoles(outsider, { [other.id]: 'owner' }),
  };
};

/** The team with the project Shop. */
export interface ProjectScene extends TeamScene {
  readonly project: Project;
  /** Names the project in a command. */
  readonly there: { readonly teamId: string; readonly projectId: string };
}

export const projectScene = async (): Promise<ProjectScene> => {
  const here = await teamScene();
  const project = await createProject(here, { by: here.member, teamId: here.teamId, name: 'Shop' });
  return { ...here, project, there: { teamId: here.teamId, projectId: project.id } };
};

/** The project with the planned release of that name. */
export const planned = ({ member, there, ...here }: ProjectScene, name: string, startsAt: number | null = null) =>
  createRelease(here, { by: member, ...there, name, startsAt, targetAt: null });

/** The project with the active release 1.0. */
export interface ReleaseScene extends ProjectScene {
  readonly release: Release;
  /** Names the release in a command. */
  readonly at: ProjectScene['there'] & { readonly releaseId: string };
}

export const releaseScene = async (): Promise<ReleaseScene> => {
  const here = await projectScene();
  const { id: releaseId } = await planned(here, '1.0');
  const at = { ...here.there, releaseId };
  const release = await activateRelease(here, { by: here.member, ...at, current: null });
  return { ...here, release, at };
};

/** A scene in which taking a lock of a project, a team or an account takes five seconds. */
export const waitingForLocks = <Here extends World>(here: Here): Here => {
  const wait = async () => {
    here.time.now += 5000;
  };
  const transaction: World['stores']['transaction'] = (work, by) =>
    here.stores.transaction((inside) => {
      const projects = { ...inside.projects, lock: (id: string) => inside.projects.lock(id).then(wait) };
      const teams = { ...inside.teams, lock: (id: string) => inside.teams.lock(id).then(wait) };
      const lock = (id: string) => inside.users.lock(id).then(wait);
      const lockAdministrators = () => inside.users.lockAdministrators().then(wait);
      const users = { ...inside.users, lock, lockAdministrators };
      return work({ ...inside, projects, teams, users });
    }, by);
  return { ...here, stores: { ...here.stores, transaction } };
};

/**
 * The scene, and what is noted in the audit log from then on, of teams and of none: each action with its moment, and as `deeds`
 * without who, when and where from.
 */
export const noted = <Here extends World>(here: Here) => {
  const entries: { readonly action: string; readonly at: number }[] = [];
  const deeds: Pick<AuditEntry, 'teamId' | 'action' | 'resource' | 'detail'>[] = [];
  const transaction: World['stores']['transaction'] = (work, by) =>
    here.stores.transaction((inside) => {
      const append: typeof inside.audit.append = async (entry) => {
        const { teamId, action, resource, detail, at } = entry;
        entries.push({ action, at });
        deeds.push({ teamId, action, resource, detail });
        return inside.audit.append(entry);
      };
      return work({ ...inside, audit: { ...inside.audit, append } });
    }, by);
  return { entries, deeds, here: { ...here, stores: { ...here.stores, transaction } } };
};
