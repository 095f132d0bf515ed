/** The start of most paths. Written in full, because bundlers keep a composed text even where it is unused. */
export const TEAM = '/api/teams/{team_id}';
export const PROJECT = '/api/teams/{team_id}/projects/{project_id}';
export const RELEASE = '/api/teams/{team_id}/projects/{project_id}/releases/{release_id}';
export const WEBHOOK = '/api/teams/{team_id}/projects/{project_id}/webhooks/{webhook_id}';
export const REPOSITORY = '/api/teams/{team_id}/projects/{project_id}/repository';

/** The paths that contain the name of the repository host, with its default name. */
export const HOST_SETTINGS = '/api/settings/github';
export const HOST_HOOKS = '/api/hooks/github';

/**
 * Returns a path as it is on a server whose repository host has that name.
 * @throws TypeError for a name that is not 1-30 lower case letters
 */
export const pathAt = (path: string, hostName: string): string => {
  if (!/^[a-z]{1,30}$/.test(hostName)) throw new TypeError('repositoryHost must be 1-30 lower case letters.');
  return path.replace(/^(\/api\/(settings|hooks)\/)github(?![^/])/, `$1${hostName}`);
};

/** The authority (user, host and port) of an address whose host `URL` parses. */
const AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/iu;
/** Longest name of a host, and longest part of one between dots, in characters. Source: RFC 1035, section 2.3.4. */
const [LONGEST_HOST, LONGEST_LABEL] = [253, 63];
/** A colon and the digits of a port. */
const LONGEST_PORT = 6;
/** The characters that `URL` reads as dots in a host name. */
const DOTS = /[.\u3002\uff0e\uff61]/u;

/**
 * Whether the host name in a web address is longer than host names can be. `URL` takes time that grows with the square
 * of its length if its letters are not ASCII: some 700,000 of them block the thread for a minute.
 */
const hasTooLongHost = (text: string): boolean => {
  // `URL` ignores control characters and blanks at the start, and tabs and line ends anywhere.
  const plain = text.replace(/^[\p{Cc} ]+/u, '').replace(/[\t\n\r]+/gu, '');
  const authority = AUTHORITY.exec(plain)?.[1] ?? '';
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.length > LONGEST_HOST + LONGEST_PORT) return true;
  const host = hostAndPort.replace(/:\d*$/u, '');
  return host.length > LONGEST_HOST || host.split(DOTS).some((label) => label.length > LONGEST_LABEL);
};

/**
 * Returns the address in a text, resolved against a base if given; undefined when it holds none or its host name is too
 * long. Does not use `URL.canParse`: in Node 20 it refuses letters such as ü once it has been called often.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  if (hasTooLongHost(text)) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
