import type { Project } from '../project/find-project.js';
import type { ReleaseName } from '../project/find-release.js';

/** A release that is judged, and where its scorecard stands. */
export interface Place {
  readonly project: Project;
  readonly release: ReleaseName;
  /** Address of the scorecard for people. */
  readonly scorecard: string;
  /** What the release's operations take. */
  readonly path: { readonly team_id: string; readonly project_id: string; readonly release_id: string };
}

/** The place of a release on the server at that address. */
export const placeOf = (address: string, project: Project, release: ReleaseName): Place => {
  const path = { team_id: project.teamId, project_id: project.id, release_id: release.id };
  return {
    project,
    release,
    scorecard: `${address}/teams/${path.team_id}/projects/${path.project_id}/releases/${path.release_id}`,
    path,
  };
};
