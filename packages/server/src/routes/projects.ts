import { createProject, notFound, type Project, renameProject, seesProject } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireProject } from '../wire/project.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listProjects'>> = async (_, { ports: { stores }, principal, place: { teamId } }) => {
  const [projects, [overview]] = await Promise.all([
    stores.projects.ofTeams([teamId]),
    stores.teams.overview([teamId]),
  ]);
  const active = new Map(overview?.projects.map(({ id, activeRelease }) => [id, activeRelease]));
  const seen = projects.filter((project) => seesProject(principal, project));
  return { status: 200, body: { data: seen.map((project) => wireProject(project, active.get(project.id))) } };
};

const create: Route<OperationOf<'createProject'>> = async ({ body: { name } }, context) => {
  const { teamId } = context.place;
  const project = await createProject(context.ports)({ by: actorOf(context), teamId, name });
  return { status: 201, body: { data: wireProject(project, null) } };
};

const read: Route<OperationOf<'readProject'>> = async (_, { ports: { stores }, place: { projectId } }) => {
  const [project, active, linked] = await Promise.all([
    stores.projects.byId(projectId),
    stores.releases.activeOf(projectId),
    stores.repositoryLinks.ofProject(projectId),
  ]);
  if (project === undefined) throw notFound('project');
  const repository =
    linked === undefined ? null : { path: linked.link.repository.path, url: linked.link.repository.url };
  return { status: 200, body: { data: wireProject(project, active, repository) } };
};

const rename: Route<OperationOf<'renameProject'>> = async ({ body: { name }, ifMatch: version }, context) => {
  const { ports, place } = context;
  const { teamId, projectId } = place;
  const active = await ports.stores.releases.activeOf(projectId);
  const present = (project: Project) => wireProject(project, active);
  const renamed = renameProject(ports)({ by: actorOf(context), teamId, projectId, name, version });
  return { status: 200, body: { data: present(await withCurrent(present, renamed)) } };
};

/** What is released. */
export const projectRoutes = {
  listProjects: list,
  createProject: create,
  readProject: read,
  renameProject: rename,
} as const satisfies Partial<Routes>;
