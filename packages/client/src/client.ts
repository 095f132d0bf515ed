import type { Input, OperationCall, PagedId, RawInput, RowOf } from './call.js';
import { type CalledId, ROUTES, type Route } from './routes.js';
import { send } from './send.js';
import { type ClientOptions, settle } from './settings.js';

type Methods = { readonly [Id in CalledId]: OperationCall<Id> };

type Pages = {
  readonly [Id in PagedId]: (input: Input<Id>) => AsyncGenerator<RowOf<Id>, void, undefined>;
};

/** One method per operation that is no stream; the paged ones under `pages` too, as iterators over rows. */
export interface Client extends Methods {
  readonly pages: Pages;
}

/**
 * A client of the service at `baseUrl`. A method resolves to the answer, or rejects with a ProblemError (the service refused),
 * a ConnectionError, a TimeoutError, an UnexpectedAnswerError (something else answered), an AnswerTooLargeError (more than 32 MiB),
 * a ResponseShapeError (a member that is relied on is missing or wrong) or the reason of the caller's signal. Members that are not known are handed on.
 *
 * GET, DELETE, the finishing of a deployment and every POST that takes an idempotency key are sent again after a network fault and
 * after 408, 425, 429, 500, 502, 503 and 504, at most `retries` times and only while the time of the call lasts.
 * TypeError, never naming the key, for options that cannot work or would give the key away.
 */
export const createClient = (options: ClientOptions): Client => createClientOf(options, ROUTES);

/** A client of some operations. */
export type ClientOf<Id extends CalledId> = Pick<Methods, Id> & { readonly pages: Pick<Pages, Id & PagedId> };

/**
 * A client of the operations it is given, each with its method, path and trait, in all else like that of `createClient`. A bundle
 * with it carries no table of operations. The type refuses what differs from the contract.
 */
export const createClientOf = <Id extends CalledId>(
  options: ClientOptions,
  operations: { readonly [Name in Id]: (typeof ROUTES)[Name] },
): ClientOf<Id> => {
  const settings = settle(options);
  const calls = (Object.entries(operations) as readonly (readonly [CalledId, Route])[]).map(
    ([id, route]) => [id, (input: RawInput = {}) => send(settings, id, route, input), route[2]] as const,
  );
  const paged = calls.filter(([, , trait]) => trait === 'paged' || trait === 'pageable');
  const pages = paged.map(([id, call]) => [id, (input: RawInput) => rowsOf(call, input)]);
  // There is a line for every operation of the type, so that every method of it is there.
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

/** All rows of a paged list, page after page, asked for as they are taken. */
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
