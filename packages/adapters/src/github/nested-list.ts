import type { HostAccess } from '@shipworthy/domain';
import { type Fields, fieldsOf, flagOf, listOf, textOf } from './fields.js';
import { placesOf } from './nodes.js';
import type { GithubQueries } from './queries.js';

/** The cursor of the next page of a connection; null: there is none. */
export const nextCursor = (connection: Fields): string | null => {
  const pages = fieldsOf(connection.pageInfo, 'pageInfo');
  return flagOf(pages, 'hasNextPage') ? textOf(pages, 'endCursor') : null;
};

/**
 * All of a list within a row: what came with the row, and page after page whatever did not fit.
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
  const items = [...listOf(connection.nodes, list)];
  for (let after = nextCursor(connection); after !== null; after = nextCursor(connection)) {
    const { data } = await queries.query(access, query, { ids: [textOf(row, 'id')], after });
    const [node = null] = placesOf(data, 1);
    // Gone in between: what came with the row is all there is to know.
    if (node === null) break;
    connection = fieldsOf(fieldsOf(node, 'node')[list], list);
    items.push(...listOf(connection.nodes, list));
  }
  return items;
};
