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

/** What the server puts into its page: the path below which it is reached. Tests of words have no page. */
const pageBase = (): string | null | undefined =>
  typeof document === 'undefined'
    ? null
    : document.querySelector('meta[name=shipworthy-base]')?.getAttribute('content');

/** The prefix of every path of this server, of its screens and of its API; empty at the root. */
export const BASE_PATH = (pageBase() ?? '').replace(/\/$/, '');

/** The first screen: all projects. Its slash is kept, so that proxies which serve `/path/` alone find it. */
export const HOME = `${BASE_PATH}/`;
/** Whether the path of a location, which ends without a slash, is that of the first screen. */
export const isHome = (path: string): boolean => path === HOME || `${path}/` === HOME;
/** Where the server's first start leads to; the token it printed follows the hash, which no browser sends. */
export const SETUP = `${BASE_PATH}/setup`;
/** The screen on which a person makes the first team and project. */
export const WELCOME = `${BASE_PATH}/welcome`;
/** What gates have changed, and how much of it is unread. */
export const GATE_CHANGES = `${BASE_PATH}/gate-changes`;
/** Where what belongs to the person is set. */
export const SETTINGS = `${BASE_PATH}/settings`;
export const HOST_SCREEN = `${SETTINGS}/repository-host`;
/** Where an invitation link leads to; its token follows the hash, which no browser sends. */
export const INVITATION = `${BASE_PATH}/invitation`;

export const teamAddress = (teamId: string): string => `${BASE_PATH}/teams/${teamId}`;
export const projectAddress = ({ teamId, projectId }: ProjectPlace): string =>
  `${teamAddress(teamId)}/projects/${projectId}`;
export const releaseAddress = (place: ReleasePlace): string => `${projectAddress(place)}/releases/${place.releaseId}`;
export const axisAddress = (place: ReleasePlace, axis: string): string => `${releaseAddress(place)}/axes/${axis}`;

/** The screen that shows records of a kind. @param axes of the record, where it is known which it counts for */
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

/** The beginning of the keys of what is known of gate changes. */
export const GATE_CHANGES_KEY = 'gate-changes';

/** Keys of resources begin with what an event names. */
export const projectKey = ({ projectId }: ProjectPlace, what: string): string => `project/${projectId}/${what}`;
export const releaseKey = (place: ReleasePlace, what: string): string =>
  projectKey(place, `release/${place.releaseId}/${what}`);
