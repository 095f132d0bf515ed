import { type AnsweredPage, MOST_ROWS, type ReadPage, type Rows, readPages } from './read-rows.js';
import { type ReadingOptions, type Resource, useResource } from './resource.js';
import { type Action, useAction } from './use-action.js';

/** A list on a screen: what is known of it, and how to have more of it. */
export interface Paged<Row, Page extends AnsweredPage<Row> = AnsweredPage<Row>> extends Resource<Rows<Row, Page>> {
  readonly more: Action<[]>;
}

/** How many rows the first reading of a list asks for. */
export const PAGE_ROWS = 50;

/** How many rows come next: as many again as are shown, so that the end of a long list is a few presses away. */
export const rowsToCome = (shown: number): number => Math.min(MOST_ROWS, Math.max(PAGE_ROWS, shown));

/** The number of rows in the full pages that hold the shown rows. */
const fullPages = (shown: number): number => Math.max(1, Math.ceil(shown / PAGE_ROWS)) * PAGE_ROWS;

/**
 * Reads a list page by page and keeps its rows under one key. A later reading fetches as many pages as are shown, so
 * that new rows neither shorten the list nor leave a gap in it.
 */
export const usePaged = <Row>(
  key: string,
  readPage: ReadPage<AnsweredPage<Row>>,
  options?: ReadingOptions,
): Paged<Row> => usePagedWithLastPage(key, readPage, options);

/** Reads a list as `usePaged` does, for lists whose pages say more than their rows: `page` is the last page that was read. */
export const usePagedWithLastPage = <Page extends AnsweredPage<unknown>>(
  key: string,
  readPage: ReadPage<Page>,
  options?: ReadingOptions,
): Paged<Page['data'][number], Page> => {
  const list: Resource<Rows<Page['data'][number], Page>> = useResource(
    key,
    (signal) => readPages(readPage, fullPages(list.state.peek().value?.rows.length ?? 0), signal),
    options,
  );
  const more = useAction(async () => {
    for (;;) {
      const { rows = [], next: cursor = null } = list.state.peek().value ?? {};
      if (cursor === null) return;
      const page = await readPage({ limit: rowsToCome(rows.length), cursor }, new AbortController().signal);
      const { value, reading } = list.state.peek();
      // During the request the list was read again and ends at another row, so this page does not continue it.
      if (value === undefined || value.next !== cursor) continue;
      list.put({ ...value, rows: [...value.rows, ...page.data], next: page.next_cursor, page });
      if (reading) void list.refresh();
      return;
    }
  });
  return { ...list, more };
};
