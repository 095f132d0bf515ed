// Says in one line why npm could not install: the cause, what it concerns, and how to go on.

const AWAY =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const FULL = /\b(ENOSPC|EDQUOT)\b/;
const NOT_WRITABLE = /\b(EACCES|EPERM|EROFS)\b/;
const NOT_BUILT = /gyp ERR!|prebuild-install|node-gyp/;

/** Returns the line for what npm wrote to stderr while it installed into a folder. */
export const installFault = (written, folder) => {
  const about = written.split('\n').filter((line) => AWAY.test(line));
  const [address] = about.flatMap((line) => /\bhttps?:\/\/[^\s'"),]+/.exec(line)?.[0] ?? []);
  const code = (pattern) => pattern.exec(written)?.[1];
  // A native package without a ready binary is built. Its failed build comes first: it may print network faults, too.
  if (NOT_BUILT.test(written))
    return `A native package in ${folder} (sqlite3) found no ready binary for Node ${process.versions.node}, and could not be built. Install python3, make and a C++ compiler, or use a Node version and system with a ready binary; then start again.`;
  if (code(FULL)) return `The disk that holds ${folder} is full (${code(FULL)}). Free some of it, then start again.`;
  if (code(NOT_WRITABLE))
    return `npm may not write ${folder} or its cache (${code(NOT_WRITABLE)}). Give this user the right, or use a copy of the checkout that it owns; then start again.`;
  if (code(AWAY))
    return `npm could not reach its registry${address ? ` at ${address}` : ''} (${code(AWAY)}), so ${folder} could not be filled. Check network, proxy and "npm config get registry"; without a network, copy node_modules from a machine like this one; then start again.`;
  return `npm could not install into ${folder}; its own message stands above.`;
};
