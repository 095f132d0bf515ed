import { record } from './record.js';
import type { Schema } from './schema.js';

/** The query members every paged list takes. */
export const pageQuery = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Rows per page.' },
  cursor: {
    type: 'string',
    format: 'characters',
    minLength: 1,
    maxLength: 2000,
    description: 'The `next_cursor` of the page before.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

export const PageQuery = record({ properties: pageQuery, optional: ['limit', 'cursor'] });

/** One page of a list: `{data, next_cursor}`; stable while rows are being added. */
export const pageOf = <const S extends Schema>(items: S) =>
  record({
    properties: {
      data: { type: 'array', items },
      next_cursor: { type: ['string', 'null'], description: 'Asks for the next page; null on the last one.' },
    },
  });
