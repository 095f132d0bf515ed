import type { HostLogin, PageQueries } from '../host/host-order.js';

/** The order for a plain reading of a host. */
export interface HostReadingOrder extends Pick<HostLogin, 'apiUrl' | 'token'>, PageQueries {
  /** Owner and name. */
  readonly path: string;
}

export interface PlainReading {
  readonly requests: number;
  readonly issues: number;
  readonly deployments: number;
  readonly milliseconds: number;
}

interface Connection {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Answer {
  readonly data?: { readonly repository: { readonly [list: string]: Connection } };
}

/** 100 rows, the largest page. */
const FIRST = 100;

/** Reads milestones, issues and deployments page by page with nothing but fetch, and throws them away. @throws Error */
export const readHost = async ({ apiUrl, token, path, ...queries }: HostReadingOrder): Promise<PlainReading> => {
  const [owner, repo] = path.split('/');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let requests = 0;
  const ask = async (url: string, init: RequestInit): Promise<unknown> => {
    requests += 1;
    const response = await fetch(url, { ...init, headers });
    if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const page = async (list: keyof PageQueries, after: string | null): Promise<Connection> => {
    const body = JSON.stringify({ query: queries[list], variables: { owner, repo, first: FIRST, after } });
    const answer = (await ask(new URL('/api/graphql', apiUrl).href, { method: 'POST', body })) as Answer;
    const connection = answer.data?.repository[list];
    if (connection === undefined) throw new Error(`The host gave no ${list}: ${JSON.stringify(answer)}`);
    return connection;
  };
  const count = async (list: keyof PageQueries): Promise<number> => {
    let rows = 0;
    let after: string | null = null;
    do {
      const { nodes, pageInfo }: Connection = await page(list, after);
      rows += nodes.length;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    return rows;
  };
  const begin = performance.now();
  await ask(`${apiUrl}/repos/${path}/milestones?state=all&per_page=${FIRST}`, {});
  const issues = await count('issues');
  const deployments = await count('deployments');
  return { requests, issues, deployments, milliseconds: performance.now() - begin };
};
