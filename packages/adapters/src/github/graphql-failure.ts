import { type DomainError, type Instant, notFound } from '@shipworthy/domain';
import { hostUnavailable } from '../host-http/unavailable.js';
import { forbidden, rateLimited, spoken } from './failure.js';
import { TITLE } from './options.js';

/** One of the `errors` that a query is answered with, at status 200. */
export interface QueryError {
  readonly type?: string;
  readonly message?: string;
  readonly path?: readonly (string | number)[];
}

/** Whether a node that was asked for by id is not there (any more): no failure, its place in the list is null. */
const isMissingNode = ({ type, path }: QueryError): boolean => type === 'NOT_FOUND' && path?.[0] === 'nodes';

/** Whether the host does not know a field: Enterprise Servers are behind. */
export const isUnknownField = (errors: readonly QueryError[], field: string): boolean =>
  errors.some(({ message, type }) => type === undefined && new RegExp(`\\b${field}\\b`).test(message ?? ''));

/** What the errors of a query mean; undefined: nothing but nodes that are gone, the data can be read. */
export const failureOfErrors = (
  errors: readonly QueryError[],
  headers: Headers,
  now: Instant,
): DomainError | undefined => {
  const grave = errors.filter((error) => !isMissingNode(error));
  const [first] = grave;
  if (first === undefined) return undefined;
  const types = new Set(grave.map(({ type }) => type));
  if (types.has('RATE_LIMITED') || types.has('RATE_LIMIT')) return rateLimited(headers, now);
  const said = spoken(first.message ?? '');
  if (types.has('FORBIDDEN') || types.has('INSUFFICIENT_SCOPES')) return forbidden(said);
  if (grave.every(({ type, path }) => type === 'NOT_FOUND' && path?.[0] === 'repository'))
    return notFound('repository');
  return hostUnavailable('server_error', `${TITLE} could not answer the query${said === '' ? '.' : `: ${said}`}`);
};
