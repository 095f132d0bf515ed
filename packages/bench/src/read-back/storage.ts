import { postgresQuery, type Query, sqliteQuery } from './query.js';

/** A database to store in, and a way to look into it past the server. */
export interface Storage {
  readonly databaseUrl: string;
  readonly query: Query;
}

/** A SQLite file. */
export const sqliteStorage = (file: string): Storage => ({ databaseUrl: `sqlite:${file}`, query: sqliteQuery(file) });

/** A database of a PostgreSQL. */
export const postgresStorage = (databaseUrl: string): Storage => ({ databaseUrl, query: postgresQuery(databaseUrl) });
