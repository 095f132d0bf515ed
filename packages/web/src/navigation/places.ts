import type { AxisReading } from '@shipworthy/client';

/** A project's place in addresses. */
export interface ProjectPlace {
  readonly teamId: string;
  readonly projectId: string;
}

/** A release's place in addresses. */
export interface ReleasePlace extends ProjectPlace {
  readonly releaseId: string;
}

/** Where what belongs to the person is set. */
export const SETTINGS = '/settings';
export const HOST_SETTINGS = `${SETTINGS}/repository-host`;
/** Where an invitation link leads to; its token stands behind the hash, which no browser sends. */
export const INVITATION = '/invitation';

export const teamAddress = (teamId: string): string => `/teams/${teamId}`;
export const projectAddress = ({ teamId, projectId }: ProjectPlace): string =>
  `${teamAddress(teamId)}/projects/${projectId}`;
export const releaseAddress = (place: ReleasePlace): string => `${projectAddress(place)}/releases/${place.releaseId}`;
export const axisAddress = (place: ReleasePlace, axis: AxisReading['axis']): string =>
  `${releaseAddress(place)}/axes/${axis}`;

/** What paths of the interface take. */
export const inProject = ({ teamId, projectId }: ProjectPlace) => ({ team_id: teamId, project_id: projectId });
export const inRelease = (place: ReleasePlace) => ({ ...inProject(place), release_id: place.releaseId });

/** Keys of resources begin with what an event names. */
export const projectKey = ({ projectId }: ProjectPlace, what: string): string => `project/${projectId}/${what}`;
export const releaseKey = (place: ReleasePlace, what: string): string =>
  projectKey(place, `release/${place.releaseId}/${what}`);
