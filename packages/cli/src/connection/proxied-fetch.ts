import type { World } from '../world.js';

const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** The platform's fetch, or where the environment names a proxy one that goes through it for https (and honours NO_PROXY). */
export const proxiedFetch = (env: World['env']): typeof globalThis.fetch => {
  if (!PROXY_NAMES.some((name) => env[name])) return globalThis.fetch;
  // The package is CommonJS, of which a bundle has nothing but the default export.
  const loading = import('undici').then(({ default: { EnvHttpProxyAgent, fetch } }) => {
    const dispatcher = new EnvHttpProxyAgent();
    return (input: string, init?: RequestInit) =>
      fetch(input, { ...(init as Parameters<typeof fetch>[1]), dispatcher }) as unknown as Promise<Response>;
  });
  // Plain http leads no further than this machine; a proxy would read the key, and mean itself by that name.
  return async (input, init) =>
    String(input).startsWith('http:') ? fetch(input, init) : (await loading)(String(input), init);
};
