import type { HistoryPoint } from '@shipworthy/client';

type Cause = HistoryPoint['causes'][number];

/** An id, as an address may say it. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A project's place in addresses. */
export interface ProjectPlace {
  readonly teamId: string;
  readonly projectId: string;
}

/** A release's place in addresses. */
export interface ReleasePlace extends ProjectPlace {
  readonly releaseId: string;
}

/** Reads the base path, which the server writes into its page; null or undefined: there is none, as in tests. */
const pageBase = (): string | null | undefined =>
  typeof document === 'undefined'
    ? null
    : document.querySelector('meta[name=shipworthy-base]')?.getAttribute('content');

/** The prefix of every path of this server, of its screens and of its API; empty at the root. */
export const BASE_PATH = (pageBase() ?? '').replace(/\/$/, '');

/** The first screen: all projects. It ends with a slash, since some proxies serve only `/path/`. */
export const HOME = `${BASE_PATH}/`;
/** Whether a path is that of the first screen; the router removes the slash at the end of paths. */
export const isHome = (path: string): boolean => path === HOME || `${path}/` === HOME;
/** The set-up screen of a new server; the token that the server printed follows the `#`, which browsers do not send. */
export const SETUP = `${BASE_PATH}/setup`;
/** The screen on which a person makes the first team and project. */
export const WELCOME = `${BASE_PATH}/welcome`;
/** The screen that lists gate changes, and how many are unread. */
export const GATE_CHANGES = `${BASE_PATH}/gate-changes`;
/** The screen of the person's own settings. */
export const SETTINGS = `${BASE_PATH}/settings`;
export const HOST_SCREEN = `${SETTINGS}/repository-host`;
/** The screen of an invitation link; its token follows the `#`, which browsers do not send. */
export const INVITATION = `${BASE_PATH}/invitation`;

export const teamAddress = (teamId: string): string => `${BASE_PATH}/teams/${teamId}`;
export const projectAddress = ({ teamId, projectId }: ProjectPlace): string =>
  `${teamAddress(teamId)}/projects/${projectId}`;
export const releaseAddress = (place: ReleasePlace): string => `${projectAddress(place)}/releases/${place.releaseId}`;
export const axisAddress = (place: ReleasePlace, axis: string): string => `${releaseAddress(place)}/axes/${axis}`;

/** The screen that shows records of a kind; a report of an own axis is shown by that axis, where it is known. */
export const recordAddress = (place: ReleasePlace, kind: Cause['kind'], [axis]: readonly string[] = []): string => {
  const project = projectAddress(place);
  if (kind === 'deployment') return `${project}/deployments`;
  if (kind === 'test_run') return `${project}/test-runs`;
  if (kind === 'issue') return `${project}/issues`;
  if (kind === 'checklist_item') return `${releaseAddress(place)}/checklist`;
  if (kind === 'policy') return `${project}/settings/policy`;
  if (kind === 'axis_report' && axis !== undefined) return axisAddress(place, axis);
  return releaseAddress(place);
};

/** The path parameters of the API. */
export const inProject = ({ teamId, projectId }: ProjectPlace) => ({ team_id: teamId, project_id: projectId });
export const inRelease = (place: ReleasePlace) => ({ ...inProject(place), release_id: place.releaseId });

/** The prefix of the keys of all resources about gate changes. */
export const GATE_CHANGES_KEY = 'gate-changes';

/** The key of a resource begins with the project's id, so that an event of the project refreshes it. */
export const projectKey = ({ projectId }: ProjectPlace, what: string): string => `project/${projectId}/${what}`;
export const releaseKey = (place: ReleasePlace, what: string): string =>
  projectKey(place, `release/${place.releaseId}/${what}`);
