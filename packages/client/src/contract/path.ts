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

/** The authority of an address of which `URL` takes the host apart: user, host and port. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/iu;
/** Longest name of a host, and longest part of one between dots, in characters. Source: RFC 1035, section 2.3.4. */
const [LONGEST_HOST, LONGEST_LABEL] = [253, 63];
/** A colon and the digits of a port. */
const LONGEST_PORT = 6;
/** What `URL` takes for a dot, before the whole is written in ASCII. */
const DOTS = /[.\u3002\uff0e\uff61]/u;

/**
 * Whether a web address names a host that is longer than one can be. `URL` takes time that grows with the square of a host's length
 * where its letters are not ASCII: some 700,000 of them hold the thread for a minute.
 */
const hasTooLongHost = (text: string): boolean => {
  // As `URL` reads it: without control characters and blanks before it, tabs and line ends anywhere.
  const plain = text.replace(/^[\p{Cc} ]+/u, '').replace(/[\t\n\r]+/gu, '');
  const authority = AUTHORITY.exec(plain)?.[1] ?? '';
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.length > LONGEST_HOST + LONGEST_PORT) return true;
  const host = hostAndPort.replace(/:\d*$/u, '');
  return host.length > LONGEST_HOST || host.split(DOTS).some((label) => label.length > LONGEST_LABEL);
};

/**
 * The address a text holds, resolved against a base if there is one; undefined when it holds none, or one of a host with a name longer
 * than names can be. `URL.canParse` is not to be trusted with letters such as ü: in Node 20 it refuses them once it has been called often.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  if (hasTooLongHost(text)) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
