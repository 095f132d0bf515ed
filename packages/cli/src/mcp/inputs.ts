import { operations, type Schema } from '@shipworthy/client/contract';

const { limit, cursor } = operations.listAxisRows.query.properties;

/** Which project a question is about. */
export const APP = {
  app: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'Name of the project; unless given, the one the settings name, else the only one in sight.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** Which project and release a question is about. */
export const PLACE = {
  ...APP,
  release: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: "Id or exact name of the release; unless given, the project's active one.",
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** One page of a list. */
export const PAGE = {
  limit: { ...limit, default: 20, description: 'Rows in the answer; 20 unless given.' },
  cursor: { ...cursor, description: 'The `next_cursor` of the answer before.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** The query of a page. */
export const pageOf = ({
  limit: rows = 20,
  cursor: after,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) => ({ limit: rows, ...(after === undefined ? {} : { cursor: after }) });
