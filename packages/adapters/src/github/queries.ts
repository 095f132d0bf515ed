import { DomainError, type Instant, notFound } from '@shipworthy/domain';
import type { HostAccess, HostBudget } from '@shipworthy/domain/ports';
import { budgetOf, hostUnavailable, isTransientHostFailure } from '../host-http/answer-meaning.js';
import { type Fields, fieldsOf, flagOf, listField, placesOf, TITLE, textField, unexpectedValue } from './fields.js';
import {
  forbidden,
  type GithubRequests,
  type GithubSession,
  hostWords,
  rateLimited,
  settledBy,
  unwrapped,
} from './requests.js';

export interface Queried {
  readonly data: Fields;
  readonly budget: HostBudget | null;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Thrown by `query` when the host's schema lacks the field that was named as dispensable. */
export class UnknownField extends Error {
  override readonly name = 'UnknownField';
}

export interface QueryOptions {
  /** The variables of a second try, which asks for less: the first may have asked for too much. */
  readonly less?: Variables;
  /** A field that older servers do not have; `query` throws UnknownField for them. */
  readonly dispensable?: string;
}

/** Asks GitHub's GraphQL interface. Queries only read, so they are asked once more when that may help and time is left. */
export const githubQueries = (requests: GithubRequests) => {
  const { clock } = requests;

  const once = async (
    { octokit, last }: GithubSession,
    text: string,
    variables: Variables,
    dispensable: string | undefined,
  ): Promise<Queried> => {
    const headers = () => last.answer?.headers ?? new Headers();
    const queried = (data: unknown): Queried => ({
      data: fieldsOf(data, 'data'),
      budget: budgetOf(headers(), 'x-ratelimit'),
    });
    try {
      return queried(await octokit.graphql(text, { ...variables }));
    } catch (error) {
      const errors = errorsIn(error);
      if (errors === undefined) throw unwrapped(error);
      if (dispensable !== undefined && isUnknownField(errors, dispensable)) throw new UnknownField();
      const failure = failureOfErrors(errors, headers(), clock());
      if (failure !== undefined) throw failure;
      return queried((error as { readonly data?: unknown }).data);
    }
  };

  return {
    query: (access: HostAccess, text: string, variables: Variables, options: QueryOptions = {}): Promise<Queried> =>
      settledBy(access.deadline, clock, async () => {
        const session = requests.session(access, null);
        try {
          return await once(session, text, variables, options.dispensable);
        } catch (error) {
          if (!isWorthRetrying(error) || access.deadline - clock() < WORTH_A_TRY_MS) throw error;
          return once(session, text, { ...variables, ...options.less }, options.dispensable);
        }
      }),
  };
};

export type GithubQueries = ReturnType<typeof githubQueries>;

/** One of the `errors` that a query is answered with, at status 200. */
interface QueryError {
  readonly type?: string;
  readonly message?: string;
  readonly path?: readonly (string | number)[];
}

/** Whether the error says that a node asked for by id is missing: no failure, its place in the list is null. */
const isMissingNode = ({ type, path }: QueryError): boolean => type === 'NOT_FOUND' && path?.[0] === 'nodes';

/** Whether the errors say that the host does not know a field; Enterprise Servers may be older than GitHub. */
const isUnknownField = (errors: readonly QueryError[], field: string): boolean =>
  errors.some(({ message, type }) => type === undefined && new RegExp(`\\b${field}\\b`).test(message ?? ''));

/** The failure that the errors of a query mean; undefined: only nodes are missing and the data can be read. */
const failureOfErrors = (errors: readonly QueryError[], headers: Headers, now: Instant): DomainError | undefined => {
  const grave = errors.filter((error) => !isMissingNode(error));
  const [first] = grave;
  if (first === undefined) return undefined;
  const types = new Set(grave.map(({ type }) => type));
  if (types.has('RATE_LIMITED') || types.has('RATE_LIMIT')) return rateLimited(headers, now);
  const said = hostWords(first.message ?? '');
  if (types.has('FORBIDDEN') || types.has('INSUFFICIENT_SCOPES')) return forbidden(said);
  if (grave.every(({ type, path }) => type === 'NOT_FOUND' && path?.[0] === 'repository'))
    return notFound('repository');
  return hostUnavailable('server_error', `${TITLE} could not answer the query${said === '' ? '.' : `: ${said}`}`);
};

/** With less time than this left a second try would only hide what really happened behind a time-out. */
const WORTH_A_TRY_MS = 200;

const errorsIn = (error: unknown): readonly QueryError[] | undefined => {
  const errors = error instanceof Error && 'errors' in error ? error.errors : undefined;
  return Array.isArray(errors) ? (errors as readonly QueryError[]) : undefined;
};

/**
 * Whether a second try may help: after a broken connection, an answer that was not read to its end, or a 5xx that does not
 * say when to try again.
 */
const isWorthRetrying = (error: unknown): boolean =>
  isTransientHostFailure(error) ||
  (error instanceof DomainError && error.details.cause === 'server_error' && error.details.retryAt === undefined);

/** The cursor of the next page of a connection; null: there is none. */
export const nextCursor = (connection: Fields): string | null => {
  const pages = fieldsOf(connection.pageInfo, 'pageInfo');
  return flagOf(pages, 'hasNextPage') ? textField(pages, 'endCursor') : null;
};

/** Most pages of a list within a row; real lists are shorter. A host that always names a next page is stopped. */
const MOST_PAGES = 50;

/**
 * Returns all of a list within a row: its first page came with the row, the others are read one by one.
 * @param query asks for that list of `nodes(ids: [id])` after a cursor
 */
export const wholeList = async (
  queries: GithubQueries,
  access: HostAccess,
  row: Fields,
  list: string,
  query: string,
): Promise<readonly Fields[]> => {
  let connection = fieldsOf(row[list], list);
  const items = [...listField(connection.nodes, list)];
  let pages = 1;
  for (let after = nextCursor(connection); after !== null; after = nextCursor(connection)) {
    pages += 1;
    if (pages > MOST_PAGES) throw unexpectedValue(list);
    const { data } = await queries.query(access, query, { ids: [textField(row, 'id')], after });
    const [node = null] = placesOf(data, 1);
    // The row was removed in between: nothing more can be read.
    if (node === null) break;
    connection = fieldsOf(fieldsOf(node, 'node')[list], list);
    items.push(...listField(connection.nodes, list));
  }
  return items;
};
