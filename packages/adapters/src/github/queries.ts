import type { HostAccess, HostBudget } from '@shipworthy/domain';
import { DomainError } from '@shipworthy/domain';
import { budgetOf } from '../host-http/rate-limit.js';
import { isPassing } from '../host-http/unavailable.js';
import { type Fields, fieldsOf } from './fields.js';
import { failureOfErrors, isUnknownField, type QueryError } from './graphql-failure.js';
import { type GithubRequests, type GithubSession, unwrapped } from './requests.js';
import { settledBy } from './settled-by.js';

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
  /** What the second try asks for instead: less, since what failed may have been too much at once. */
  readonly less?: Variables;
  /** A field older servers do not have. */
  readonly dispensable?: string;
}

/** With less time than this left a second try would only hide what really happened behind a time-out. */
const WORTH_A_TRY_MS = 200;

const errorsIn = (error: unknown): readonly QueryError[] | undefined => {
  const errors = error instanceof Error && 'errors' in error ? error.errors : undefined;
  return Array.isArray(errors) ? (errors as readonly QueryError[]) : undefined;
};

/** 5xx without a word on when to come back, or something broken on the way. */
const mayPass = (error: unknown): boolean =>
  isPassing(error) ||
  (error instanceof DomainError && error.details.cause === 'server_error' && error.details.retryAt === undefined);

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
          if (!mayPass(error) || access.deadline - clock() < WORTH_A_TRY_MS) throw error;
          return once(session, text, { ...variables, ...options.less }, options.dispensable);
        }
      }),
  };
};

export type GithubQueries = ReturnType<typeof githubQueries>;
