import type { CallOptions, Client } from '@shipworthy/client';
import { FORMATS } from '@shipworthy/client/contract';
import type { Connection } from './connection.js';
import { EXIT, Failure, usageFailure } from './failure.js';
import { dataEnvelope, listOf, NAME, nullable, objectWith, requireUsed, TEXT, usedRows } from './schema.js';
import type { CommandSettings } from './settings.js';

/** A project the key can see. */
export interface VisibleProject {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly activeRelease: { readonly id: string; readonly name: string } | null;
}

const TEAMS = dataEnvelope(
  listOf(
    objectWith({
      id: NAME,
      name: TEXT,
      projects: listOf(
        objectWith({ id: NAME, name: TEXT, active_release: nullable(objectWith({ id: NAME, name: TEXT })) }),
      ),
    }),
  ),
);

/** Every team the key can see, in the server's order. Failure (exit 5) for an answer that is no list of teams. */
export const visibleTeams = async (client: Client, limits: CallOptions = {}) => {
  const { body } = await client.listTeams(limits);
  requireUsed('GET /api/teams', TEAMS, body);
  return body.data;
};

/** Every project the key can see, in the server's order. */
export const visibleProjects = async (client: Client, limits: CallOptions = {}): Promise<readonly VisibleProject[]> => {
  return (await visibleTeams(client, limits)).flatMap((team) =>
    team.projects.map(({ id, name, active_release }) => ({
      id,
      name,
      teamId: team.id,
      teamName: team.name,
      activeRelease: active_release,
    })),
  );
};

/** Whether a text may be more than a project's name: an id, or a team and a project. */
export const isPrecise = (app: string): boolean => FORMATS.uuid(app) || app.includes('/');

/** The projects a text means: the one with that id, else those with that name or that `Team/project`. */
export const projectsMatching = (projects: readonly VisibleProject[], app: string): readonly VisibleProject[] => {
  const known = projects.filter(({ id }) => id === app.toLowerCase());
  // A project may be named like another project's `Team/project`. Then both match, and the text is refused as ambiguous.
  return known.length > 0
    ? known
    : projects.filter(({ name, teamName }) => name === app || `${teamName}/${name}` === app);
};

const listed = (projects: readonly VisibleProject[]): string =>
  projects.map(({ name, teamName }) => `${name} (team ${teamName})`).join(', ');

/** The project the settings name, else the only one the key can see. Failure (exit 2) listing the choices where that is no single one. */
export const resolveProject = async (
  client: Client,
  { app }: Pick<CommandSettings, 'app'>,
  limits: CallOptions = {},
): Promise<VisibleProject> => {
  const projects = await visibleProjects(client, limits);
  const named = app === undefined ? projects : projectsMatching(projects, app.value);
  const [only, another] = named;
  if (only !== undefined && another === undefined) return only;
  if (projects.length === 0)
    throw usageFailure('The key sees no project.', 'Create a project, or use a key of its team.');
  if (app === undefined)
    throw usageFailure(`The key sees ${projects.length} projects: ${listed(projects)}.`, 'Name one with --app.');
  if (only === undefined)
    throw usageFailure(`No project is named ${app.value} (from ${app.source.name}); the key sees ${listed(projects)}.`);
  throw usageFailure(
    `${named.length} projects are named ${app.value}: ${listed(named)}.`,
    ...named.map(({ id, name, teamName }) => `--app ${id} is ${teamName}/${name}.`),
  );
};

/** The path parameters of a project's operations. */
export const pathOf = ({
  id,
  teamId,
}: Pick<VisibleProject, 'id' | 'teamId'>): {
  readonly team_id: string;
  readonly project_id: string;
} => ({ team_id: teamId, project_id: id });

/** A release by name and id. */
export interface ReleaseRef {
  readonly id: string;
  readonly name: string;
}

const ROUTE = 'GET P/releases';
const RELEASE = objectWith({ id: NAME, name: TEXT });

/** The release with that id or exact name, else the active one. Failure (exit 2) where there is none. */
export const resolveRelease = async (
  client: Client,
  project: VisibleProject,
  wanted?: string,
  limits: CallOptions = {},
): Promise<ReleaseRef> => {
  if (wanted === undefined) {
    if (project.activeRelease !== null) return project.activeRelease;
    throw new Failure(EXIT.usage, `${project.name} has no active release.`, {
      code: 'no-active-release',
      fixes: ['Activate one, or name one with --release.'],
    });
  }
  const named: ReleaseRef[] = [];
  const pageAt = (cursor: string | undefined) =>
    client.listReleases({ path: pathOf(project), query: { limit: 200, ...(cursor && { cursor }) }, ...limits });
  for await (const { id, name } of usedRows(ROUTE, RELEASE, pageAt)) {
    if (id === wanted.toLowerCase() && FORMATS.uuid(wanted)) return { id, name };
    if (name === wanted) named.push({ id, name });
  }
  const [only, another] = named;
  if (only === undefined) throw usageFailure(`${project.name} has no release with the id or name ${wanted}.`);
  if (another === undefined) return only;
  throw usageFailure(`${named.length} releases of ${project.name} are named ${wanted}.`, 'Give the id instead.');
};

/** The settings' project, and its release with that id or exact name, else the active one. Failure (exit 2) if none. */
export const findPlace = async (
  { client, address }: Connection,
  settings: Pick<CommandSettings, 'app'>,
  wanted: string | undefined,
  limits: CallOptions = {},
): Promise<Place> => {
  const project = await resolveProject(client, settings, limits);
  return placeOf(address, project, await resolveRelease(client, project, wanted, limits));
};

/** A release that is judged, and the address of its scorecard. */
export interface Place {
  readonly project: VisibleProject;
  readonly release: ReleaseRef;
  /** Address of the scorecard for people. */
  readonly scorecard: string;
  /** The path parameters of the release's operations. */
  readonly path: { readonly team_id: string; readonly project_id: string; readonly release_id: string };
}

/** The place of a release on the server at that address. */
export const placeOf = (address: string, project: VisibleProject, release: ReleaseRef): Place => {
  const path = { team_id: project.teamId, project_id: project.id, release_id: release.id };
  return {
    project,
    release,
    scorecard: `${address}/teams/${path.team_id}/projects/${path.project_id}/releases/${path.release_id}`,
    path,
  };
};
