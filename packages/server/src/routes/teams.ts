import { createTeam, notFound, readTeams, removeDemo, renameTeam, type Stores, type Team } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireTeam } from '../wire/team.js';
import { actorOf } from './actor.js';

const list: Route<OperationOf<'listTeams'>> = async (_, { ports, principal }) => {
  const teams = await readTeams(ports.stores, principal);
  return { status: 200, body: { data: teams.map(wireTeam) } };
};

const create: Route<OperationOf<'createTeam'>> = async ({ body: { name } }, context) => {
  const team = await createTeam(context.ports)({ by: actorOf(context), name });
  return { status: 201, body: { data: wireTeam({ team, projects: [] }) } };
};

const projectsOf = async ({ teams }: Pick<Stores, 'teams'>, teamId: string) => {
  const [overview] = await teams.overview([teamId]);
  if (overview === undefined) throw notFound('team');
  return overview.projects;
};

const rename: Route<OperationOf<'renameTeam'>> = async ({ body: { name }, ifMatch: version }, context) => {
  const { ports, place } = context;
  const projects = await projectsOf(ports.stores, place.teamId);
  const present = (team: Team) => wireTeam({ team, projects });
  const team = await withCurrent(
    present,
    renameTeam(ports)({ by: actorOf(context), teamId: place.teamId, name, version }),
  );
  return { status: 200, body: { data: present(team) } };
};

const removeTheDemo: Route<OperationOf<'removeDemo'>> = async (_, context) => {
  await removeDemo(context.ports)({ by: actorOf(context) });
  return { status: 204 };
};

/** Teams. */
export const teamRoutes = {
  listTeams: list,
  createTeam: create,
  renameTeam: rename,
  removeDemo: removeTheDemo,
} as const satisfies Partial<Routes>;
