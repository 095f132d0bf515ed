import type { GitHubServer } from './index.js';

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const DEADLINE_MS = 60_000;

/** Asks the server with a token of `octo`, without following redirects. */
export const asking = (server: GitHubServer) => {
  const token = server.tokenFor('octo');
  const ask = async (url: string, init: RequestInit = {}): Promise<Told> => {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, { redirect: 'manual', signal, ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    token,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => ask(`${server.apiUrl}${path}`, { headers }),
    query: async (query: string, variables: object = {}) => {
      const url = new URL('/graphql', `${server.apiUrl}/`).href;
      return (await ask(url, { method: 'POST', body: JSON.stringify({ query, variables }) })) as Told & {
        readonly body: { readonly data?: Record<string, unknown> | null; readonly errors?: readonly unknown[] };
      };
    },
    ask,
  };
};
