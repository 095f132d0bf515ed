import type { RawInput } from './request.js';

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** All rows of a paged list, page after page, asked for as they are taken. */
export async function* rowsOf(
  call: (input: RawInput) => Promise<{ readonly body: unknown }>,
  input: RawInput,
): AsyncGenerator<unknown, void, undefined> {
  let query = input.query;
  for (;;) {
    const { body } = await call({ ...input, query });
    const { data, next_cursor: cursor } = body as Page;
    yield* data;
    if (cursor === null) return;
    if (cursor === query?.cursor) throw new Error('The list names the same page as the next one again.');
    query = { ...query, cursor };
  }
}
