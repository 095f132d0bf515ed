/**
 * First segments of the service's own addresses. A base path that begins with one would be ambiguous: a proxy that
 * removes `/api` hands on `/api/teams` for what was asked as `/api/api/teams`.
 */
const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  'api',
  'assets',
  'invitation',
  'livez',
  'metrics',
  'readyz',
  'settings',
  'teams',
  'welcome',
]);

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

/** Why the service cannot be served below the path of this address, as the rest of a sentence; null: it can. */
export const basePathFault = (baseUrl: URL): string | null => {
  const path = pathOf(baseUrl);
  if (!/^(\/[\w.~-]+)*$/.test(path))
    return 'must have a path of letters, digits and -._~ between single slashes, such as /shipworthy, or none.';
  const [, first = ''] = path.split('/');
  return OWN_SEGMENTS.has(first)
    ? `must have another path: the service has addresses of its own below /${first}.`
    : null;
};

/**
 * The path below which people reach the service, such as `/shipworthy`; empty at the root of its origin. It never ends
 * with a slash. @throws TypeError for a path that `basePathFault` refuses
 */
export const basePathOf = (baseUrl: URL): string => {
  const fault = basePathFault(baseUrl);
  if (fault !== null) throw new TypeError(`baseUrl ${fault}`);
  return pathOf(baseUrl);
};

/** The address by which people reach one of the service's own paths. */
export const publicAddress = (baseUrl: URL, path: string): string => baseUrl.origin + basePathOf(baseUrl) + path;

/** Removes the base path, once, from a path in which a proxy left it. */
export const withoutBasePath = (path: string, basePath: string): string => {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  if (path.length === basePath.length) return '/';
  return path[basePath.length] === '/' ? path.slice(basePath.length) : path;
};
