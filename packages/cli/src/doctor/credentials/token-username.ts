const BY_HOST: Readonly<Record<string, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  bitbucket: 'x-token-auth',
};

/**
 * The user name the host wants beside a token as password: by the name of the linked repository host, else by the name of the
 * machine; undefined where neither tells.
 */
export const tokenUsername = (hostName: string | undefined, host: string): string | undefined => {
  const known = hostName !== undefined && Object.hasOwn(BY_HOST, hostName) ? hostName : undefined;
  const name = known ?? Object.keys(BY_HOST).find((one) => new RegExp(`(^|\\.)${one}\\.`).test(host));
  return name === undefined ? undefined : BY_HOST[name];
};
