import type { Fault, FaultScope, LoggedRequest } from '@shipworthy/adapters/test-host';

/** The contents of a repository. */
export interface RepositoryFill {
  readonly path: string;
  readonly issues: number;
  readonly deployments: number;
}

/** The addresses of the host, and what gives access to it. */
export interface HostLogin {
  readonly webUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token for readers that need no approval. */
  readonly token: string;
}

/** The texts of the queries that were last asked for pages of rows. */
export interface PageQueries {
  readonly issues: string;
  readonly deployments: string;
}

/** An order to the host's process over its channel; it answers each with one reply. */
export type HostOrder =
  /** Adds a repository. */
  | { readonly kind: 'fill'; readonly repository: RepositoryFill }
  /** Lets people be sent back to that address. */
  | { readonly kind: 'register'; readonly redirectUrl: string }
  /** Answers the requests since the last order of this kind: `Traffic`. */
  | { readonly kind: 'traffic' }
  /** Answers the queries that were asked for pages: `PageQueries`. */
  | { readonly kind: 'queries' }
  /** Answers the contents of the repository: `WorldCount`. */
  | { readonly kind: 'count'; readonly path: string }
  | { readonly kind: 'begin deployments'; readonly path: string; readonly count: number }
  /** Makes requests fail by this fault from now on. */
  | { readonly kind: 'inject'; readonly fault: Fault; readonly scope: FaultScope }
  /** Takes all faults away; makes the host unreachable; makes it reachable again; refuses every token given out. */
  | { readonly kind: 'calm' | 'shut' | 'open' | 'revoke' }
  /** Whether the grant was ever shown to another origin. */
  | { readonly kind: 'leaked' }
  /** Changes issues and ends every deployment that has begun. */
  | { readonly kind: 'change issues'; readonly path: string; readonly count: number };

/** Requests to the host's API by what they cost there; pages of approval are left out. */
export interface Traffic {
  /** Reading requests that named the version the reader has already. */
  readonly conditional: number;
  /** How many of those were answered with 304, which costs nothing of the budget. */
  readonly notModified: number;
  /** Other requests of the REST interface. */
  readonly rest: number;
  readonly graphql: number;
}

const isQuery = ({ path }: LoggedRequest): boolean => path.endsWith('/graphql');
const isPage = ({ path }: LoggedRequest): boolean => path.startsWith('/login/');

/** Counts requests by kind. */
export const trafficOf = (requests: readonly LoggedRequest[]): Traffic => {
  const asked = requests.filter((request) => !isPage(request));
  const rest = asked.filter((request) => !isQuery(request));
  const conditional = rest.filter((request) => request.conditional);
  return {
    conditional: conditional.length,
    notModified: conditional.filter(({ status }) => status === 304).length,
    rest: rest.length - conditional.length,
    graphql: asked.length - rest.length,
  };
};

/** The number of all requests. */
export const requestsOf = ({ conditional, rest, graphql }: Traffic): number => conditional + rest + graphql;

const queryIn = ({ path, body }: LoggedRequest): string => {
  if (!path.endsWith('/graphql')) return '';
  const { query } = JSON.parse(body) as { readonly query?: unknown };
  return typeof query === 'string' ? query : '';
};

/** The queries by which pages of issues and of deployments were asked for. @throws Error when there were none */
export const pageQueries = (requests: readonly LoggedRequest[]): PageQueries => {
  const queries = requests.map(queryIn);
  const named = (name: string): string => {
    const found = queries.find((query) => query.trimStart().startsWith(`query ${name}(`));
    if (found === undefined) throw new Error(`The host was not asked for pages of ${name}.`);
    return found;
  };
  return { issues: named('issues'), deployments: named('deployments') };
};
