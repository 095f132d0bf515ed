/** The paths below which most operations are found. */
export const TEAM = '/api/teams/{team_id}';
export const PROJECT = `${TEAM}/projects/{project_id}` as const;
export const RELEASE = `${PROJECT}/releases/{release_id}` as const;
export const WEBHOOK = `${PROJECT}/webhooks/{webhook_id}` as const;
export const REPOSITORY = `${PROJECT}/repository` as const;

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
