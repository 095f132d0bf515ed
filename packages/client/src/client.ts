import type { Input, OperationCall, PagedId, RawInput, RowOf } from './call.js';
import { type CalledId, ROUTES, type Route } from './routes.js';
import { send } from './send.js';
import { type ClientOptions, checkedSettings } from './settings.js';

type Methods = { readonly [Id in CalledId]: OperationCall<Id> };

type Pages = {
  readonly [Id in PagedId]: (input: Input<Id>) => AsyncGenerator<RowOf<Id>, void, undefined>;
};

/** One method per operation but for streams. The paged ones are also under `pages`, as iterators over rows. */
export interface Client extends Methods {
  readonly pages: Pages;
}

/**
 * A client of the service at `baseUrl`. A method resolves to the answer, or rejects with a ProblemError (the service
 * refused), a ConnectionError, a TimeoutError, an UnexpectedAnswerError (something else answered), an
 * AnswerTooLargeError (more than 32 MiB), a ResponseShapeError (a needed member is missing or wrong) or the reason of
 * the caller's signal. Unknown members are kept.
 *
 * GET, DELETE, operations with an idempotency key and those that are repeatable by the contract are sent again after a
 * network fault, after 408, 425, 429, 500, 502, 503 and 504, and while the first request with their key is still under
 * way (409 `idempotency-key-in-use`), at most `retries` times and only while the time of the call lasts.
 * TypeError, never naming the key, for options that cannot work or would give the key away.
 */
export const createClient = (options: ClientOptions): Client => createClientOf(options, ROUTES);

/** A client of some operations. */
export type ClientOf<Id extends CalledId> = Pick<Methods, Id> & { readonly pages: Pick<Pages, Id & PagedId> };

/**
 * Makes a client of the given operations only, each with its method, path and trait; otherwise like `createClient`. A
 * bundle with it does not contain the table of all operations. The types refuse what differs from the contract.
 */
export const createClientOf = <Id extends CalledId>(
  options: ClientOptions,
  operations: { readonly [Name in Id]: (typeof ROUTES)[Name] },
): ClientOf<Id> => {
  const settings = checkedSettings(options);
  const calls = (Object.entries(operations) as readonly (readonly [CalledId, Route])[]).map(
    ([id, route]) => [id, (input: RawInput = {}) => send(settings, id, route, input), route[2]] as const,
  );
  const paged = calls.filter(([, , trait]) => trait === 'paged' || trait === 'pageable');
  const pages = paged.map(([id, call]) => [id, (input: RawInput) => rowsOf(call, input)]);
  // The type of `operations` requires an entry for every operation, so no method is missing.
  return Object.freeze({
    ...Object.fromEntries(calls),
    pages: Object.freeze(Object.fromEntries(pages)),
  }) as unknown as ClientOf<Id>;
};

interface ListedPage {
  readonly data: readonly unknown[];
  /** Missing where everything was answered at once. */
  readonly next_cursor?: string | null;
}

/** Yields all rows of a paged list. Requests a page only when its first row is taken. */
export async function* rowsOf(
  call: (input: RawInput) => Promise<{ readonly body: unknown }>,
  input: RawInput,
): AsyncGenerator<unknown, void, undefined> {
  let query = input.query;
  for (;;) {
    const { body } = await call({ ...input, query });
    const { data, next_cursor: cursor = null } = body as ListedPage;
    yield* data;
    if (cursor === null) return;
    if (cursor === query?.cursor) throw new Error('The next page is the same page again.');
    query = { ...query, cursor };
  }
}
