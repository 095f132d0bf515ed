import type { LoggedRequest } from '@shipworthy/adapters/test-host';

/** Requests to the host's interface by what they cost there; the pages of approval are none of them. */
export interface Traffic {
  /** Reading requests that named what the reader has already. */
  readonly conditional: number;
  /** Of those, the ones answered with 304: they cost nothing of the budget. */
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

/** How many requests that were together. */
export const requestsOf = ({ conditional, rest, graphql }: Traffic): number => conditional + rest + graphql;
