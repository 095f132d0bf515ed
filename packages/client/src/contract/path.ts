/** The paths below which most operations are found. Written in full: bundlers keep a composed one even where nothing uses it. */
export const TEAM = '/api/teams/{team_id}';
export const PROJECT = '/api/teams/{team_id}/projects/{project_id}';
export const RELEASE = '/api/teams/{team_id}/projects/{project_id}/releases/{release_id}';
export const WEBHOOK = '/api/teams/{team_id}/projects/{project_id}/webhooks/{webhook_id}';
export const REPOSITORY = '/api/teams/{team_id}/projects/{project_id}/repository';

/** The addresses that bear the name of the repository host, with the name they have unless another one is set up. */
export const HOST_SETTINGS = '/api/settings/github';
export const HOST_HOOKS = '/api/hooks/github';

/**
 * A path as it is on a server whose repository host has that name.
 * @throws TypeError for a name that is not 1-30 lower case letters
 */
export const pathAt = (path: string, hostName: string): string => {
  if (!/^[a-z]{1,30}$/.test(hostName)) throw new TypeError('repositoryHost must be 1-30 lower case letters.');
  return path.replace(/^(\/api\/(settings|hooks)\/)github(?![^/])/, `$1${hostName}`);
};

/**
 * The address a text holds, resolved against a base if there is one; undefined when it holds none.
 * `URL.canParse` is not to be trusted with letters such as ü: in Node 20 it refuses them once it has been called often.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
