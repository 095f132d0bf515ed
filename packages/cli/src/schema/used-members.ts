import type { Schema } from '@shipworthy/client/contract';
import { unreadableFailure } from '../failure.js';
import { faultLine, schemaFaults } from './schema-faults.js';

// What a server answers is read openly: only members that are used are looked at, and of words only that they are texts.
// A command that a pipeline has pinned lives with every later server, whose answers hold more.

export const TEXT = { type: 'string' } as const satisfies Schema;
/** An id or name that is sent back. */
export const NAME = { type: 'string', minLength: 1 } as const satisfies Schema;
export const NUMBER = { type: 'number' } as const satisfies Schema;
export const FLAG = { type: 'boolean' } as const satisfies Schema;
export const orNull = (schema: Schema): Schema => ({ oneOf: [schema, { type: 'null' }] });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object of which these members are used; those that `optional` names may be missing. Others are not looked at. */
export const uses = (properties: Readonly<Record<string, Schema>>, ...optional: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** The envelope of one resource or list. */
export const dataOf = (data: Schema): Schema => uses({ data });

/** Failure (exit 5) naming each used member of an answer that is missing or of another type. `route` as in `GET /api/teams`. */
export const requireUsed = (route: string, schema: Schema, body: unknown, pointer = ''): void => {
  const faults = schemaFaults(schema, body, pointer);
  if (faults.length > 0) throw unreadableFailure(route, faults.map(faultLine));
};

/** The rows of a paged list, each looked at before it is handed on. */
export async function* usedRows<Row>(
  route: string,
  schema: Schema,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void, undefined> {
  let index = 0;
  for await (const row of rows) {
    requireUsed(route, schema, row, `/data/${index}`);
    index += 1;
    yield row;
  }
}
