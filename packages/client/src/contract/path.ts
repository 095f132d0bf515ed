/** The addresses most operations stand under. */
export const TEAM = '/api/teams/{team_id}';
export const PROJECT = `${TEAM}/projects/{project_id}` as const;
export const RELEASE = `${PROJECT}/releases/{release_id}` as const;
