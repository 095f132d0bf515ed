import type { LoggedRequest } from '@shipworthy/adapters/test-host';
import type { PageQueries } from './host-order.js';

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
    if (found === undefined) throw new Error(`Nobody has asked the host for pages of ${name}.`);
    return found;
  };
  return { issues: named('issues'), deployments: named('deployments') };
};
