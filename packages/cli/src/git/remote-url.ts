import { parsedUrl } from '@shipworthy/client/contract';

/** Where a remote is, in parts that can be compared. */
export interface RemotePlace {
  readonly kind: 'https' | 'http' | 'ssh';
  /** Lower case, without a port. */
  readonly host: string;
  /** null: the default port. */
  readonly port: number | null;
  /** Owner and name, without slashes at the ends and without `.git`. */
  readonly path: string;
  /** The user before the `@`. */
  readonly user: string | null;
  /** The password of an http address, or a user name that looks like a token. */
  readonly secret: string | null;
}

// Tokens of the usual hosts begin like this. A token works as user name without a password.
const TOKEN = /^(gh[a-z]_|github_pat_|gl[a-z]+-|x?oauth|ATB)|^[0-9a-f]{40}$/i;
const SCP = /^(?:([^@/\s]+)@)?(\[[^\]]+\]|[^:/\s]+):(?!:|\/\/)(.+)$/;

const tidy = (path: string): string =>
  path
    .replace(/[?#].*$/, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/i, '');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const fromUrl = (text: string): RemotePlace | undefined => {
  const url = parsedUrl(text);
  if (url === undefined) return undefined;
  const kind = url.protocol.replace(/^(git\+)?(https?|ssh):$/, '$2');
  if (kind !== 'https' && kind !== 'http' && kind !== 'ssh') return undefined;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const secret = kind === 'ssh' ? '' : password || (TOKEN.test(user) ? user : '');
  return {
    kind,
    host: url.hostname.toLowerCase(),
    port: url.port === '' ? null : Number(url.port),
    path: tidy(decoded(url.pathname)),
    user: user || null,
    secret: secret || null,
  };
};

/** Understands `https://host/owner/name.git`, `ssh://git@host:22/owner/name` and `git@host:owner/name`; undefined for a folder or anything else. */
export const readRemoteUrl = (text: string): RemotePlace | undefined => {
  const url = fromUrl(text);
  if (url !== undefined) return url;
  const [, user = null, host, path] = SCP.exec(text) ?? [];
  // One letter before the colon is a drive of Windows.
  if (host === undefined || path === undefined || text.includes('://') || host.length === 1) return undefined;
  return { kind: 'ssh', host: host.toLowerCase(), port: null, path: tidy(path), user, secret: null };
};

/** The HTTPS address of a remote, without user and password, and without the port of an SSH address. */
export const httpsUrlOf = ({ kind, host, port, path }: RemotePlace): string =>
  `https://${host}${port === null || kind !== 'https' ? '' : `:${port}`}/${path}.git`;

/** Whether both name one repository: same host, same path in any case, over any protocol. */
export const samePlace = (one: RemotePlace, other: RemotePlace): boolean => {
  const ports = one.kind === other.kind ? one.port === other.port : true;
  return one.host === other.host && ports && one.path.toLowerCase() === other.path.toLowerCase();
};

/** A text without the user and password of the addresses in it; the user every SSH host has, `git`, stays. */
export const withoutUserinfo = (text: string): string => text.replace(/(\w:\/\/)(?!git@)[^@/\s'"]+@/g, '$1');
